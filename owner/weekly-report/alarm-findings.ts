import { dayOf, type DailyCount } from '#server/statistics/daily-counts.ts'
import { type Days, daysEnding, summarize, type Summary } from '../stats/summary.ts'

/** Something that the owner must know at once. Times are ms since 1970, days UTC. Stored as JSON until it is reported. */
export type AlarmFinding =
  { kind: 'stuck' | 'late'; since: number; seenAt: number; why: string } | CountFinding

type CountFinding =
  | { kind: 'bounces'; days: Days; since: string; bad: number; delivered: number }
  | { kind: 'no-sign-ups'; since: string; usual: number }
  | { kind: 'few-sign-ups' | 'many-sign-ups'; day: string; count: number; low: number; high: number }

const dayMs = 24 * 60 * 60_000
const bounceDays = 7
const maxBadShare = 0.02
/** One of ten is not an alarm. */
const minBad = 5

const historyDays = 28
const minHistoryDays = 14
const spreads = 3
const minExcess = 20
const minMissed = 10
/** On a site with one sign-up every other day, an alarm takes this many days without any. */
const comparedDays = historyDays + 2 * minMissed + 1

/** The first day whose counts are needed. */
export function historyStart(now: number): string {
  return daysEnding(dayOf(now - dayMs), comparedDays).from
}

/** Checks the sign-ups of full days, and the mail that failed or came back until now. */
export function findInCounts(counts: readonly DailyCount[], now: number): CountFinding[] {
  return [findBounces(counts, daysEnding(dayOf(now), bounceDays)), findSignUps(counts, now)].filter(
    (found) => found !== undefined,
  )
}

function findBounces(counts: readonly DailyCount[], days: Days): CountFinding | undefined {
  const { delivered, failed, bounced } = summarize(counts, days)
  const bad = failed + bounced
  if (bad < minBad || bad <= delivered * maxBadShare) return undefined
  const isBad = ({ event, day }: DailyCount) =>
    (event === 'failed' || event === 'bounced') && day >= days.from
  const since = counts.filter(isBad).map(({ day }) => day)
  return { kind: 'bounces', days, since: since.toSorted()[0]!, bad, delivered }
}

/** The history begins with the first day on which anything was counted. */
function findSignUps(counts: readonly DailyCount[], now: number): CountFinding | undefined {
  const yesterday = dayOf(now - dayMs)
  const first = counts.reduce((least, { day }) => (day < least ? day : least), yesterday)
  return findUnusualSignUps(summarize(counts, { from: first, to: yesterday }).signUpsByDay)
}

type DayOfSignUps = Summary['signUpsByDay'][number]

/**
 * Compares the last of `days` with a band that the 28 days before it set. The band lies around their median and the median
 * of the same weekday, so that quiet Sundays and busy Tuesdays are not alarms. It reaches three spreads to each side, and
 * at least 20 upwards. A spread is the median distance from the median (MAD, scaled to a standard deviation), which one
 * wild day does not stretch, or the square root of the median if that is more, because counts vary by as much by chance.
 * Days without any sign-up are counted together: they are an alarm once 10 sign-ups would have been usual, so that a small
 * site gets one too, only later.
 */
export function findUnusualSignUps(days: readonly DayOfSignUps[]): CountFinding | undefined {
  const quietDays = days.length - 1 - days.findLastIndex(({ count }) => count > 0)
  const checked = days.slice(days.length - Math.max(1, quietDays))
  const history = days.slice(0, days.length - checked.length).slice(-historyDays)
  const [{ day, count } = { day: '', count: 0 }] = checked
  if (history.length < minHistoryDays) return undefined
  if (quietDays > 0) {
    const usual = checked.reduce((total, one) => total + Math.min(...centres(one.day, history)), 0)
    return usual < minMissed ? undefined : { kind: 'no-sign-ups', since: day, usual: Math.round(usual) }
  }
  const { low, high } = bandOf(day, history)
  if (count < low) return { kind: 'few-sign-ups', day, count, low, high }
  return count > high ? { kind: 'many-sign-ups', day, count, low, high } : undefined
}

function bandOf(day: string, history: readonly DayOfSignUps[]) {
  const reach = spreads * spreadOf(history.map((one) => one.count))
  const around = centres(day, history)
  const low = Math.max(0, Math.ceil(Math.min(...around) - reach))
  const high = Math.floor(Math.max(...around) + Math.max(reach, minExcess))
  return { low, high }
}

/** The band of the last of `days`. Undefined: the days before are too few. */
export function usualBandOf(days: readonly DayOfSignUps[]): { low: number; high: number } | undefined {
  const history = days.slice(0, -1).slice(-historyDays)
  return history.length < minHistoryDays ? undefined : bandOf(days.at(-1)!.day, history)
}

function centres(day: string, history: readonly DayOfSignUps[]): number[] {
  const sameWeekday = history.filter((one) => weekdayOf(one.day) === weekdayOf(day))
  return [history, sameWeekday].map((days) => median(days.map(({ count }) => count)))
}

function spreadOf(counts: readonly number[]): number {
  const centre = median(counts)
  return Math.max(1.4826 * median(counts.map((count) => Math.abs(count - centre))), Math.sqrt(centre))
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2
}

function weekdayOf(day: string): number {
  return new Date(day).getUTCDay()
}
