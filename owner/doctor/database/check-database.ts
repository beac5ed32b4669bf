import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Connection, Database } from '#server/database/database.ts'
import { appliedMigrations, migrationNames } from '#server/database/open-database.ts'
import { settingNames } from '#server/database/settings.ts'
import { databaseHosts } from '#server/configuration/database-url.ts'
import { startThread } from '#server/configuration/project-files.ts'
import { readPendingScrubs } from '#server/subscribers/erase-subscribers.ts'
import { readBacklog } from '#server/deliveries/backlog.ts'
import { countFaultsSince, newestTime } from '../../deliveries/list-deliveries.ts'
import { dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { CommandError } from '../../command-line/command-context.ts'
import { explainError } from '../../command-line/explain-error.ts'
import { counted, countText } from '../../command-line/output.ts'
import { sqliteFile, withDatabase } from '../../command-line/owned-database.ts'
import {
  type CheckContext,
  type Finding,
  type FindingId,
  type Outcome,
  type Subject,
  subject,
} from '../finding.ts'
import { readDiskSpace } from './disk-space.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const maxAheadMs = 15_000
const wrongBelowBytes = 100_000_000

export async function checkDatabase({ config, now }: CheckContext, about: Subject): Promise<Outcome> {
  const file = sqliteFile(config.databaseUrl)
  try {
    const isIntact = file !== undefined && existsSync(file) ? [await checkIntegrity(file)] : []
    if (isIntact.some(({ state }) => state !== 'ok')) return isIntact
    return await withDatabase(config, async (database) => {
      await tryToWrite(database)
      const place = file ?? databaseHosts(config.databaseUrl)
      const isOurs = (await appliedMigrations(database)).isSubsetOf(new Set(migrationNames()))
      const writable = isOurs
        ? about.ok(`The database at ${place} is up to date and can be written.`)
        : about.look(`The database at ${place} is of a newer version of this program.`, 'Run that version.')
      const ids = Object.keys(rowChecks) as (keyof typeof rowChecks)[] // they are its keys
      const found = ids.map((id) => rowChecks[id](database.query, now(), subject(id)))
      return [writable, ...isIntact, ...(await Promise.all(found)).flat()]
    })
  } catch (fault) {
    return about.wrong(explainError(fault), adviceOn(fault, file))
  }
}

function adviceOn(fault: unknown, file: string | undefined): string {
  if (fault instanceof CommandError)
    return 'Start the server with the same DATABASE_URL, then run the doctor again.'
  if (file === undefined) return 'Check DATABASE_URL, and that the server runs and lets this machine in.'
  if (fault instanceof Error && /locked|busy/.test(fault.message))
    return 'Another program has locked the file: end it or wait for it, then run the doctor again.'
  return `Check the path in DATABASE_URL and that this user may read ${file} and write to ${dirname(file)}.`
}

/** Writes a row and rolls it back. */
async function tryToWrite({ query }: Database): Promise<void> {
  const transaction = await query.startTransaction().execute()
  try {
    await transaction.insertInto('settings').values({ name: settingNames.doctor, value: '' }).execute()
  } finally {
    await transaction.rollback().execute()
  }
}

async function checkIntegrity(file: string): Promise<Finding> {
  const integrity = subject('database.integrity')
  const thread = startThread('owner/doctor/database/integrity-thread.ts', file)
  const [fault] = await once(thread, 'message')
  if (fault === undefined) return integrity.ok('The database file is intact.')
  return integrity.wrong(`The database file cannot be used: ${fault}.`, 'Restore the newest backup.')
}

/** Checks of what the tables hold. */
const rowChecks = {
  /** The newest row shows the clock of the machine that wrote it. */
  'database.times': async (query, now, { ok, wrong }) => {
    const aheadMs = ((await newestTime(query)) ?? now) - now
    if (aheadMs <= maxAheadMs) return ok('No time in the database is ahead of the clock of this machine.')
    return wrong(
      `The newest delivery is dated ${Math.round(aheadMs / 1000)} s ahead of the clock of this machine.`,
      'Set the clocks of all machines by NTP (timedatectl set-ntp true).',
    )
  },

  'database.stuck-mail': async (query, now, { ok, look, wrong }) => {
    const { trouble } = await readBacklog(query, now)
    if (!trouble) return ok('No mail is stuck.')
    const minutes = Math.round((now - trouble.since) / minuteMs)
    if (trouble.kind === 'late')
      return look(
        `Mail goes out, but some has been due for ${minutes} minutes.`,
        `The reason seen: ${trouble.why}. Above LIMIT_SITE_MAILS_PER_HOUR waiting is right.`,
      )
    return wrong(
      `Mail has been waiting for ${minutes} minutes.`,
      'Is a server running, and does it reach SMTP_URL? "deliveries list --state queued" tells why; above LIMIT_SITE_MAILS_PER_HOUR waiting is right.',
    )
  },

  'database.recording': async (query, now, { ok, look }) => {
    const counts = await readDailyCounts(query, dayOf(now - dayMs))
    const failed = counts.filter(({ event }) => event === 'record-failed')
    const tries = failed.reduce((sum, { count }) => sum + count, 0)
    if (tries === 0) return ok('Since yesterday every delivery was recorded at the first try.')
    return look(
      `Since yesterday ${counted(tries, 'try', 'tries')} to record a delivery failed.`,
      'Each is repeated until it succeeds. The log says why: look for "deliveries not recorded".',
    )
  },

  /** Maintenance finishes a pending scrub within the hour, unless another process keeps reading the database. */
  'database.traces': async (query, now, { ok, look }) => {
    const pending = await readPendingScrubs(query)
    const oldest = Math.min(...pending.map(({ since }) => since), now)
    if (oldest >= now - hourMs) return ok('No erasure has waited over an hour for its last traces to go.')
    return look(
      `Traces of erased subscribers have been left in the database files for ${Math.round((now - oldest) / minuteMs)} minutes.`,
      'Keep the server running: it removes them every hour. End other programs that hold the database open, such as sqlite3.',
    )
  },

  'database.failures': async (query, now, { ok, look }) => {
    const failed = await countFaultsSince(query, now - dayMs, 'failed')
    if (failed.length === 0) return ok('No delivery failed in the last 24 hours.')
    return failed.map(({ fault, count }) =>
      look(
        `${counted(count, 'delivery', 'deliveries')} of the last 24 hours failed: ${fault}.`,
        'The desk shows under Mail which are worth another try, and corrects an address. Without it: "deliveries list --state failed", then "deliveries retry ID".',
      ),
    )
  },
} satisfies Partial<Record<FindingId, RowCheck>>

type RowCheck = (query: Connection, now: number, about: Subject) => Promise<Outcome>

export async function checkDiskSpace({ config }: CheckContext, disk: Subject): Promise<Outcome> {
  const file = sqliteFile(config.databaseUrl)
  if (file === undefined || !existsSync(file)) return []
  const { freeBytes, isLow } = await readDiskSpace(file)
  const what = `${countText(Math.floor(freeBytes / 1_000_000))} MB are free beside the database.`
  if (!isLow) return disk.ok(what)
  return (freeBytes < wrongBelowBytes ? disk.wrong : disk.look)(what, 'Make room.')
}
