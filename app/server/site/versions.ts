import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import sql from 'sql-template-tag'
import { putTogether, type SiteBundle, takeApart } from '#site/bundle.ts'
import type { FileKind, OwnFile, SiteSource } from '#site/source.ts'
import type { Difference } from '#site/words/difference.ts'
import type { Database, Reader, Transaction } from '../database/database.ts'
import { readFile, storeFile } from './content-files.ts'

/** Earlier ones are deleted. */
const keptVersions = 50

/** A version of the page that the owner published. */
export interface PublishedVersion {
  readonly id: number
  /** ms since 1970. */
  readonly publishedAt: number
  /** Its subject, in words. */
  readonly about: string
  readonly difference: Difference
  readonly files: Readonly<Partial<Record<FileKind, StoredFile>>>
  readonly bundle: BundleRecord
  /** Is set while a newer build could not make its bundle, and serves the one that is stored. */
  readonly failure?: MakeFailure | undefined
}

/** A file of a version. */
export interface StoredFile {
  readonly hash: string
  readonly name: string
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
}

/** Where the bytes of a version's bundle are, by their hashes. */
export interface BundleRecord {
  /** The build that made it. */
  readonly build: string
  /** Its words, compressed. */
  readonly text: string
  /** Its files, by name. */
  readonly files: Readonly<Record<string, string>>
}

export interface MakeFailure {
  readonly build: string
  readonly why: string
}

type Stored = Pick<PublishedVersion, 'difference' | 'files' | 'bundle' | 'failure'>

interface Row {
  id: number
  published_at: number
  about: string
  content: string
}

/** The newest first. */
export async function listVersions(reader: Reader): Promise<PublishedVersion[]> {
  const rows = await reader.rows<Row>(sql`select * from published_versions order by id desc`)
  return rows.map(versionOf)
}

/** Returns undefined if there is none, or it was deleted. */
export async function readVersion(
  reader: Reader,
  id: number,
): Promise<PublishedVersion | undefined> {
  const row = await reader.row<Row>(sql`select * from published_versions where id = ${id}`)
  return row && versionOf(row)
}

/** The version that is served. Undefined: the defaults are. */
export async function readPublished(reader: Reader): Promise<PublishedVersion | undefined> {
  const row = await reader.row<Row>(sql`select * from published_versions order by id desc limit 1`)
  return row && versionOf(row)
}

/** Returns undefined if nothing was published. */
export async function newestVersion(reader: Reader): Promise<number | undefined> {
  const row = await reader.row<{ id: number | null }>(
    sql`select max(id) as id from published_versions`,
  )
  return row?.id ?? undefined
}

/** The texts and files that a version was made from. */
export async function readSource(
  reader: Reader,
  { difference, files }: Pick<PublishedVersion, 'difference' | 'files'>,
): Promise<SiteSource> {
  const own: Partial<Record<FileKind, OwnFile>> = {}
  for (const [kind, { hash, name, mediaType }] of Object.entries(files)) {
    own[kind as FileKind] = { name, mediaType, bytes: await readFile(reader, hash) } // a key of files
  }
  return { difference, files: own }
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

async function storeBundle(
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

/** Stores a version with its bundle, and deletes those before the last fifty. */
export async function storeVersion(
  database: Database,
  { source, bundle }: { source: SiteSource; bundle: SiteBundle },
  { about, now }: { about: string; now: number },
): Promise<PublishedVersion> {
  const files: Partial<Record<FileKind, StoredFile>> = {}
  for (const [kind, { name, mediaType, bytes }] of Object.entries(source.files)) {
    const hash = await storeFile(database, bytes, now)
    files[kind as FileKind] = { hash, name, mediaType, size: bytes.length } // a key of files
  }
  const stored: Stored = {
    difference: source.difference,
    files,
    bundle: await storeBundle(database, bundle, now),
  }
  const id = await database.transaction(async (transaction) => {
    await transaction.lock('published-versions')
    const content = JSON.stringify(stored)
    const inserted = await transaction.insert(sql`
      insert into published_versions (published_at, about, content)
      values (${now}, ${about}, ${content})`)
    await transaction.run(sql`
      delete from published_versions where id not in (
        select id from published_versions order by id desc limit ${keptVersions})`)
    return inserted
  })
  return { id, publishedAt: now, about, ...stored }
}

/** Replaces the bundle of a version by one that another build made of it. */
export async function replaceBundle(
  database: Database,
  version: PublishedVersion,
  bundle: SiteBundle,
  now: number,
): Promise<void> {
  const record = await storeBundle(database, bundle, now)
  const { id, difference, files } = version
  await database.transaction(async (transaction) => {
    await transaction.lock('published-versions')
    await writeContent(transaction, id, { difference, files, bundle: record })
  })
}

/** Notes that a build could not make the bundle of a version, unless another instance has made it. */
export async function noteFailure(
  database: Database,
  id: number,
  failure: MakeFailure,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.lock('published-versions')
    const version = await readVersion(transaction, id)
    if (!version || version.bundle.build === failure.build) return
    const { difference, files, bundle } = version
    await writeContent(transaction, id, { difference, files, bundle, failure })
  })
}

async function writeContent(transaction: Transaction, id: number, stored: Stored): Promise<void> {
  await transaction.run(sql`
    update published_versions set content = ${JSON.stringify(stored)} where id = ${id}`)
}

function versionOf({ id, published_at: publishedAt, about, content }: Row): PublishedVersion {
  const stored: Stored = JSON.parse(content)
  return { id, publishedAt, about, ...stored }
}
