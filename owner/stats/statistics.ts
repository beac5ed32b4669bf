import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { readMailState } from '#server/deliveries/mail-state.ts'
import { readSetting } from '#server/database/settings.ts'
import { dayMs } from '#server/database/clock.ts'
import { type DailyCount, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { countRecentFaults } from '../deliveries/delivery-figures.ts'
import { countDeliveries } from '../deliveries/list-deliveries.ts'
import { countOnTheList } from '../subscribers/list-subscribers.ts'
import { sourcesOf } from './sources.ts'
import { type Days, daysEnding, summarize } from './summary.ts'

/**
 * Everything that the table and the JSON show. `before`: as many days, right before the period.
 * `now`: ms since 1970.
 */
export async function readStatistics(reader: Reader, days: number, now: number) {
  const { period, before } = periodsOf(days, now)
  const counts = await readDailyCounts(reader, before.from)
  const { oldestQueuedAt = now } = await readMailState(reader, now)
  return {
    madeAt: new Date(now).toISOString(),
    days,
    period: summarize(counts, period),
    before: summarize(counts, before),
    sources: sourcesOf(counts, period),
    subscribers: {
      ...(await countOnTheList(reader)).counts,
      erased: Number((await readSetting(reader, 'erased')) ?? 0),
    },
    deliveries: await countDeliveries(reader),
    /** Of the starter mail that has waited longest. */
    waitingSeconds: Math.max(0, Math.round((now - oldestQueuedAt) / 1000)),
    faultsOfLast7Days: await countRecentFaults(reader, now),
  }
}

/**
 * The days that end today, which is not over yet, and the same number before them. `now`: ms since
 * 1970.
 */
export function periodsOf(days: number, now: number): { period: Days; before: Days } {
  return {
    period: daysEnding(dayOf(now), days),
    before: daysEnding(dayOf(now - days * dayMs), days),
  }
}

/**
 * The counts of some days, but sign-ups, without a row for each day: a year of them is read within
 * milliseconds.
 */
export function readTotals(reader: Reader, { from, to }: Days): Promise<DailyCount[]> {
  return reader.rows(sql`
    select cast(${from} as text) as day, event, detail, cast(sum(count) as bigint) as count from daily_counts
    where day >= ${from} and day <= ${to} and event <> 'signed-up' group by event, detail`)
}
