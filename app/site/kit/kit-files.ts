import { createHash } from 'node:crypto'
import type { Kit } from '#content/kit.ts'
import type { KitRelease } from '#content/releases.ts'
import { ContentError } from './content-error.ts'

/** The last parts of the addresses of the two files. They never change: old mails link to them. */
export const scriptFile = 'ema-crossover.pine'
export const guideFile = 'setup-guide.pdf'

/** One file of the kit, as the personal page and the owner's tools show it. */
export interface KitFile {
  /** `scriptFile` or `guideFile`. */
  readonly name: string
  /** The name that a visitor sees and saves. */
  readonly savedAs: string
  readonly mediaType: string
  readonly version: string
  /** Lower-case hexadecimal. */
  readonly sha256: string
  /** Length in bytes. */
  readonly bytes: number
}

/** The bytes of the two files, by the last part of their address. */
export type KitContents = Readonly<Record<typeof scriptFile | typeof guideFile, Uint8Array>>

/** The list of the files to serve. The header of the script gives the version of all. */
export function kitFiles(contents: KitContents, kit: Kit): KitFile[] {
  const { version } = scriptRelease(new TextDecoder().decode(contents[scriptFile]))
  return Object.entries(contents).map(([name, bytes]) => ({
    name,
    savedAs: name === scriptFile ? kit.script.name : kit.guide.name,
    mediaType: name === scriptFile ? 'text/plain; charset=utf-8' : 'application/pdf',
    version,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
  }))
}

/**
 * Reads version and date (YYYY-MM-DD) from the script's header. `file` names the script in errors.
 */
export function scriptRelease(
  source: string,
  file = 'The script',
): { version: string; date: string } {
  const [, version, date] = /^\/\/ Version (\d+\.\d+\.\d+), (\d{4}-\d{2}-\d{2})/m.exec(source) ?? []
  if (version === undefined || date === undefined) {
    throw new ContentError(
      `${file} has no version line: it needs one such as "// Version 1.0.0, 2026-11-30".`,
    )
  }
  return { version, date }
}

/**
 * The versions of the script that is given away, the newest first. Empty: the owner lists none of
 * their own script.
 */
export function kitReleases(
  script: string,
  listed: readonly KitRelease[],
  isYourOwn: boolean,
): readonly KitRelease[] {
  const { version, date } = scriptRelease(script)
  const [newest] = listed
  if (isYourOwn && (newest?.version !== version || newest.date !== date)) return []
  if (newest?.version !== version) {
    throw new ContentError(
      `content/releases.ts begins with version ${newest?.version ?? '(none)'}, but the script has version ${version}: add an entry for ${version} at the top.`,
    )
  }
  for (const [index, release] of listed.entries()) checkDate(release, listed[index + 1])
  return listed
}

/** A day may be in the future: a release can be prepared. */
function checkDate({ version, date }: KitRelease, before: KitRelease | undefined): void {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date))) {
    throw new ContentError(
      `content/releases.ts: the date of ${version} must be a day like 2026-11-30.`,
    )
  }
  if (before && before.date > date) {
    throw new ContentError(
      `content/releases.ts: ${version} stands above ${before.version}, but its date is earlier. The newest comes first.`,
    )
  }
}
