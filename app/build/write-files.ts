import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codings, compress } from '#server/http/compress.ts'

export type Files = Record<string, Uint8Array | string>

export async function writeFiles(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(Object.entries(files).map(([name, contents]) => writeFile(join(folder, name), contents)))
}

/** Writes the files, each with its .br and .gz beside it if that is smaller. */
export async function writeCompressedFiles(folder: string, files: Files): Promise<void> {
  const smaller = Object.entries(files).map(([name, contents]) => compressFile(name, Buffer.from(contents)))
  await writeFiles(folder, Object.assign({}, files, ...(await Promise.all(smaller))))
}

async function compressFile(name: string, contents: Buffer): Promise<Files> {
  if (name.endsWith('.woff2')) return {} // compressed by its own format
  const compressed = await compress(contents)
  const present = codings.filter(({ coding }) => compressed.has(coding))
  return Object.fromEntries(
    present.map(({ coding, ending }) => [name + ending, compressed.get(coding) ?? contents]),
  )
}
