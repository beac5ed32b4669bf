import { join } from 'node:path'
import type { KitFile } from '#kit/kit-files.ts'
import { readProjectFile } from '#server/configuration/project-files.ts'

/** The build's list of the kit's files. Undefined: nothing is built. */
export function readKit(folder: string): KitFile[] | undefined {
  const list = readIfExists(join(folder, 'dist/kit/kit.json'))
  return list && JSON.parse(list.toString())
}

export function readIfExists(path: string): Buffer | undefined {
  try {
    return readProjectFile(path)
  } catch (fault) {
    return onlyMissing(fault as NodeJS.ErrnoException) // what reading a file throws
  }
}

export function onlyMissing(fault: NodeJS.ErrnoException): undefined {
  if (fault.code !== 'ENOENT') throw fault
}
