import sql, { type Sql } from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { isUnsent } from './list-deliveries.ts'

const stepMs = 5 * 60_000
const steps = 144
const failedMs = 7 * 24 * 60 * 60_000
/** The most rows that one view reads: some milliseconds. */
const maxRows = 10_000

/** `failed`: in the last 7 days. Times are ms since 1970. */
export async function readDeliveryFigures(reader: Reader, now: number) {
  const row = await reader.row<{ waiting: number; failed: number; nextTryAt: number | null }>(sql`
    select count(*) as "waiting", min(d.due_at) as "nextTryAt",
      (select count(*) from deliveries where state = 'failed' and finished_at >= ${now - failedMs}) as "failed"
    from deliveries d where ${isUnsent}`)
  return row!
}

/**
 * Mails waiting at the end of each 5 minutes of the last 12 hours, by the beginning of these, which
 * are the clock's. The last entry is now. Of the newest 10,000 mails.
 */
export async function countWaitingByFiveMinutes(reader: Reader, waiting: number, now: number) {
  const start = (Math.floor(now / stepMs) + 1 - steps) * stepMs
  const rows = await reader.rows<{ step: number; change: number }>(sql`
    with newest as (select queued_at, finished_at from deliveries order by id desc limit ${maxRows})
    select cast((at - ${start}) / ${stepMs} as bigint) as step, cast(sum(change) as bigint) as change from (
      select queued_at as at, 1 as change from newest union all select finished_at, -1 from newest
    ) as changes where at > ${start} and at <= ${now} group by step`)
  const changes = new Map(rows.map(({ step, change }) => [step, change]))
  let count = waiting - rows.reduce((sum, { change }) => sum + change, 0)
  return Array.from({ length: steps }, (_, step) => {
    count += changes.get(step) ?? 0
    return { at: start + step * stepMs, count: Math.max(0, count) }
  })
}

/**
 * Deliveries `d` by their last fault, the most frequent first. `fault` is null before the first
 * try. `state`: failed, or queued. `oneId`: one of these mails.
 */
export function countByFault(reader: Reader, chosen: Sql) {
  return reader.rows<{ fault: string | null; state: string; count: number; oneId: number }>(sql`
    select last_fault as "fault", state, count(*) as "count", min(id) as "oneId" from (
      select d.last_fault, d.id, case when d.state = 'failed' then d.state else 'queued' end as state
      from deliveries d where ${chosen} limit ${maxRows}
    ) as chosen group by last_fault, state order by count(*) desc limit 20`)
}

/** Mail that failed in the last 7 days, and mail that waits after a failure. */
export function countRecentFaults(reader: Reader, now: number) {
  const hasFailed = sql`(d.state = 'failed' and d.finished_at >= ${now - failedMs})`
  return countByFault(reader, sql`d.last_fault is not null and (${hasFailed} or ${isUnsent})`)
}
