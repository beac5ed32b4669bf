import { shareOf } from '#owner/acts/share.ts'

/** Times in the owner's zone; days of the counts in UTC. */
const locale = 'en-GB'
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** At most one digit after the point. */
export function formatNumber(value: number): string {
  return grouped.format(value)
}

/** "1 mail", "214 mails". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** "07:42" */
export function formatTime(at: number): string {
  return new Date(at).toLocaleTimeString(locale, { timeStyle: 'short' })
}

/** "20 Nov"; "20 Nov 2024" in another year. */
export function formatDay(at: number): string {
  const date = new Date(at)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return date.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** "20 November 2026" */
export function formatLongDay(at: number): string {
  return new Date(at).toLocaleDateString(locale, { dateStyle: 'long' })
}

/** A day of the counts, such as 2026-11-22: "22 Nov"; "22 Nov 2024" in another year. */
export function formatUtcDay(day: string): string {
  const isThisYear = day.startsWith(`${new Date().getUTCFullYear()}-`)
  return new Date(day).toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

/** The axis of a list shows the time of today, else the day. */
export function formatMoment(at: number): string {
  return isToday(at) ? formatTime(at) : formatDay(at)
}

/** A time with its day, if that is not today: "07:42"; "20 Nov, 07:42". */
export function formatDayAndTime(at: number): string {
  return isToday(at) ? formatTime(at) : `${formatDay(at)}, ${formatTime(at)}`
}

function isToday(at: number): boolean {
  return new Date(at).toDateString() === new Date().toDateString()
}

/** "8.7 %". A dash: there is no whole, or the part is not within it. */
export function formatShare(part: number, whole: number, digits = 0): string {
  return shareOf(part, whole, digits) ?? '–'
}

/** For a file: "4.2 kB"; "1.8 MB". */
export function formatFileSize(bytes: number): string {
  return bytes < 1e6 ? `${formatNumber(bytes / 1e3)} kB` : `${formatNumber(bytes / 1e6)} MB`
}
