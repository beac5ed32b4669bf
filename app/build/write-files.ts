import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export type Files = Record<string, Uint8Array | string>

/** Writes one file after another. The names may be paths below the folder. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, contents] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
}

/**
 * The files, each with its .br and .gz beside it if that is smaller. `quality`: Brotli's, 11 is the
 * highest.
 */
export function withCompressed(files: Files, quality: number): Files {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const all = { ...files }
  for (const [name, contents] of Object.entries(files)) {
    const compressed = {
      '.br': brotliCompressSync(contents, { params }),
      '.gz': gzipSync(contents, { level: 9 }),
    }
    for (const [ending, bytes] of Object.entries(compressed)) {
      if (bytes.length < Buffer.byteLength(contents)) all[name + ending] = bytes
    }
  }
  return all
}
