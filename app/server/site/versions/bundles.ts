import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { putTogether, type SiteBundle, takeApart } from '#site/bundle.ts'
import type { Database, Reader } from '../../database/database.ts'
import { readFile, storeFile } from './content-files.ts'

/** The hashes under which the bytes of a version's bundle are stored. */
export interface BundleRecord {
  /** The build that made it. */
  readonly build: string
  /** Its words, compressed. */
  readonly text: string
  /** Its files, by name. */
  readonly files: Readonly<Record<string, string>>
}

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** The bundle of the newest version; the others' are not kept. Throws if a part of it is lost. */
export async function readBundle(
  reader: Reader,
  { text, files }: BundleRecord,
): Promise<SiteBundle> {
  const words = await unzip(await readFile(reader, text))
  return putTogether(words.toString(), (name) => readFile(reader, files[name] ?? ''))
}

export async function storeBundle(
  database: Database,
  bundle: SiteBundle,
  now: number,
): Promise<BundleRecord> {
  const { text, files } = takeApart(bundle)
  const hashes: Record<string, string> = {}
  for (const [name, bytes] of Object.entries(files)) {
    hashes[name] = await storeFile(database, bytes, now)
  }
  const words = await storeFile(database, await zip(text), now)
  return { build: bundle.build, text: words, files: hashes }
}
