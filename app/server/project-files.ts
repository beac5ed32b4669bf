import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** False in dist/server/, where this module is bundled. */
const inSources = import.meta.filename.endsWith('.ts')

/**
 * The root of the clone or of the release. `npm start` runs the bundle from .serving/dist/server/,
 * which is one folder deeper than dist/server/.
 */
export const projectRoot = ['../..', '../../..']
  .map((path) => join(import.meta.dirname, path))
  .find((folder) => existsSync(join(folder, 'LICENSE')))!

/**
 * The build that this program is part of. A later one, in dist/, does not touch what a running
 * server reads.
 */
export const builtFiles = inSources ? join(projectRoot, 'dist') : join(import.meta.dirname, '..')

/** True in what `npm run package` writes: everything is built and nothing can be built again. */
export const isRelease = !existsSync(join(projectRoot, 'package.json'))

/** The commands that messages and help name: to serve, and to run an owner's command. */
export const program = isRelease ? './start' : 'npm start --'
export const ownerCommand = isRelease ? './start owner' : 'npm run owner --'

/** Puts the commands of a release into a text that names those of a clone. */
export const nameCommands = (text: string) => text.replaceAll('npm run owner --', ownerCommand)

/**
 * Runs a source file of the project, named by its path from the root, in a thread. The bundle
 * starts itself: server.ts.
 */
export function startThread(source: string, workerData: unknown): Worker {
  const file = inSources ? join(projectRoot, source) : join(builtFiles, 'server/server.mjs')
  const argv = [source] // the thread reads it: before 24.6, Node does not tell it its name
  return new Worker(file, { name: source, argv, workerData })
}

/**
 * Runs a source that Node cannot run as it is written, as it was built, in a process with a limited
 * memory. It takes and sends messages.
 */
export function startBuiltProcess(source: string, argument: string, heapMb: number): ChildProcess {
  const file = join(builtFiles, 'server/server.mjs')
  return fork(file, [source, argument], {
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
  })
}
