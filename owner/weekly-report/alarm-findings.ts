import { dayOf, type DailyCount } from '#server/statistics/daily-counts.ts'
import { type Days, daysEnding, summarize } from '../stats/summary.ts'
import { findUnusualSignUps, judgedDays, type UnusualSignUps } from './usual-sign-ups.ts'

/** Something that the owner must know at once. Times are ms since 1970, days UTC. Kept as JSON until it was told. */
export type AlarmFinding =
  | { kind: 'stuck' | 'late'; since: number; seenAt: number; why: string }
  | { kind: 'bounces'; days: Days; since: string; bad: number; delivered: number }
  | UnusualSignUps

const dayMs = 24 * 60 * 60_000
const bounceDays = 7
const maxBadShare = 0.02
/** One of ten is not an alarm. */
const minBad = 5

/** The first day whose counts are needed. */
export function judgedFrom(now: number): string {
  return daysEnding(dayOf(now - dayMs), judgedDays).from
}

/** Judges sign-ups by full days, and mail that failed or came back up to now. */
export function findInCounts(counts: readonly DailyCount[], now: number): AlarmFinding[] {
  return [findBounces(counts, daysEnding(dayOf(now), bounceDays)), findSignUps(counts, now)].filter(
    (found) => found !== undefined,
  )
}

function findBounces(counts: readonly DailyCount[], days: Days): AlarmFinding | undefined {
  const { delivered, failed, bounced } = summarize(counts, days)
  const bad = failed + bounced
  if (bad < minBad || bad <= delivered * maxBadShare) return undefined
  const isBad = ({ event, day }: DailyCount) =>
    (event === 'failed' || event === 'bounced') && day >= days.from
  const since = counts.filter(isBad).map(({ day }) => day)
  return { kind: 'bounces', days, since: since.toSorted()[0]!, bad, delivered }
}

/** The history begins with the first day on which anything was counted. */
function findSignUps(counts: readonly DailyCount[], now: number): AlarmFinding | undefined {
  const yesterday = dayOf(now - dayMs)
  const first = counts.reduce((least, { day }) => (day < least ? day : least), yesterday)
  return findUnusualSignUps(summarize(counts, { from: first, to: yesterday }).signUpsByDay)
}
