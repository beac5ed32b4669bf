import sql from 'sql-template-tag'
import type { FileKind, OwnFile, SiteSource } from '#site/source.ts'
import type { Difference } from '#site/words/difference.ts'
import type { Reader, Transaction } from '../../database/database.ts'
import type { BundleRecord } from './bundles.ts'
import { readFile } from './content-files.ts'

/** That many published versions are kept, and as many drafts. Earlier ones are deleted. */
const keptVersions = 50

/** The lock that whoever writes a version holds. */
export const versionsLock = 'page-versions'

/**
 * The page as the owner made it, whole. The newest version is what the owner edits, the newest
 * published one is what visitors get.
 */
export interface PageVersion {
  readonly id: number
  readonly state: 'draft' | 'published'
  /** Counts the changes of the page, over all versions. */
  readonly revision: number
  /** ms since 1970. Published: when. */
  readonly changedAt: number
  /** Its subject, in words. Empty: a draft. */
  readonly about: string
  readonly difference: Difference
  readonly files: StoredFiles
  readonly lastChanges: LastChanges
  /** A draft has none. */
  readonly bundle?: BundleRecord | undefined
  /** Is set while a newer build could not make its bundle, and serves the one that is stored. */
  readonly failure?: MakeFailure | undefined
}

export interface PublishedVersion extends PageVersion {
  readonly state: 'published'
  readonly bundle: BundleRecord
}

/** A file of a version. */
export interface StoredFile {
  readonly hash: string
  readonly name: string
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
}

export type StoredFiles = Readonly<Partial<Record<FileKind, StoredFile>>>

/** The last change of each text, by its path, and of each file, by its kind. */
export type LastChanges = Readonly<Record<string, LastChange>>

export interface LastChange {
  /** The revision that it made. */
  readonly revision: number
  /** ms since 1970. */
  readonly at: number
  /** The tab where it was typed. Empty: it was not typed. */
  readonly tab: string
}

export interface MakeFailure {
  readonly build: string
  readonly why: string
}

interface Row {
  id: number
  state: PageVersion['state']
  revision: number
  changed_at: number
  about: string
  difference: string
  files: string
  last_changes: string
  bundle: string | null
  failure: string | null
}

/** The newest first. */
export async function listVersions(reader: Reader): Promise<PageVersion[]> {
  const rows = await reader.rows<Row>(sql`select * from page_versions order by id desc`)
  return rows.map(versionOf)
}

/** The version that the owner edits. Undefined: nobody has changed the defaults yet. */
export async function readNewest(reader: Reader): Promise<PageVersion | undefined> {
  const row = await reader.row<Row>(sql`select * from page_versions order by id desc limit 1`)
  return row && versionOf(row)
}

/** The version that is served. Undefined: the defaults are. */
export async function readPublished(reader: Reader): Promise<PublishedVersion | undefined> {
  const row = await reader.row<Row>(sql`
    select * from page_versions where state = 'published' order by id desc limit 1`)
  return row && (versionOf(row) as PublishedVersion) // by its state
}

/** Returns undefined if there is none, or it was deleted. */
export async function readVersion(reader: Reader, id: number): Promise<PageVersion | undefined> {
  const row = await reader.row<Row>(sql`select * from page_versions where id = ${id}`)
  return row && versionOf(row)
}

/** The part of a version that a server loads to serve it, without its texts. */
export interface ServedVersion {
  readonly id: number
  /** The value, if it can be read. */
  readonly bundle: BundleRecord | undefined
  readonly isFailed: boolean
}

/** Returns undefined if nothing was published. */
export async function readServed(reader: Reader): Promise<ServedVersion | undefined> {
  const row = await reader.row<Pick<Row, 'id' | 'bundle' | 'failure'>>(sql`
    select id, bundle, failure from page_versions where state = 'published' order by id desc limit 1`)
  if (!row) return undefined
  return { id: row.id, bundle: parsed(row.bundle), isFailed: row.failure !== null }
}

