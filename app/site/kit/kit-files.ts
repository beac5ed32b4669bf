import { createHash } from 'node:crypto'
import { asShown } from './as-shown.ts'
import { ContentError } from './content-error.ts'

/** One file of the kit. */
export interface KitFile {
  readonly kind: 'script' | 'guide'
  /** By which a visitor sees and saves it, and the last part of its address. */
  readonly name: string
  readonly mediaType: string
  /** Of the script, which the guide goes with. */
  readonly version: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
  readonly contents: Uint8Array
}

/** The names of the two files. */
export type KitFileNames = Readonly<Record<KitFile['kind'], string>>

/** The two files that are given away. */
export type KitContents = Readonly<Record<KitFile['kind'], Uint8Array>>

export function kitFiles({ script, guide }: KitContents, names: KitFileNames): KitFile[] {
  const { version } = scriptRelease(asShown(script))
  const file = (kind: KitFile['kind'], mediaType: string, contents: Uint8Array) => ({
    kind,
    name: names[kind],
    mediaType,
    version,
    sha256: createHash('sha256').update(contents).digest('hex'),
    contents,
  })
  return [
    file('script', 'text/plain; charset=utf-8', script),
    file('guide', 'application/pdf', guide),
  ]
}

/**
 * The file at an address. Mails of long ago name files as they were called then, so any name leads
 * to the script or to the guide by its ending.
 */
export function findKitFile<File extends Pick<KitFile, 'kind'>>(
  files: readonly File[],
  name: string,
): File | undefined {
  return files.find(({ kind }) => name.endsWith(kind === 'script' ? '.pine' : '.pdf'))
}

/** Reads version and date (YYYY-MM-DD) from the script's header. */
export function scriptRelease(source: string): { version: string; date: string } {
  const [, version, date] = /^\/\/ Version (\d+\.\d+\.\d+), (\d{4}-\d{2}-\d{2})/m.exec(source) ?? []
  if (version === undefined || date === undefined) {
    throw new ContentError(
      'The script has no version line: it needs one such as "// Version 1.0.0, 2026-11-30".',
    )
  }
  return { version, date }
}
