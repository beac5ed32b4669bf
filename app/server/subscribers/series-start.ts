import { dayMs } from '../database/clock.ts'

/**
 * The moment from which the days of the series count: that of the consent, moved by at most half a
 * day to the hour at which they signed up. Both are ms since 1970.
 */
export function seriesStart(agreedAt: number, signedUpAt: number): number {
  const laterMs = (((signedUpAt - agreedAt) % dayMs) + dayMs) % dayMs
  return agreedAt + (laterMs > dayMs / 2 ? laterMs - dayMs : laterMs)
}
