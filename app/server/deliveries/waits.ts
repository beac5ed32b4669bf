import type { Progress } from '../transports/mailer.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const spreadShare = 1 / 5
/** Half an hour and a day, once the wait is spread. */
const longestMs = (30 * minuteMs) / (1 + spreadShare)
const longestAloneMs = (24 * hourMs) / (1 + spreadShare)

interface HeldUpMail {
  progress: Progress
  /** Since it was queued. */
  ageMs: number
  /** The first wait of the schedule. */
  firstMs: number
  /** The relay took other mail before it failed with this one. */
  isAlone: boolean
}

/**
 * How long a mail waits that the relay or we held up. A fault while connecting would have met any
 * other mail too: only the relay is left alone then. Otherwise this mail gives way to the others,
 * for half as long again as it has waited already. A mail whose body was sent may have arrived, so
 * each further try may be a copy.
 */
export function holdUpMs({ progress, ageMs, firstMs, isAlone }: HeldUpMail): number {
  switch (progress) {
    case 'connecting':
      return 0
    case 'mail-begun':
      return Math.min(Math.max(ageMs / 2, firstMs), isAlone ? longestAloneMs : longestMs)
    case 'body-sent':
      return Math.min(Math.max(ageMs, firstMs), longestAloneMs)
    default:
      return progress satisfies never
  }
}

/** The longest that `spread` makes of a wait. */
export function longestSpreadMs(ms: number): number {
  return Math.ceil(ms * (1 + spreadShare))
}

/** Up to a fifth longer, so that mails that failed together are not retried together. */
export function spread(ms: number, random: () => number): number {
  return Math.round(ms * (1 + spreadShare * random()))
}
