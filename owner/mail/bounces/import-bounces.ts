import sql, { type Sql } from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Config } from '#server/settings/config.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { type JobCounts, startJob } from '#owner/acts/jobs/jobs.ts'
import type { JobAct } from '#owner/acts/jobs/run-jobs.ts'
import { type Report, takeReport } from './take-report.ts'

type BouncesDeps = Pick<ServerContext, 'now' | 'recordEvent'>

/** The addresses of the site itself. */
type OwnAddresses = Pick<Config, 'mailFrom' | 'supportEmail'>

/**
 * Takes everybody off the list whose address came back or who unsubscribed, and blocks who
 * complained, as a job. Our
 * own addresses stay: many files name the sender. Returns its number.
 */
export function startBounces(
  database: Database,
  reports: readonly Report[],
  { mailFrom, supportEmail }: OwnAddresses,
  now: number,
): Promise<number> {
  const own = new Set(
    [mailFrom.address, supportEmail].map((one) => parseEmailAddress(one)?.identity),
  )
  const others = reports.filter(({ identity, kind }) => kind !== 'nothing' && !own.has(identity))
  return startJob(database, { kind: 'bounces', action: 'Imported bounces', now }, others)
}

/** Does a piece of it. What a row said before is kept, so that a restore can undo a wrong file. */
export function bouncesAct(deps: BouncesDeps): JobAct {
  return async (transaction, items) => {
    const left: JobCounts = {}
    for (const report of items as Report[]) {
      // As startBounces gave them.
      const now = deps.now()
      await keepRowsBefore(transaction, report, now)
      const count = await takeReport(transaction, report, { ...deps, now: () => now })
      left[report.kind] = (left[report.kind] ?? 0) + count
    }
    return left
  }
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
  if (kind === 'unsubscribed') {
    const listed = sql`identity = ${identity} and state in ('active', 'undeliverable')`
    await keepRows(transaction, listed, 'unsubscribed', now)
  }
  if (kind === 'complaint') {
    const key = sql`(
      select coalesce(abuse_key, identity) from subscribers where identity = ${identity}
    )`
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
