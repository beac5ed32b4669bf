export const hourMs = 60 * 60_000
/** Mails in the first hour of a slow start. */
export const firstHourMails = 100
/** Above this share an announcement pauses. */
export const returnedLimit = 0.02

/** Sign-ups keep a quarter of the site's ceiling. */
const shareOfCeiling = 3 / 4

export interface Pace {
  /** Replaces the slow start. */
  perHour?: number | null | undefined
  /** Caps the slow start. */
  mostPerHour?: number | null | undefined
}

/** `siteMailsPerHour`: Infinity if there is no ceiling. */
export type SitePace = Pace & { siteMailsPerHour: number }

/**
 * The mails that an announcement may send in one hour. `hour`: 0 is the first since its start, or
 * since it was resumed.
 */
export function mailsInHour(
  hour: number,
  { perHour, mostPerHour, siteMailsPerHour }: SitePace,
): number {
  const slowStart = Math.min(firstHourMails * 2 ** Math.max(0, hour), mostPerHour ?? Infinity)
  return Math.min(perHour ?? slowStart, Math.ceil(siteMailsPerHour * shareOfCeiling))
}

/**
 * The hour at whose start all is sent; `hour` is the first of them. A lower bound, because mail of
 * sign-ups goes first.
 */
export function hoursFor(mails: number, pace: SitePace, hour = 0): number {
  for (let left = mails; left > 0; hour += 1) left -= mailsInHour(hour, pace)
  return hour
}
