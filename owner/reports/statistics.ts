import sql from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Reader } from '#server/database/database.ts'
import { readSetting } from '#server/database/settings.ts'
import { readMailState } from '#server/deliveries/mail-state.ts'
import { type DailyCount, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { countRecentFaults, type FaultCount } from '#owner/mail/delivery-figures.ts'
import { countOnTheList } from '#owner/people/list-subscribers.ts'
import { type Source, sourcesOf } from './sources.ts'
import { type Days, daysEnding, summarize, type Summary } from './summary.ts'

/** Everything that the table and the JSON show. */
export interface Statistics {
  /** ISO 8601. */
  madeAt: string
  days: number
  period: Summary
  /** As many days, right before the period. */
  before: Summary
  sources: Source[]
  subscribers: SubscriberTotals
  deliveries: DeliveryTotals
  /** The wait of the starter mail that has waited longest. */
  waitingSeconds: number
  faultsOfLast7Days: FaultCount[]
}

interface SubscriberTotals {
  active: number
  unsubscribed: number
  undeliverable: number
  blocked: number
  erased: number
}

/** Mail that has not gone out. What has is counted by day, and with its letter. */
interface DeliveryTotals {
  /** Starter mail. */
  waiting: number
  /** Mails of letters. */
  mailingsWaiting: number
  /** By a pause, or by a restore. */
  held: number
}

/** `now`: ms since 1970. */
export async function readStatistics(
  reader: Reader,
  days: number,
  now: number,
): Promise<Statistics> {
  const { period, before } = periodsOf(days, now)
  const counts = await readDailyCounts(reader, before.from)
  const { active, unsubscribed, undeliverable, blocked } = await countOnTheList(reader)
  const { waiting, mailingsWaiting, oldestQueuedAt = now } = await readMailState(reader, now)
  return {
    madeAt: new Date(now).toISOString(),
    days,
    period: summarize(counts, period),
    before: summarize(counts, before),
    sources: sourcesOf(counts, period),
    subscribers: {
      active,
      unsubscribed,
      undeliverable,
      blocked,
      erased: Number((await readSetting(reader, 'erased')) ?? 0),
    },
    deliveries: { waiting, mailingsWaiting, held: await countHeld(reader) },
    waitingSeconds: Math.max(0, Math.round((now - oldestQueuedAt) / 1000)),
    faultsOfLast7Days: await countRecentFaults(reader, now),
  }
}

async function countHeld(reader: Reader): Promise<number> {
  const row = await reader.row<{ count: number }>(
    sql`select count(*) as count from deliveries where state = 'held'`,
  )
  return row!.count
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
    select cast(${from} as text) as day, event, detail, cast(sum(count) as bigint) as count
    from daily_counts
    where day >= ${from} and day <= ${to} and event <> 'signed-up'
    group by event, detail`)
}
