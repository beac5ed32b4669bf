import sql from 'sql-template-tag'
import type {
  Drawings,
  DrawnFiles,
  DrawnFrom,
  DrawnKind,
  DrawnSite,
  FileKind,
  OwnFile,
} from '#site/source.ts'
import type { Difference } from '#site/words/difference.ts'
import type { Database, Reader } from '../database/database.ts'
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
  /** The hashes of what was drawn for it. */
  readonly drawn: DrawnHashes
  /** An earlier release did not note it: then it is undefined. */
  readonly drawnFrom?: DrawnFrom | undefined
}

type DrawnHashes = Readonly<Partial<Record<DrawnKind, string>>>

/** A file of a version. */
export interface StoredFile {
  readonly hash: string
  readonly name: string
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
}

type Stored = Pick<PublishedVersion, 'difference' | 'files' | 'drawn' | 'drawnFrom'>

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

/** A version with the bytes of its files. */
export async function readDrawnSite(reader: Reader, version: PublishedVersion): Promise<DrawnSite> {
  const files: Partial<Record<FileKind, OwnFile>> = {}
  for (const [kind, { hash, name, mediaType }] of Object.entries(version.files)) {
    files[kind as FileKind] = { name, mediaType, bytes: await readFile(reader, hash) }
  }
  const drawn: Partial<Record<DrawnKind, Uint8Array>> = {}
  for (const [kind, hash] of Object.entries(version.drawn)) {
    drawn[kind as DrawnKind] = await readFile(reader, hash)
  }
  const { difference, drawnFrom } = version
  return { source: { difference, files }, drawn, drawnFrom }
}

/** Stores a version, and deletes those before the last fifty. */
export async function storeVersion(
  database: Database,
  { source, drawn, drawnFrom }: DrawnSite,
  { about, now }: { about: string; now: number },
): Promise<PublishedVersion> {
  const files: Partial<Record<FileKind, StoredFile>> = {}
  for (const [kind, { name, mediaType, bytes }] of Object.entries(source.files)) {
    const hash = await storeFile(database, bytes, now)
    files[kind as FileKind] = { hash, name, mediaType, size: bytes.length }
  }
  const stored: Stored = {
    difference: source.difference,
    files,
    drawn: await storeDrawn(database, drawn, now),
    drawnFrom,
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

/** Replaces what was drawn for a version: a newer release draws something else from its words. */
export async function replaceDrawings(
  database: Database,
  { id, difference, files }: PublishedVersion,
  { drawn, drawnFrom }: Drawings,
  now: number,
): Promise<void> {
  const hashes = await storeDrawn(database, drawn, now)
  const stored: Stored = { difference, files, drawn: hashes, drawnFrom }
  await database.transaction((transaction) =>
    transaction.run(sql`
      update published_versions set content = ${JSON.stringify(stored)} where id = ${id}`),
  )
}

async function storeDrawn(
  database: Database,
  drawn: DrawnFiles,
  now: number,
): Promise<DrawnHashes> {
  const hashes: Partial<Record<DrawnKind, string>> = {}
  for (const [kind, bytes] of Object.entries(drawn)) {
    hashes[kind as DrawnKind] = await storeFile(database, bytes, now)
  }
  return hashes
}

function versionOf({ id, published_at: publishedAt, about, content }: Row): PublishedVersion {
  const stored: Stored = JSON.parse(content)
  return { id, publishedAt, about, ...stored }
}
