import type { SiteBundle } from '#site/bundle.ts'
import { ContentError } from '#site/kit/content-error.ts'
import type { FileKind, SiteSource } from '#site/source.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { storeBundle } from './bundles.ts'
import { storeFile } from './content-files.ts'
import { noteChanges } from './last-changes.ts'
import {
  insertVersion,
  type MakeFailure,
  type PageVersion,
  type PublishedVersion,
  publishedId,
  readNewest,
  readServed,
  readVersion,
  type StoredFile,
  type StoredFiles,
  updateVersion,
  versionsLock,
  writeBundle,
  writeFailure,
} from './versions.ts'

export interface MadeVersion {
  readonly source: SiteSource
  readonly bundle: SiteBundle
}

export interface AboutVersion {
  /** Its subject in the list of versions. */
  readonly about: string
  /** ms since 1970. */
  readonly now: number
  /** The draft that it was made of, as it was read then. Undefined: it comes from elsewhere. */
  readonly draft?: PageVersion | undefined
  /** Called in the transaction that stores it. */
  readonly record?: ((transaction: Transaction) => Promise<void>) | undefined
}

/** Stores a version as published, with its bundle. Throws a ContentError if a newer one is out. */
export async function storeVersion(
  database: Database,
  { source, bundle }: MadeVersion,
  { about, now, draft, record }: AboutVersion,
): Promise<PublishedVersion> {
  const files = await storeFiles(database, source, now)
  const published = {
    state: 'published' as const,
    changedAt: now,
    about,
    difference: source.difference,
    files,
    bundle: await storeBundle(database, bundle, now),
  }
  return database.transaction(async (transaction) => {
    await transaction.lock(versionsLock)
    await record?.(transaction)
    if (draft) return publishDraft(transaction, draft, { ...draft, ...published })
    const newest = await readNewest(transaction)
    const version = { ...published, ...noteChanges(newest, published, { at: now, tab: '' }) }
    return { ...version, id: await insertVersion(transaction, version) }
  })
}

/** Changes that were made while the version was drawn become a draft of their own. */
async function publishDraft(
  transaction: Transaction,
  draft: PageVersion,
  published: PublishedVersion,
): Promise<PublishedVersion> {
  const latest = await readVersion(transaction, draft.id)
  const served = (await publishedId(transaction)) ?? 0
  if (!latest || served >= draft.id) {
    throw new ContentError('Another version was published meanwhile. Look at the draft once more.')
  }
  await updateVersion(transaction, published)
  if (latest.revision !== draft.revision) await insertVersion(transaction, latest)
  return published
}

async function storeFiles(
  database: Database,
  source: SiteSource,
  now: number,
): Promise<StoredFiles> {
  const files: Partial<Record<FileKind, StoredFile>> = {}
  for (const [kind, { name, mediaType, bytes }] of Object.entries(source.files)) {
    const hash = await storeFile(database, bytes, now)
    files[kind as FileKind] = { hash, name, mediaType, size: bytes.length } // a key of files
  }
  return files
}

/** Replaces the bundle of a version by one that another build made of it. */
export async function replaceBundle(
  database: Database,
  id: number,
  bundle: SiteBundle,
  now: number,
): Promise<void> {
  const record = await storeBundle(database, bundle, now)
  await database.transaction(async (transaction) => {
    await transaction.lock(versionsLock)
    await writeBundle(transaction, id, record)
  })
}

/**
 * Notes that a build could not make the bundle of a version, unless another instance has made it.
 * `failure`: undefined takes the note away.
 */
export async function noteFailure(
  database: Database,
  id: number,
  failure: MakeFailure | undefined,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.lock(versionsLock)
    const served = await readServed(transaction)
    const isMade = failure && served?.id === id && served.bundle?.build === failure.build
    if (!isMade) await writeFailure(transaction, id, failure)
  })
}
