import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import sea from 'node:sea' // older Node lacks some of its exports, and start.ts has to be able to say so
import { Worker } from 'node:worker_threads'

// In the sources this module is TypeScript. In a release it is bundled, in the folder server/ or in the executable.
const inSources = import.meta.filename?.endsWith('.ts') ?? false
const inExecutable = sea.isSea()

/** True in what `npm run package` writes: everything is built and nothing can be built again. */
export const isRelease = !inSources

/** The root of the clone or of the release. In the executable, a path that stands for the embedded files. */
export const projectRoot = inExecutable
  ? join('/', 'starter-bot')
  : join(import.meta.dirname, inSources ? '../../..' : '..')

/** The commands that messages and help name: to serve, and to run an owner's command. */
export const program = inExecutable ? './starter-bot' : inSources ? 'npm start --' : './start'
export const ownerCommand = inSources ? 'npm run owner --' : `${program} owner`

/** Puts the commands of a release into a text that names those of a clone. */
export const nameCommands = (text: string) => text.replaceAll('npm run owner --', ownerCommand)

/** Reads a file below the root. Throws ENOENT if it does not exist. */
export function readProjectFile(path: string): Buffer {
  const asset = assetKey(path)
  if (asset === undefined) return readFileSync(path)
  if (sea.getAssetKeys().includes(asset)) return Buffer.from(sea.getAsset(asset))
  throw Object.assign(new Error(`ENOENT: the executable holds no ${asset}`), { code: 'ENOENT', path })
}

/** Lists the names of the files and folders that are directly in a folder below the root. */
export function listProjectFiles(folder: string): string[] {
  const asset = assetKey(folder)
  if (asset === undefined) return readdirSync(folder)
  const below = sea.getAssetKeys().filter((key) => key.startsWith(`${asset}/`))
  const names = below.map((key) => /[^/]+/.exec(key.slice(asset.length))?.[0] ?? '')
  return [...new Set(names)]
}

/** Runs a source file of the project, named by its path from the root, in a worker thread. */
export function startThread(source: string, workerData: unknown): Worker {
  if (inSources) return new Worker(join(projectRoot, source), { workerData })
  const bundled = join(projectRoot, 'server', basename(source, '.ts') + '.cjs')
  if (!inExecutable) return new Worker(bundled, { workerData })
  return new Worker(readProjectFile(bundled).toString(), { workerData, eval: true })
}

/** Is undefined if the file is on the disk. */
function assetKey(path: string): string | undefined {
  if (!inExecutable || !path.startsWith(projectRoot)) return undefined
  return path.slice(projectRoot.length + 1).replaceAll('\\', '/')
}
