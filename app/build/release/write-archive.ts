import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPlaceholders, placeholderList } from '#server/configuration/placeholders.ts'
import { filesBelow } from '../inputs.ts'
import { type Files, writeFiles } from '../write-files.ts'
import { bundleServer } from './bundle-for-node.ts'

/** Young heap and arenas as in run.mjs. */
const startScript = ({ MALLOC_ARENA_MAX, NODE_OPTIONS }: Record<string, string>) => `#!/bin/sh
# "start" serves, "start owner COMMAND" runs an owner's command; it needs Node 26 or newer in PATH and nothing else.
# Everything is written to data/ in the working directory, and settings are read from .env there.
here=$(dirname -- "$(readlink -f -- "$0")")
export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-${MALLOC_ARENA_MAX}}" NODE_OPTIONS="\${NODE_OPTIONS:-${NODE_OPTIONS}}"
exec node "$here/server/start.mjs" "$@"
`

const documents = ['.env.example', 'LICENSE', 'CHANGELOG.md']

/** Writes the release into a folder of its own below `to`, and as the archive beside it, whose path it returns. */
export async function writeArchive(root: string, to: string): Promise<string> {
  const { version, config } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const name = `starter-bot-${version}`
  const folder = join(to, name)
  await rm(folder, { recursive: true, force: true })
  await writeFiles(folder, await releaseFiles(root, false))
  for (const document of documents) await copyFile(join(root, document), join(folder, document))
  await writeFile(join(folder, 'start'), startScript(config.startEnvironment))
  await chmod(join(folder, 'start'), 0o755)
  const archive = `${folder}-linux-x64.tar.gz`
  execFileSync('tar', ['-czf', archive, '-C', to, name], { stdio: 'inherit' })
  return archive
}

/** Every file that a release reads, by its path below the release's root: app/server/configuration/project-files.ts reads them. */
export async function releaseFiles(root: string, asOneFile: boolean): Promise<Files> {
  const bundle = await bundleServer(root, asOneFile)
  const server = Object.entries(bundle).map(([name, contents]) => [`server/${name}`, contents])
  const read = [...filesBelow(root, 'dist'), ...filesBelow(root, 'app/server/database/migrations')]
    .filter((path) => !path.startsWith('dist/packages/') && path !== 'dist/.inputs') // bundled; of the build
    .map((path) => [path, readFileSync(join(root, path))])
  const placeholders = JSON.stringify(findPlaceholders(root))
  return Object.fromEntries([...server, ...read, [placeholderList, placeholders]])
}