function parsed(bundle: string | null): BundleRecord | undefined {
  try {
    return JSON.parse(bundle ?? '') as BundleRecord // as storeVersion writes it
  } catch {
    return undefined
  }
}

/** The version that is served, by its number. Undefined: nothing was published. */
export async function publishedId(reader: Reader): Promise<number | undefined> {
  const row = await reader.row<{ id: number | null }>(
    sql`select max(id) as id from page_versions where state = 'published'`,
  )
  return row?.id ?? undefined
}

/** The texts and files that a version is made from. Throws if it was deleted, or is damaged. */
export async function readSource(reader: Reader, id: number): Promise<SiteSource> {
  const row = await reader.row<Pick<Row, 'difference' | 'files'>>(
    sql`select difference, files from page_versions where id = ${id}`,
  )
  if (!row) throw new Error('The version was deleted')
  const files: StoredFiles = JSON.parse(row.files)
  const own: Partial<Record<FileKind, OwnFile>> = {}
  for (const [kind, { hash, name, mediaType }] of Object.entries(files)) {
    own[kind as FileKind] = { name, mediaType, bytes: await readFile(reader, hash) } // a key of files
  }
  return { difference: JSON.parse(row.difference), files: own }
}

/** Inserts the newest version, and deletes those before the last fifty of its kind. */
export async function insertVersion(
  transaction: Transaction,
  version: Omit<PageVersion, 'id'>,
): Promise<number> {
  const { state, revision, changedAt, about, difference, files, lastChanges, bundle } = version
  const inserted = await transaction.insert(
    sql`
      insert into page_versions
        (state, revision, changed_at, about, difference, files, last_changes, bundle)
      values (${state}, ${revision}, ${changedAt}, ${about}, ${JSON.stringify(difference)},
        ${JSON.stringify(files)}, ${JSON.stringify(lastChanges)}, ${asJson(bundle)})`,
  )
  await transaction.run(sql`
    delete from page_versions where state = ${state} and id not in (
      select id from page_versions where state = ${state}
      order by id desc limit ${keptVersions})`)
  return inserted
}

/** Writes all of a version anew. */
export async function updateVersion(transaction: Transaction, version: PageVersion): Promise<void> {
  const { id, state, revision, changedAt, about, difference, files, lastChanges } = version
  await transaction.run(sql`
    update page_versions set state = ${state}, revision = ${revision}, changed_at = ${changedAt},
      about = ${about}, difference = ${JSON.stringify(difference)},
      files = ${JSON.stringify(files)}, last_changes = ${JSON.stringify(lastChanges)},
      bundle = ${asJson(version.bundle)}, failure = ${asJson(version.failure)}
    where id = ${id}`)
}

/** Replaces the bundle of a version, which then has no failure. Does nothing if it was deleted. */
export async function writeBundle(
  transaction: Transaction,
  id: number,
  bundle: BundleRecord,
): Promise<void> {
  await transaction.run(sql`
    update page_versions set bundle = ${asJson(bundle)}, failure = null where id = ${id}`)
}

/** Notes why a build could not make a version. Undefined: none could not. */
export async function writeFailure(
  transaction: Transaction,
  id: number,
  failure: MakeFailure | undefined,
): Promise<void> {
  await transaction.run(sql`update page_versions set failure = ${asJson(failure)} where id = ${id}`)
}

export async function deleteVersion(transaction: Transaction, id: number): Promise<void> {
  await transaction.run(sql`delete from page_versions where id = ${id}`)
}

function asJson(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function versionOf(row: Row): PageVersion {
  const { id, state, revision, changed_at: changedAt, about, bundle, failure } = row
  return {
    id,
    state,
    revision,
    changedAt,
    about,
    difference: JSON.parse(row.difference),
    files: JSON.parse(row.files),
    lastChanges: JSON.parse(row.last_changes),
    ...(bundle !== null && { bundle: JSON.parse(bundle) as BundleRecord }),
    ...(failure !== null && { failure: JSON.parse(failure) as MakeFailure }),
  }
}
