import { type DailyCount, dayOf } from '#server/statistics/daily-counts.ts'
import { type Days, daysBefore, daysEnding } from '#server/statistics/days.ts'
import { type Summary, summarize } from '#server/statistics/summary.ts'
import type { CurrentState } from './current-state.ts'

/** Everything that the terminal, the JSON and the page show. */
export interface Statistics extends CurrentState {
  /** ISO 8601, UTC. */
  madeAt: string
  days: number
  period: Summary
  /** As many days, right before. */
  before: Summary
}

/** The days that end with today, which is not over yet, and as many before them. `now`: ms since 1970. */
export function periodsOf(days: number, now: number): { period: Days; before: Days } {
  const period = daysEnding(dayOf(now), days)
  return { period, before: daysBefore(period) }
}

export function makeStatistics(
  counts: readonly DailyCount[],
  state: CurrentState,
  days: number,
  now: number,
): Statistics {
  const { period, before } = periodsOf(days, now)
  return {
    ...{ madeAt: new Date(now).toISOString(), days },
    ...{ period: summarize(counts, period), before: summarize(counts, before) },
    ...state,
  }
}
