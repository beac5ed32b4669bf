import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  await writeFile(join(folder, 'start'), startScript, { mode: 0o755 })
  execFileSync('tar', ['-czf', `${folder}.tar.gz`, '-C', to, name], { stdio: 'inherit' })
  return `${folder}.tar.gz`
}
