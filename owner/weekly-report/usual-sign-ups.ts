export interface DayOfSignUps {
  /** `2026-11-21`, UTC. */
  day: string
  count: number
}

export type UnusualSignUps =
  | { kind: 'no-sign-ups'; since: string; usual: number }
  | { kind: 'few-sign-ups' | 'many-sign-ups'; day: string; count: number; low: number; high: number }

const historyDays = 28
const leastHistoryDays = 14
const spreads = 3
const leastExcess = 20
const leastMissed = 10
/** A median half the size of the daily noise takes so many days without anybody to be missed. */
export const judgedDays = historyDays + 2 * leastMissed + 1

/**
 * Whether the last of `days` is out of the band that the 28 days before it set. The band lies around their median and the
 * median of the same weekday among them, so that quiet Sundays and loud Tuesdays are no alarm. It reaches 3 spreads to
 * either side: a spread is the median distance from the median (MAD, brought to the scale of a standard deviation), which
 * one wild day does not stretch, or the square root of the median where that is more, since counts vary by as much by
 * chance alone. Upwards it reaches 20 at least. None at all is judged over all days in a row without any: it is an alarm
 * once 10 would have been usual, so that a small site is told too, only later.
 */
export function findUnusualSignUps(days: readonly DayOfSignUps[]): UnusualSignUps | undefined {
  const quietDays = days.length - 1 - days.findLastIndex(({ count }) => count > 0)
  const judged = days.slice(days.length - Math.max(1, quietDays))
  const history = days.slice(0, days.length - judged.length).slice(-historyDays)
  if (history.length < leastHistoryDays) return undefined
  return quietDays > 0 ? findMissed(judged, history) : findOutside(judged[0]!, history)
}

function findMissed(quiet: readonly DayOfSignUps[], history: readonly DayOfSignUps[]) {
  const usual = quiet.reduce((total, { day }) => total + Math.min(...centres(day, history)), 0)
  if (usual < leastMissed) return undefined
  return { kind: 'no-sign-ups', since: quiet[0]!.day, usual: Math.round(usual) } as const
}

function findOutside({ day, count }: DayOfSignUps, history: readonly DayOfSignUps[]) {
  const reach = spreads * spreadOf(history.map((one) => one.count))
  const around = centres(day, history)
  const low = Math.max(0, Math.ceil(Math.min(...around) - reach))
  const high = Math.floor(Math.max(...around) + Math.max(reach, leastExcess))
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
