import { dayMs } from '../database/clock.ts'

/**
 * The moment from which the days of the series count: that of the consent, moved by at most half a
 * day to the hour at which they signed up. Both are ms since 1970.
 */
export function seriesStart(agreedAt: number, signedUpAt: number): number {
  // The remainder of a negative number is negative in JavaScript.
  const afterHourMs = (((agreedAt - signedUpAt) % dayMs) + dayMs) % dayMs
  const hourBefore = agreedAt - afterHourMs
  return afterHourMs < dayMs / 2 ? hourBefore : hourBefore + dayMs
}
