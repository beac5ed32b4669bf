import { sql } from 'kysely'
import type { Connection } from '#server/database/database.ts'
import { readBacklog } from '#server/deliveries/backlog.ts'
import { countDeliveries, countFaultsSince } from '../deliveries/list-deliveries.ts'
import { type DailyCount, dayOf } from '#server/statistics/daily-counts.ts'
import { readErasedCount } from '#server/subscribers/erase-subscribers.ts'
import { countSubscribers } from '#server/subscribers/subscribers.ts'
import { type Days, daysBefore, daysEnding, summarize } from './summary.ts'

export type CurrentState = Awaited<ReturnType<typeof readCurrentState>>
export type Statistics = ReturnType<typeof makeStatistics>

const faultsMs = 7 * 24 * 60 * 60_000

/** Current totals, read from the rows. `now`: ms since 1970. */
export async function readCurrentState(connection: Connection, now: number) {
  const { overdueSince } = await readBacklog(connection, now)
  return {
    subscribers: { ...(await countSubscribers(connection)), erased: await readErasedCount(connection) },
    deliveries: await countDeliveries(connection),
    overdueSeconds: Math.round((now - (overdueSince ?? now)) / 1000),
    faultsOfLast7Days: await countFaultsSince(connection, now - faultsMs),
  }
}

/** The days that end today, which is not over yet, and the same number before them. `now`: ms since 1970. */
export function periodsOf(days: number, now: number): { period: Days; before: Days } {
  const period = daysEnding(dayOf(now), days)
  return { period, before: daysBefore(period) }
}

/** Everything that the table and the JSON show. `madeAt`: ISO 8601, UTC. `before`: as many days, right before the period. */
export function makeStatistics(
  counts: readonly DailyCount[],
  state: CurrentState,
  days: number,
  now: number,
) {
  const { period, before } = periodsOf(days, now)
  const madeAt = new Date(now).toISOString()
  return { madeAt, days, period: summarize(counts, period), before: summarize(counts, before), ...state }
}

/** The counts of some days, but sign-ups, without a row for each day: a year of them is read within milliseconds. */
export async function readTotals(connection: Connection, { from, to }: Days): Promise<DailyCount[]> {
  const { rows } = await sql<DailyCount>`
    select ${from} as day, event, detail, cast(sum(count) as bigint) as count from daily_counts
    where day >= ${from} and day <= ${to} and event <> 'signed-up' group by event, detail`.execute(connection)
  return rows
}
