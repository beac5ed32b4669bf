import sql from 'sql-template-tag'
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
 * Mails waiting at the end of each 5 minutes of the last 12 hours, by the beginning of these, which are the clock's. The last
 * entry is now. Of the newest 10,000 mails.
 */
export async function countWaitingByFiveMinutes(reader: Reader, waiting: number, now: number) {
  const start = (Math.floor(now / stepMs) + 1 - steps) * stepMs
  const rows = await reader.rows<{ came: number | null; went: number | null; count: number }>(sql`
    select case when queued_at > ${start} then cast((queued_at - ${start}) / ${stepMs} as bigint) end as came,
      case when finished_at > ${start} then cast((finished_at - ${start}) / ${stepMs} as bigint) end as went,
      count(*) as count
    from (select queued_at, finished_at from deliveries order by id desc limit ${maxRows}) as newest
    where queued_at > ${start} or finished_at > ${start} group by came, went`)
  const changes = new Map<number | null, number>()
  for (const row of rows) {
    changes.set(row.came, (changes.get(row.came) ?? 0) + row.count)
    changes.set(row.went, (changes.get(row.went) ?? 0) - row.count)
  }
  const counts: { at: number; count: number }[] = []
  let count = waiting
  for (let step = steps - 1; step >= 0; step -= 1) {
    counts.push({ at: start + step * stepMs, count: Math.max(0, count) })
    count -= changes.get(step) ?? 0
  }
  return counts.toReversed()
}

/** Waiting mail by its last fault, the most frequent first. `fault` is null before the first try. `oneId`: one of these mails. */
export function countWaitingByFault(reader: Reader) {
  return reader.rows<{ fault: string | null; count: number; oneId: number }>(sql`
    select last_fault as "fault", count(*) as "count", min(id) as "oneId" from (
      select d.last_fault, d.id from deliveries d where ${isUnsent} limit ${maxRows}
    ) as waiting group by last_fault order by count(*) desc limit 20`)
}
