import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The server's bundle holds the code of both rings. */
const folders = ['app', 'content', 'owner']
const files = ['server.ts', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts']
export const inputsNote = '.inputs'

export const projectRoot = join(import.meta.dirname, '../..')
export const distFolder = join(projectRoot, 'dist')

export function isBuildStale(): boolean {
  return notedInputs(distFolder) !== hashOfInputs(projectRoot)
}

/** One hash over the path and the contents of everything the build reads. */
export function hashOfInputs(root: string): string {
  const hash = createHash('sha256')
  for (const path of [...files, ...folders.flatMap((folder) => filesBelow(root, folder))]) {
    const contents = readFileSync(join(root, path))
    hash.update(`${path}\n${contents.length}\n`).update(contents)
  }
  return hash.digest('hex')
}

/** The hash a finished build was made from; undefined if there is no such build. */
export function notedInputs(dist: string): string | undefined {
  const note = join(dist, inputsNote)
  return existsSync(note) ? readFileSync(note, 'utf8') : undefined
}

/** Their paths below `root`, without tests. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted()
}
