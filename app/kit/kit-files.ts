import { createHash } from 'node:crypto'
import { kit } from '#content/kit.ts'
import { ContentFault } from './content-fault.ts'

/** What the personal page and the owner are told about one file of the kit. */
export interface KitFile {
  /** The last part of its address. It is in mails sent long ago, so it never changes. */
  readonly name: string
  /** What a visitor sees, and saves it as. */
  readonly savedAs: string
  readonly mediaType: string
  readonly version: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
  /** Length in bytes. */
  readonly bytes: number
}

/** The files of the kit as they will be served. The script is among them: its header gives the version of all. */
export function kitFiles(contents: Readonly<Record<string, Uint8Array>>): KitFile[] {
  const script = contents[scriptName]
  if (script === undefined) throw new Error(`The kit has no ${scriptName}`)
  const { version } = scriptRelease(new TextDecoder().decode(script))
  return Object.entries(contents).map(([name, bytes]) => ({
    name,
    savedAs: name === scriptName ? kit.script.name : kit.guide.name,
    mediaType: mediaTypeOf(name),
    version,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
  }))
}

/** Version and date (YYYY-MM-DD) as the script's header gives them. `file` is what a fault calls it. */
export function scriptRelease(source: string, file = 'The script'): { version: string; date: string } {
  const [, version, date] = /^\/\/ Version (\d+\.\d+\.\d+), (\d{4}-\d{2}-\d{2})/m.exec(source) ?? []
  if (version === undefined || date === undefined)
    throw new ContentFault(
      `${file} has no version line: it needs one such as "// Version 1.0.0, 2026-11-30".`,
    )
  return { version, date }
}

export const scriptName = 'ema-crossover.pine'

function mediaTypeOf(name: string): string {
  if (name.endsWith('.pdf')) return 'application/pdf'
  if (name.endsWith('.pine')) return 'text/plain; charset=utf-8'
  throw new Error(`No media type is known for ${name}`)
}
