import type { Days } from '../stats/summary.ts'

const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const whole = new Intl.NumberFormat('en')

/** `5 to 11 January 2026`: letters of ASCII only, so that the mail stays readable as it goes over the wire. */
export function daysInWords({ from, to }: Days): string {
  return long.formatRange(Date.parse(from), Date.parse(to)).replace(/\s*–\s*/, ' to ')
}

/** `5 January 2026`. */
export function dayInWords(day: string): string {
  return long.format(Date.parse(day))
}

/** `5 January 2026 at 09:05 UTC`. */
export function timeInWords(ms: number): string {
  return `${minute.format(ms)} UTC`
}

export function inWords(count: number): string {
  return whole.format(count)
}
