import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'

/** Numbers of subscribers above `after`. */
export interface SubscriberRange {
  after: number
  upTo: number
}

/** Subscribers counted in one turn of the event loop: some milliseconds. */
const rangeSize = 10_000

/** Adds up the kinds that `query` counts among subscribers, range by range, so that no page waits for a long list. */
export async function countInRanges(
  database: Database,
  query: (range: SubscriberRange) => Sql,
  after = 0,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const newest = await database.row<{ id: number | null }>(sql`select max(id) as id from subscribers`)
  for (let from = after; from < (newest?.id ?? 0); from += rangeSize) {
    const rows = await database.rows<{ kind: string; count: number }>(
      query({ after: from, upTo: from + rangeSize }),
    )
    for (const { kind, count } of rows) counts.set(kind, (counts.get(kind) ?? 0) + count)
    await nextTurn()
  }
  return counts
}
