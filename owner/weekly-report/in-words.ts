import type { Days } from '../stats/summary.ts'

// Made when asked for: a formatter costs 8 MB, and a server that writes no report needs none.
const day = () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const minute = () =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `5 to 11 January 2026`: letters of ASCII only, so that the mail stays readable as it goes over the wire. */
export function daysInWords({ from, to }: Days): string {
  return day()
    .formatRange(Date.parse(from), Date.parse(to))
    .replace(/\s*–\s*/, ' to ')
}

/** `5 January 2026`. */
export function dayInWords(date: string): string {
  return day().format(Date.parse(date))
}

/** `5 January 2026 at 09:05 UTC`. */
export function timeInWords(ms: number): string {
  return `${minute().format(ms)} UTC`
}
