import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compress } from './compress.ts'

export type Files = Record<string, Uint8Array | string>

/** The names may be paths below the folder. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, contents] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
}

/** The files, each with its .br and .gz beside it if that is smaller. `quality`: Brotli's, 11 is the highest. */
export async function withCompressed(files: Files, quality: number): Promise<Files> {
  const all = { ...files }
  for (const [name, contents] of Object.entries(files))
    for (const [ending, bytes] of Object.entries(await compress(Buffer.from(contents), quality)))
      all[name + ending] = bytes
  return all
}
