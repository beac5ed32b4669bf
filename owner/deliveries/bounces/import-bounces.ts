import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Config } from '#server/configuration/config.ts'
import type { Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { type Report, takeReport } from './take-report.ts'

export interface ImportedBounces {
  /** Addresses in the file. */
  read: number
  /** People who are off the list now, by this file. */
  marked: number
  /** The file does not call their bounce permanent. */
  temporary: number
}

type ImportBouncesDeps = Pick<ServerContext, 'database' | 'now' | 'recordEvent'> & {
  config: Pick<Config, 'mailFrom' | 'supportEmail'>
}

/** Reports that one transaction takes, so that sign-ups wait for none: some milliseconds. */
const batchSize = 100

/**
 * Takes everybody off the list whose address came back, and blocks who complained. Our own
 * addresses stay: many files name the sender. What a row said before is kept, so that a restore can
 * undo a wrong file.
 */
export async function importBounces(
  deps: ImportBouncesDeps,
  reports: readonly Report[],
  onBatch: (reports: number) => void,
): Promise<ImportedBounces> {
  const { database, config } = deps
  const own = new Set(
    [config.mailFrom.address, config.supportEmail].map((one) => parseEmailAddress(one)?.identity),
  )
  let marked = 0
  for (let start = 0; start < reports.length; start += batchSize) {
    const batch = reports.slice(start, start + batchSize)
    const others = batch.filter(({ identity }) => !own.has(identity))
    marked += await database.transaction((transaction) => takeReports(transaction, others, deps))
    onBatch(batch.length)
    await nextTurn()
  }
  const temporary = reports.filter(({ kind }) => kind === 'temporary').length
  return { read: reports.length, marked, temporary }
}

async function takeReports(
  transaction: Transaction,
  reports: readonly Report[],
  deps: Pick<ServerContext, 'now' | 'recordEvent'>,
): Promise<number> {
  let marked = 0
  for (const report of reports) {
    const now = deps.now()
    await keepRowsBefore(transaction, report, now)
    marked += await takeReport(transaction, report, { ...deps, now: () => now })
  }
  return marked
}

/** The rows that the report changes. A former mark of them is over. */
async function keepRowsBefore(
  transaction: Transaction,
  { identity, kind }: Report,
  now: number,
): Promise<void> {
  if (kind === 'returned') {
    const returned = sql`identity = ${identity} and state = 'active'`
    await keepRows(transaction, returned, 'undeliverable', now)
  }
  if (kind === 'complaint') {
    const key = sql`(select coalesce(abuse_key, identity) from subscribers where identity = ${identity})`
    const inbox = sql`(identity = ${key} or abuse_key = ${key}) and state <> 'blocked'`
    await keepRows(transaction, inbox, 'blocked', now)
  }
}

async function keepRows(transaction: Transaction, chosen: Sql, markedAs: string, now: number) {
  await transaction.run(sql`
    insert into imported_bounces (subscriber, marked_at, marked_as, state, left_at,
      announcements_agreed_at, announcements_refused_at, announcements_wording,
      announcements_cover, series_from)
    select id, ${now}, ${markedAs}, state, left_at,
      announcements_agreed_at, announcements_refused_at, announcements_wording,
      announcements_cover, series_from
    from subscribers where ${chosen}
    on conflict (subscriber) do update set marked_at = excluded.marked_at,
      marked_as = excluded.marked_as, state = excluded.state, left_at = excluded.left_at,
      announcements_agreed_at = excluded.announcements_agreed_at,
      announcements_refused_at = excluded.announcements_refused_at,
      announcements_wording = excluded.announcements_wording,
      announcements_cover = excluded.announcements_cover,
      series_from = excluded.series_from`)
}
