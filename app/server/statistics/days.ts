import { dayOf } from './daily-counts.ts'

/** UTC days, both counted in. */
export interface Days {
  from: string
  to: string
}

const dayMs = 24 * 60 * 60_000

export function daysEnding(to: string, number: number): Days {
  return { from: dayOf(Date.parse(to) - (number - 1) * dayMs), to }
}

/** As many days, right before these. */
export function daysBefore(days: Days): Days {
  return daysEnding(dayOf(Date.parse(days.from) - dayMs), everyDay(days).length)
}

export function everyDay({ from, to }: Days): string[] {
  const number = Math.max(0, (Date.parse(to) - Date.parse(from)) / dayMs + 1)
  return Array.from({ length: number }, (_, index) => dayOf(Date.parse(from) + index * dayMs))
}
