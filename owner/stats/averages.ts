import type { Summary } from '#server/statistics/summary.ts'
import { barsOf } from './bars.ts'

/** As the script has them: of 9 and of 21 bars. */
export const lengths = { fast: 9, slow: 21 }

/**
 * The script's two averages, run on sign-ups instead of prices: one value for each bar of the period but the last, which
 * is not over yet. They start with the period before, so that they are settled when the chart begins. Of fewer bars than the shorter one takes there is none.
 */
export function averagesOf(period: Summary, before: Summary): { fast: number[]; slow: number[] } {
  const shown = barsOf(period.signUpsByDay)
  if (shown.length <= lengths.fast) return { fast: [], slow: [] }
  const counts = [...barsOf(before.signUpsByDay), ...shown].map(({ count }) => count).slice(0, -1)
  const average = (length: number) =>
    exponentialAverage(counts, length).slice(counts.length + 1 - shown.length)
  return { fast: average(lengths.fast), slow: average(lengths.slow) }
}

function exponentialAverage(values: readonly number[], length: number): number[] {
  let average = values[0] ?? 0
  return values.map((value) => (average += ((value - average) * 2) / (length + 1)))
}
