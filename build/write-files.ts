import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codings, compress } from '#server/compress.ts'

export type Files = Record<string, Buffer | string>

export async function writeFiles(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(Object.entries(files).map(([name, contents]) => writeFile(join(folder, name), contents)))
}

/** Writes the files, each with its .br, .zst and .gz beside it where that is smaller. */
export async function writeCompressedFiles(folder: string, files: Files): Promise<void> {
  const compressed = Object.entries(files)
    .filter(([name]) => !/\.(png|woff2)$/.test(name)) // compressed by their own format
    .map(async ([name, contents]) => {
      const byCoding = await compress(Buffer.from(contents))
      return [...byCoding].map(([coding, bytes]) => [name + codings[coding], bytes] as const)
    })
  await writeFiles(folder, { ...files, ...Object.fromEntries((await Promise.all(compressed)).flat()) })
}
