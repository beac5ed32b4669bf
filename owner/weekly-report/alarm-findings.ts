import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { dayMs } from '#server/sign-up/limits.ts'
import { dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { sumOf } from '../stats/summary.ts'

/** `bounces`: of the last 7 days. `many-sign-ups`: on this day, beside the average of the days before. */
export type CountFinding =
  | { kind: 'bounces'; bad: number; delivered: number }
  | { kind: 'many-sign-ups'; day: string; count: number; usual: number }

const bounceDays = 7
const maxBadShare = 0.02
/** One of ten is not an alarm. */
const minBad = 5

const usualDays = 28
const minUsualDays = 7
const timesUsual = 3
const minSignUps = 50

/** Finds in the counts of the last days what the owner must know. */
export async function findInCounts(reader: Reader, now: number): Promise<CountFinding[]> {
  const from = dayOf(now - usualDays * dayMs)
  const counts = await readDailyCounts(reader, from, ['signed-up', 'delivered', 'bounced'])
  const since = dayOf(now - (bounceDays - 1) * dayMs)
  const ofWeek = (event: string) => sumOf(counts.filter((one) => one.event === event && one.day >= since))
  // Mail that fails counts as bounced, too. Mail of announcements is not in the counts of a day.
  const bad = ofWeek('bounced')
  const delivered = ofWeek('delivered') + (await countAnnounced(reader, Date.parse(since)))
  const found: CountFinding[] = []
  if (bad >= minBad && bad > delivered * maxBadShare) found.push({ kind: 'bounces', bad, delivered })

  const today = dayOf(now)
  const signUps = counts.filter(({ event }) => event === 'signed-up')
  const before = signUps.filter(({ day }) => day < today)
  const daysBefore = (Date.parse(today) - Date.parse(before[0]?.day ?? today)) / dayMs
  const usual = Math.round(sumOf(before) / Math.max(1, daysBefore))
  const count = sumOf(signUps.filter(({ day }) => day === today))
  if (daysBefore >= minUsualDays && count >= Math.max(minSignUps, timesUsual * usual))
    found.push({ kind: 'many-sign-ups', day: today, count, usual })
  return found
}

async function countAnnounced(reader: Reader, since: number): Promise<number> {
  const row = await reader.row<{ count: number }>(sql`
    select count(*) as count from deliveries where state = 'sent' and finished_at >= ${since}
      and announcement in (select id from announcements where ended_at is null or ended_at >= ${since})`)
  return row!.count
}
