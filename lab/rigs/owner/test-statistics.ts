import { type CurrentState, makeStatistics, type Statistics } from '#owner/stats/statistics.ts'
import type { CountedEvent, DailyCount } from '#server/statistics/daily-counts.ts'

/** 2026-01-02 at 03:04 UTC. */
const now = Date.UTC(2026, 0, 2, 3, 4, 5)

const nothing: CurrentState = {
  subscribers: { active: 0, unsubscribed: 0, undeliverable: 0, erased: 0 },
  deliveries: { queued: 0, sending: 0, sent: 0, failed: 0, cancelled: 0 },
  overdueSeconds: 0,
  faultsOfLast7Days: [],
}

/** Covers `days` days that end on 2026-01-02. */
export function statisticsOf(
  counts: readonly DailyCount[],
  days = 28,
  state: Partial<CurrentState> = {},
): Statistics {
  return makeStatistics(counts, { ...nothing, ...state }, days, now)
}

export function counted(day: string, event: CountedEvent, detail: string, count: number): DailyCount {
  return { day, event, detail, count }
}

/** A campaign that the server would refuse: markup, terminal control codes, letters that reverse the line. */
export const hostileText = '<img src=x onerror=alert(1)>\u001B[2J\u009B31m\u202E&"'
