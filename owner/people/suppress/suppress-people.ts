import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join } from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Config } from '#server/settings/config.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { type JobCounts, startJob } from '#owner/acts/jobs/jobs.ts'
import type { JobAct } from '#owner/acts/jobs/run-jobs.ts'
import { type Report, takeReport } from '#owner/mail/bounces/take-report.ts'
import { keepStanding } from '../taken-off.ts'
import type { SuppressReason } from './read-suppressed.ts'

type SuppressDeps = Pick<ServerContext, 'now' | 'recordEvent'>

/** The addresses of the site itself. */
type OwnAddresses = Pick<Config, 'mailFrom' | 'supportEmail'>

/** What taking people off the list would do. */
export interface TriedSuppress {
  /** They are on the list, and would come off for this reason. */
  taken: Record<SuppressReason, number>
  /** The table gives no reason to take them off. */
  unchanged: number
  /** They are not on the list. */
  strangers: number
  reports: Report[]
}

const batchSize = 500

/**
 * Finds out what a table would do, and changes nothing. Our own addresses stay: many name the
 * sender.
 */
export async function trySuppress(
  database: Database,
  reports: readonly Report[],
  { mailFrom, supportEmail }: OwnAddresses,
): Promise<TriedSuppress> {
  const own = new Set(
    [mailFrom.address, supportEmail].map((one) => parseEmailAddress(one)?.identity),
  )
  const others = reports.filter(({ identity, kind }) => kind !== 'nothing' && !own.has(identity))
  const kinds = new Map(others.map(({ identity, kind }) => [identity, kind]))
  const taken = { returned: 0, unsubscribed: 0, complaint: 0 }
  const identities = [...kinds.keys()]
  for (let start = 0; start < identities.length; start += batchSize) {
    const batch = identities.slice(start, start + batchSize)
    const active = await database.ownerReads.rows<{ identity: string }>(sql`
      select identity from subscribers where state = 'active' and identity in (${join(batch)})`)
    for (const { identity } of active) taken[kinds.get(identity) as SuppressReason] += 1 // no other is kept
    await nextTurn() // for other work of the server
  }
  const found = taken.returned + taken.unsubscribed + taken.complaint
  return {
    taken,
    unchanged: reports.filter(({ kind }) => kind === 'nothing').length,
    strangers: identities.length - found,
    reports: others,
  }
}

/** Takes people off the list, and blocks who complained, as a job. Returns its number. */
export function startSuppress(
  database: Database,
  { reports }: TriedSuppress,
  now: number,
): Promise<number> {
  return startJob(database, { kind: 'suppress', action: 'Took people off', now }, reports)
}

/** Does a piece of it. What a row said before is kept, so that a wrong table can be undone. */
export function suppressAct(deps: SuppressDeps): JobAct {
  return async (transaction, items) => {
    const left: JobCounts = {}
    for (const report of items as Report[]) {
      // As startSuppress gave them.
      const now = deps.now()
      await keepBefore(transaction, report, now)
      const count = await takeReport(transaction, report, { ...deps, now: () => now })
      left[report.kind] = (left[report.kind] ?? 0) + count
    }
    return left
  }
}

/** Keeps the rows that the report changes. A complaint holds for good: nothing of it is undone. */
async function keepBefore(
  transaction: Transaction,
  { identity, kind }: Report,
  now: number,
): Promise<void> {
  if (kind === 'returned') {
    const returned = sql`identity = ${identity} and state = 'active'`
    await keepStanding(transaction, returned, { state: 'undeliverable', now })
  }
  if (kind === 'unsubscribed') {
    const listed = sql`identity = ${identity} and state in ('active', 'undeliverable')`
    await keepStanding(transaction, listed, { state: 'unsubscribed', now })
  }
}
