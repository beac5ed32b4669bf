import { ContentError } from '#site/kit/content-error.ts'
import type { SiteBundle } from '#site/bundle.ts'
import type { OwnFiles } from '#site/source.ts'
import { checkContent } from '#site/words/check.ts'
import type { Difference } from '#site/words/difference.ts'
import { versionLine } from '#site/kit/version-line.ts'
import type { Finding } from '#site/words/finding.ts'
import type { Config } from '../settings/config.ts'
import type { Database, Transaction } from '../database/database.ts'
import { fillSite } from './fill-site.ts'
import type { Renderer } from './renderer-client.ts'
import type { SiteHolder } from './served-site.ts'
import { storeVersion } from './versions/store-version.ts'
import type { PageVersion, PublishedVersion } from './versions/versions.ts'

/** A page as the owner publishes it: all of it, not what has changed. */
export interface Publication {
  readonly content: Difference
  readonly files: OwnFiles
  /** Its subject in the list of versions. */
  readonly about: string
  /** The draft that it is, as it was read. Undefined: it comes from elsewhere. */
  readonly draft?: PageVersion
  /** Called in the transaction that stores it. */
  readonly record?: (transaction: Transaction) => Promise<void>
}

/** The part of a publication that is checked. */
type Checkable = Pick<Publication, 'content' | 'files'>

export type PublishOutcome =
  { readonly kind: 'published'; readonly version: PublishedVersion } | RefusedPublication

/** Nothing was stored, and nothing else is served. */
interface RefusedPublication {
  readonly kind: 'refused'
  readonly findings: readonly Finding[]
}

export interface PublishContext {
  readonly config: Config
  readonly database: Database
  readonly site: SiteHolder
  readonly renderer: Renderer
  /** ms since 1970. */
  readonly now: () => number
}

/** Checks and makes a version, stores it, and serves it on this instance. */
export async function publish(
  context: PublishContext,
  publication: Publication,
): Promise<PublishOutcome> {
  const stored = await storePublication(context, publication)
  if (stored.kind === 'refused') return stored
  const { version, bundle } = stored
  await context.site.change(async (served) =>
    version.id < (served.version ?? 0)
      ? undefined
      : fillSite({ version: version.id, bundle }, context.config, context.database),
  )
  return { kind: 'published', version }
}

interface StoredPublication {
  readonly kind: 'published'
  readonly version: PublishedVersion
  readonly bundle: SiteBundle
}

/** The same without serving it: the servers of this database follow. */
export async function storePublication(
  { database, renderer, now }: Pick<PublishContext, 'database' | 'renderer' | 'now'>,
  { about, draft, record, ...publication }: Publication,
): Promise<StoredPublication | RefusedPublication> {
  try {
    const { content, files, faults } = await checkPublication(renderer, publication)
    if (faults.length > 0) return { kind: 'refused', findings: faults }
    const source = { difference: content, files }
    const bundle = await renderer.make(source)
    const aboutVersion = { about, now: now(), draft, record }
    const version = await storeVersion(database, { source, bundle }, aboutVersion)
    return { kind: 'published', version, bundle }
  } catch (fault) {
    if (!(fault instanceof ContentError)) throw fault
    const findings: Finding[] = [{ path: '', message: fault.message, kind: 'fault' }]
    return { kind: 'refused', findings }
  }
}

interface CheckedPublication extends Checkable {
  /** The findings that stop it. */
  readonly faults: readonly Finding[]
}

/**
 * The publication with its files as they are kept. Throws a ContentError if one cannot be drawn.
 */
export async function checkPublication(
  renderer: Pick<Renderer, 'readFiles'>,
  { content, files: given }: Checkable,
): Promise<CheckedPublication> {
  const { files, faults } = await renderer.readFiles(given)
  return { content, files, faults: [...faults, ...faultsOf({ content, files })] }
}

/** The findings about texts, and about a version line. */
export function faultsOf({ content, files }: Checkable): Finding[] {
  const faults = checkContent(content, files).filter(({ kind }) => kind === 'fault')
  if (!files.script || versionLine(files.script.bytes)) return faults
  return [{ path: 'script', message: 'No version line was found.', kind: 'fault' }, ...faults]
}
