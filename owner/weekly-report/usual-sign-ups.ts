export interface DayOfSignUps {
  /** `2026-11-21`, UTC. */
  day: string
  count: number
}

export type UnusualSignUps =
  | { kind: 'no-sign-ups'; since: string; usual: number }
  | { kind: 'few-sign-ups' | 'many-sign-ups'; day: string; count: number; low: number; high: number }

const historyDays = 28
const minHistoryDays = 14
const spreads = 3
const minExcess = 20
const minMissed = 10
/** On a site with one sign-up every other day, an alarm takes this many days without any. */
export const judgedDays = historyDays + 2 * minMissed + 1

/**
 * Compares the last of `days` with a band that the 28 days before it set. The band lies around their median and the median
 * of the same weekday, so that quiet Sundays and busy Tuesdays are not alarms. It reaches three spreads to each side, and
 * at least 20 upwards. A spread is the median distance from the median (MAD, scaled to a standard deviation), which one
 * wild day does not stretch, or the square root of the median if that is more, because counts vary by as much by chance.
 * Days without any sign-up are judged together: they are an alarm once 10 sign-ups would have been usual, so that a small
 * site is told too, only later.
 */
export function findUnusualSignUps(days: readonly DayOfSignUps[]): UnusualSignUps | undefined {
  const quietDays = days.length - 1 - days.findLastIndex(({ count }) => count > 0)
  const judged = days.slice(days.length - Math.max(1, quietDays))
  const history = days.slice(0, days.length - judged.length).slice(-historyDays)
  if (history.length < minHistoryDays) return undefined
  return quietDays > 0 ? findMissed(judged, history) : findOutOfBand(judged[0]!, history)
}

function findMissed(quiet: readonly DayOfSignUps[], history: readonly DayOfSignUps[]) {
  const usual = quiet.reduce((total, { day }) => total + Math.min(...centres(day, history)), 0)
  if (usual < minMissed) return undefined
  return { kind: 'no-sign-ups', since: quiet[0]!.day, usual: Math.round(usual) } as const
}

function findOutOfBand({ day, count }: DayOfSignUps, history: readonly DayOfSignUps[]) {
  const reach = spreads * spreadOf(history.map((one) => one.count))
  const around = centres(day, history)
  const low = Math.max(0, Math.ceil(Math.min(...around) - reach))
  const high = Math.floor(Math.max(...around) + Math.max(reach, minExcess))
  if (count < low) return { kind: 'few-sign-ups', day, count, low, high } as const
  if (count > high) return { kind: 'many-sign-ups', day, count, low, high } as const
  return undefined
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
