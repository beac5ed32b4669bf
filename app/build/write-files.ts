import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codings, compress, type Effort } from '#server/http/compress.ts'

export type Files = Record<string, Uint8Array | string>

/** The names may be paths below the folder. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, contents] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
}

/** The files, each with its .br and .gz beside it if that is smaller. */
export async function withCompressed(files: Files, effort?: Effort): Promise<Files> {
  const smaller = Object.entries(files).map(async ([name, contents]) => {
    const byCoding = await compress(Buffer.from(contents), effort)
    return codings.flatMap(({ coding, ending }) => {
      const bytes = byCoding.get(coding)
      return bytes ? [[name + ending, bytes] as const] : []
    })
  })
  return { ...files, ...Object.fromEntries((await Promise.all(smaller)).flat()) }
}
