import type { Days } from '#server/statistics/days.ts'
import type { Statistics } from './statistics.ts'

export function countText(count: number): string {
  return count.toLocaleString('en')
}

/** "1 day", "2 days". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

/** In whole percent, and never rounded to nothing or to all. Undefined: there is nothing to be a share of. */
export function shareText(count: number, of: number): string | undefined {
  if (of === 0) return undefined
  const percent = Math.round((count / of) * 100)
  if (percent === 0 && count > 0) return '<1 %'
  if (percent === 100 && count < of) return '>99 %'
  return `${countText(percent)} %`
}

/** "21 Nov". */
export function shortDay(day: string): string {
  return inLanguage(day, { day: 'numeric', month: 'short' })
}

/** "25 October to 21 November 2026". */
export function daysText({ from, to }: Days): string {
  const long = { day: 'numeric', month: 'long', year: 'numeric' } as const
  if (from === to) return inLanguage(to, long)
  const sameYear = from.slice(0, 4) === to.slice(0, 4)
  const first = inLanguage(from, sameYear ? { day: 'numeric', month: 'long' } : long)
  return `${first} to ${inLanguage(to, long)}`
}

function inLanguage(day: string, parts: Intl.DateTimeFormatOptions): string {
  const names = Object.fromEntries(
    new Intl.DateTimeFormat('en', { ...parts, timeZone: 'UTC' })
      .formatToParts(Date.parse(day))
      .map(({ type, value }) => [type, value]),
  )
  return [names['day'], names['month'], names['year']].filter(Boolean).join(' ')
}

/** "16:24", UTC. */
export function timeOfDay({ madeAt }: Statistics): string {
  return madeAt.slice(11, 16)
}

/** "412 sign-ups in 28 days". */
export function headline({ period, days }: Statistics): string {
  const when = days === 1 ? 'today' : `in ${days} days`
  return period.signUps === 0 ? `Nobody signed up ${when}` : `${counted(period.signUps, 'sign-up')} ${when}`
}

export function comparison({ period, before, days }: Statistics): string {
  const then = days === 1 ? 'yesterday' : `in the ${days} days before`
  const more = period.signUps - before.signUps
  if (before.signUps === 0) return period.signUps === 0 ? `Nor ${then}.` : `There were none ${then}.`
  if (period.signUps === 0)
    return `There ${before.signUps === 1 ? 'was' : 'were'} ${countText(before.signUps)} ${then}.`
  if (more === 0) return `As many as ${then}.`
  const difference = `${countText(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'}`
  return `${difference} than the ${countText(before.signUps)} ${then}.`
}

export function aboutDays(statistics: Statistics): string {
  return `Days are UTC days. The last is today, counted until ${timeOfDay(statistics)}.`
}

export const aboutShares =
  'Shares are of the sign-ups in these days. Mail, openings and downloads are counted each time, also of people who signed up earlier; so a share can pass 100 %.'

/** "12 minutes": in the largest unit that leaves at least 2. */
export function waitText(seconds: number): string {
  if (seconds < 120) return counted(seconds, 'second')
  if (seconds < 2 * 3_600) return counted(Math.round(seconds / 60), 'minute')
  if (seconds < 48 * 3_600) return counted(Math.round(seconds / 3_600), 'hour')
  return counted(Math.round(seconds / 86_400), 'day')
}
