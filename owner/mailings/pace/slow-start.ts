import { reservedShare } from '#server/deliveries/reserved-share.ts'

export const hourMs = 60 * 60_000
/** Mails in the first hour of a slow start. */
export const firstHourMails = 100
/** Above this share an announcement pauses. */
export const returnedLimit = 0.02

export interface Pace {
  /** Replaces the slow start. */
  perHour?: number | null | undefined
  /** Caps the slow start. */
  mostPerHour?: number | null | undefined
}

export interface SitePace extends Pace {
  /** Infinity if there is no ceiling. */
  siteMailsPerHour: number
}

/**
 * The mails that an announcement may send in one hour. `hour`: 0 is the first since its start, or
 * since it was resumed.
 */
export function mailsInHour(
  hour: number,
  { perHour, mostPerHour, siteMailsPerHour }: SitePace,
): number {
  const slowStart = Math.min(firstHourMails * 2 ** Math.max(0, hour), mostPerHour ?? Infinity)
  return Math.min(perHour ?? slowStart, Math.ceil(siteMailsPerHour * (1 - reservedShare)))
}

/** False: with this pace nothing would ever be sent. */
export function isPace(mailsPerHour: number): boolean {
  return Number.isSafeInteger(mailsPerHour) && mailsPerHour >= 1
}

/**
 * The hour by whose start everything has been sent, counting from `hour`. A lower bound, because
 * mail of sign-ups goes first. Infinity: the pace sends nothing.
 */
export function hoursFor(mails: number, pace: SitePace, hour = 0): number {
  let end = hour
  for (let left = mails; left > 0; end += 1) {
    const admitted = mailsInHour(end, pace)
    if (!(admitted >= 1)) return Infinity
    left -= admitted
  }
  return end
}

/** `3 hours`, and from two days on `4 days`. */
export function durationInWords(hours: number): string {
  if (hours === 1) return '1 hour'
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
