import { shareOf } from '../../stats/share.ts'

/** Times in the owner's zone; days of the counts in UTC. */
const locale = 'en-GB'
const shortDay = { day: 'numeric', month: 'short' } as const
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

const minuteMs = 60_000
const units = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
] as const

/** Formats with at most one digit after the point. */
export const number = (value: number) => grouped.format(value)
export const timeOf = (at: number) =>
  new Date(at).toLocaleTimeString(locale, { timeStyle: 'short' })
export const dayOf = (at: number) => new Date(at).toLocaleDateString(locale, shortDay)
export const fullDayOf = (at: number) =>
  new Date(at).toLocaleDateString(locale, { dateStyle: 'long' })
/** `day`: such as 2026-11-22. */
export const dayName = (day: string) =>
  new Date(day).toLocaleDateString(locale, { ...shortDay, timeZone: 'UTC' })

/** The axis of a list shows the time of today, else the day. */
export function momentOf(at: number): string {
  return new Date(at).toDateString() === new Date().toDateString() ? timeOf(at) : dayOf(at)
}

/** "1 mail", "214 mails". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`
}

/** "42 minutes"; "42 min" if short. */
export function spanOf(ms: number, unitDisplay: 'long' | 'short' = 'long'): string {
  const [unit, unitMs] = units.find(([, one]) => ms >= 2 * one) ?? ['minute', minuteMs]
  const value = Math.max(1, Math.round(ms / unitMs))
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(value)
}

export const share = (...of: Parameters<typeof shareOf>) => shareOf(...of) ?? '–'

export const size = (bytes: number) =>
  bytes >= 1e9 ? `${Math.floor(bytes / 1e9)} GB` : `${Math.floor(bytes / 1e6)} MB`
