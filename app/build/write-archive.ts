import { execFileSync } from 'node:child_process'
import { globSync, utimesSync } from 'node:fs'
import { chmod, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { drawingTools, installedWasm } from '#site/drawing/drawing-files.ts'
import { projectRoot } from './inputs.ts'

const startScript = `#!/bin/sh
# "start" serves, "start owner COMMAND" runs an owner's command. It needs Node 24 or newer in PATH and nothing else.
# Everything is written to data/ in the working directory, and settings are read from .env there.
case $(node --version) in
  v2[4-9].* | v[3-9][0-9].*) ;;
  *) echo "Node 24 or newer is needed in PATH" >&2 && exit 1 ;;
esac
export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-2}" # 8 MB less memory
exec node --disable-warning=ExperimentalWarning "$(dirname -- "$(readlink -f -- "$0")")/dist/server/server.mjs" "$@"
`

/**
 * The date of every file in the archive. No program reads it: caches go by the hash in the name.
 */
const releaseTime = new Date('2000-01-01T00:00:00Z')
const maxArchiveBytes = 200_000_000

/** The files that the server reads at their path below the root: the build, and the migrations. */
const parts = [
  'dist',
  ...globSync('{app,owner}/**/*.sql', { cwd: projectRoot }),
  '.env.example',
  'LICENSE',
  'CHANGELOG.md',
]

/**
 * Writes the release into a folder of its own below `to`, and as the archive beside it, whose path
 * it returns.
 */
export async function writeArchive(to: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'))
  const name = `starter-bot-${version}`
  const folder = join(to, name)
  await rm(folder, { recursive: true, force: true })
  for (const part of parts) {
    await cp(join(projectRoot, part), join(folder, part), { recursive: true })
  }
  for (const tool of drawingTools) {
    await cp(installedWasm(tool), join(folder, `dist/renderer/${tool}.wasm`))
  }
  await writeFile(join(folder, 'start'), startScript)
  await openToAll(folder)
  await writeFile(`${folder}.tar.gz`, gzipSync(tarOf(to, name)))
  return `${folder}.tar.gz`
}

/** The server has a user of its own, who reads the program and cannot write it. */
async function openToAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
  for (const path of [folder, join(folder, 'start')]) await chmod(path, 0o755)
}

/** A tar archive with the same bytes whoever packs it, and whenever. */
function tarOf(parent: string, name: string): Buffer {
  const paths = globSync([name, `${name}/**`], { cwd: parent }).toSorted()
  // GNU's tar and that of macOS have other names for these.
  const isGnu = execFileSync('tar', ['--version'], { encoding: 'utf8' }).includes('GNU')
  const asRoot = isGnu
    ? ['--format=ustar', '--owner=0', '--group=0', '--numeric-owner']
    : ['--format=ustar', '--uid=0', '--gid=0', '--uname=', '--gname=']
  for (const path of paths) utimesSync(join(parent, path), releaseTime, releaseTime)
  return execFileSync('tar', ['-c', ...asRoot, '--no-recursion', '-C', parent, ...paths], {
    maxBuffer: maxArchiveBytes,
  })
}
