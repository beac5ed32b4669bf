import sql, { type Sql } from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Reader } from '#server/database/database.ts'
import { isUnsent } from './list-deliveries.ts'

const recentMs = 7 * dayMs
/**
 * The most rows that one view reads: some milliseconds. To choose among more, it would read all.
 */
const maxRows = 10_000

export interface DeliveryFigures {
  waiting: number
  /** ms since 1970. */
  nextTryAt: number | null
  /** In the last 7 days. */
  failed: number
  failedInAll: number
}

export async function readDeliveryFigures(reader: Reader, now: number): Promise<DeliveryFigures> {
  const row = await reader.row<DeliveryFigures>(sql`
    select count(*) as "waiting", min(d.due_at) as "nextTryAt",
      (
        select count(*) from deliveries
        where state = 'failed' and finished_at >= ${now - recentMs}
      ) as "failed",
      (select count(*) from deliveries where state = 'failed') as "failedInAll"
    from deliveries d where ${isUnsent}`)
  return row!
}

/** Mails with the same last fault. */
export interface FaultCount {
  /** Null before the first try. */
  fault: string | null
  state: 'failed' | 'queued'
  count: number
  /** One of these mails. */
  oneId: number
}

/** Counts the chosen deliveries `d` by their last fault, the most frequent first. */
export function countByFault(reader: Reader, chosen: Sql): Promise<FaultCount[]> {
  return reader.rows(sql`
    select last_fault as "fault", state, count(*) as "count", min(id) as "oneId"
    from (
      select d.last_fault, d.id,
        case when d.state = 'failed' then d.state else 'queued' end as state
      from deliveries d where ${chosen} limit ${maxRows}
    ) as chosen
    group by last_fault, state
    order by count(*) desc, min(id) limit 20`)
}

/** Mail that failed in the last 7 days, and mail that waits after a failure. */
export async function countRecentFaults(reader: Reader, now: number): Promise<FaultCount[]> {
  // Each has an index. One query for both would read all mail that ever was.
  const since = sql`d.last_fault is not null and d.finished_at >= ${now - recentMs}`
  const failed = await countByFault(reader, sql`d.state = 'failed' and ${since}`)
  const waiting = await countByFault(reader, sql`d.last_fault is not null and ${isUnsent}`)
  return [...failed, ...waiting].toSorted((a, b) => b.count - a.count)
}
