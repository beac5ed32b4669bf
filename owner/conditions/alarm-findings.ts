import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { dayMs } from '#server/database/clock.ts'
import { type CountedEvent, dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { gaveUp, sumOf } from '#owner/reports/summary.ts'

const bounceDays = 7
const maxBadShare = 0.02
/** One of ten is not an alarm. */
const minBad = 5

const usualDays = 28
const minUsualDays = 7
const timesUsual = 3
const minSignUps = 50

export interface CountAlarm {
  /**
   * `bounces`: mails of the last 7 days that failed or came back, beside those handed over.
   * `many-sign-ups`: those of today, beside the average of the days before.
   */
  kind: 'bounces' | 'many-sign-ups'
  /** `2026-01-05`: the day of UTC on which it was found. */
  day: string
  count: number
  beside: number
}

/** Finds what the owner must know. */
export async function findInCounts(reader: Reader, now: number): Promise<CountAlarm[]> {
  const day = dayOf(now)
  const week = dayOf(now - (bounceDays - 1) * dayMs)
  const from = dayOf(now - usualDays * dayMs)
  const counts = await readDailyCounts(reader, from, [
    'signed-up',
    'delivered',
    'failed',
    'bounced',
  ])
  const since = (first: string, event: CountedEvent) =>
    sumOf(counts.filter((one) => one.event === event && one.day >= first))
  // A refused mail counts as bounced, too. Mailings are not in the counts of a day.
  const failedLater = counts.filter((one) => gaveUp(one) && one.day >= week)
  const bad = since(week, 'bounced') + sumOf(failedLater)
  const delivered = since(week, 'delivered') + (await countMailed(reader, Date.parse(week)))
  const signUps = since(day, 'signed-up')
  const start = counts.find(({ event }) => event === 'signed-up')?.day ?? day
  const daysBefore = (Date.parse(day) - Date.parse(start)) / dayMs
  const usual = Math.round((since(from, 'signed-up') - signUps) / Math.max(1, daysBefore))
  const found: CountAlarm[] = []
  if (bad >= minBad && bad > delivered * maxBadShare) {
    found.push({ kind: 'bounces', day, count: bad, beside: delivered })
  }
  const isMany = signUps >= Math.max(minSignUps, timesUsual * usual)
  if (isMany && daysBefore >= minUsualDays) {
    found.push({ kind: 'many-sign-ups', day, count: signUps, beside: usual })
  }
  return found
}

async function countMailed(reader: Reader, since: number): Promise<number> {
  const row = await reader.row<{ count: number }>(sql`
    select coalesce(sum(mails), 0) as count from mailing_hours
    where hour >= ${Math.floor(since / 3_600_000)}`)
  return row!.count
}
