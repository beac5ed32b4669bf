import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KitFile } from '#kit/kit-files.ts'

/** The build's list of the kit's files. Undefined: nothing is built. */
export async function readKit(folder: string): Promise<KitFile[] | undefined> {
  const text = await readFile(join(folder, 'dist/kit/kit.json'), 'utf8').catch(onlyMissing)
  return text === undefined ? undefined : JSON.parse(text)
}

export function onlyMissing(fault: NodeJS.ErrnoException): undefined {
  if (fault.code !== 'ENOENT') throw fault
}
