import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Content, defaultContent } from '#content/content.ts'
import { type Config, readSettings } from '#server/settings/config.ts'
import type { Database, Reader } from '#server/database/database.ts'
import {
  readSiteSettings,
  settingsWithoutDatabase,
  type SiteSettings,
} from '#server/settings/site-settings.ts'
import { withPublishedSender } from '#server/site/fill-site.ts'
import { type PublishedVersion, readPublished } from '#server/site/versions/versions.ts'
import { applyDifference } from '#site/words/difference.ts'
import { appliedMigrations, openAlone, refuseNewer } from '#server/database/open-database.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import type { CommandContext } from './command-context.ts'
import { CommandError } from './errors.ts'

export function configOf({ environment }: Pick<CommandContext, 'environment'>): Config {
  const read = readSettings(environment)
  if ('config' in read) return read.config
  throw new CommandError(
    ['The configuration has errors:', ...read.faults.map((fault) => `  - ${fault}`)].join('\n'),
  )
}

/** The site as the owner set it up at the desk. */
export interface StoredSite {
  settings: SiteSettings
  /** The published texts. */
  content: Content
  /** It is undefined if nothing is published. */
  published: PublishedVersion | undefined
}

/** Falls back to the environment and the default texts if the database cannot be read. */
export async function readStoredSite(
  context: Pick<CommandContext, 'environment'>,
): Promise<StoredSite> {
  const config = configOf(context)
  const nothing = {
    settings: settingsWithoutDatabase(config),
    content: defaultContent,
    published: undefined,
  }
  const file = sqliteFile(config.databaseUrl)
  if (file !== undefined && !existsSync(file)) return nothing
  let database: Database | undefined
  try {
    database = await openAlone(config.databaseUrl)
    const settings = await readSiteSettings(config, database)
    const { published, content } = await readPublishedContent(database)
    const worded = withPublishedSender(settings.config, content)
    return { settings: { ...settings, config: worded }, content, published }
  } catch {
    return nothing // the check of the database says what is wrong
  } finally {
    await database?.close()
  }
}

/** `published`: undefined if nothing is. */
async function readPublishedContent(
  reader: Reader,
): Promise<Pick<StoredSite, 'content' | 'published'>> {
  const published = await readPublished(reader)
  const content = applyDifference(defaultContent, published?.difference ?? { texts: {} })
  return { content, published }
}

/** Throws unless the database has the migrations of this program, and no others. */
export function requireOurVersion(applied: ReadonlySet<string>): void {
  refuseNewer(applied, ownerMigrations)
  if (applied.size === ownerMigrations.length) return
  throw new CommandError(
    'The database is from an older version of this program: start the server once to bring it up to date.',
  )
}

/** The database of a command, with its settings and clock. */
export interface OwnedDatabase {
  database: Database
  /** With what the desk stored. */
  config: Config
  /** ms since 1970. */
  now: () => number
}

/** Opens the product's database for `work`, and closes it. Never creates one. */
export async function withDatabase<Result>(
  { environment, now }: Pick<CommandContext, 'environment' | 'now'>,
  work: (owned: OwnedDatabase) => Promise<Result>,
): Promise<Result> {
  const fixed = configOf({ environment })
  const file = sqliteFile(fixed.databaseUrl)
  if (file !== undefined && !existsSync(file)) {
    throw new CommandError(
      `There is no database at ${file} yet: the server's first start creates it.`,
    )
  }
  const database = await openAlone(fixed.databaseUrl)
  try {
    requireOurVersion(await appliedMigrations(database))
    const { config } = await readSiteSettings(fixed, database)
    const { content } = await readPublishedContent(database)
    return await work({ database, config: withPublishedSender(config, content), now })
  } finally {
    await database.close()
  }
}

/** The path behind `file:PATH`. Undefined: it is PostgreSQL. */
export function sqliteFile(databaseUrl: string): string | undefined {
  return databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
}

const minFreeBytes = 500_000_000

export interface DiskSpace {
  freeBytes: number
  /** Below twice the file: a backup, or the rewrite after an erasure, needs a copy. */
  isLow: boolean
}

/** The space beside a SQLite file. Null: there is none, or the database is PostgreSQL. */
export async function readDiskSpace({
  databaseUrl,
}: Pick<Config, 'databaseUrl'>): Promise<DiskSpace | null> {
  const file = sqliteFile(databaseUrl)
  if (file === undefined || !existsSync(file)) return null
  const { bavail, bsize } = await statfs(dirname(file))
  const freeBytes = bavail * bsize
  return { freeBytes, isLow: freeBytes < Math.max(minFreeBytes, 2 * (await stat(file)).size) }
}
