import { webmails } from '#content/mail-domains.ts'
import { fill } from '#site/text/fill.ts'
import type { FormWords } from '../form-words.ts'

/**
 * "at 14:05" or "tomorrow at 08:05". Rounded up to the minute, so that no press comes too early.
 */
export function clockTime(time: number, now: number, words: FormWords['note']['time']): string {
  const rounded = new Date(Math.ceil(time / 60_000) * 60_000)
  const isToday = rounded.toDateString() === new Date(now).toDateString()
  return fill(isToday ? words.today : words.tomorrow, { clock: timeOfDay(rounded) })
}

/** A time on the visitor's own clock, in their zone. */
export function timeOfDay(time: Date): string {
  return time.toLocaleTimeString('en-GB', { timeStyle: 'short' })
}

export interface WebmailLink {
  /** The name of the webmail. */
  name: string
  href: string
}

/**
 * The visitor's webmail; it opens with a search for our mail where its address allows that.
 * `sender`: the name that the mail comes from.
 */
export function webmailLink(address: string, sender: string): WebmailLink | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const webmail = webmails.find(({ domains }) => domains.includes(domain))
  if (!webmail) return undefined
  const { name, url, searchUrl } = webmail
  return { name, href: searchUrl ? searchUrl + encodeURIComponent(`"${sender}"`) : url }
}
