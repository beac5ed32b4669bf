/** Mails in the first hour of a slow start. */
export const firstAllowance = 100

/** Returns a minimum, because sign-up mail goes first. Infinity: the site's ceiling is 0. `first`: mails of the first hour. */
export function hoursFor(
  mails: number,
  perHour: number | undefined,
  siteMailsPerHour: number,
  first = perHour ?? firstAllowance,
): number {
  let [left, allowance, hours] = [mails, first, 0]
  if (siteMailsPerHour < 1) return mails > 0 ? Infinity : 0
  while (left > 0) {
    left -= Math.min(allowance, siteMailsPerHour)
    if (perHour === undefined) allowance *= 2
    hours += 1
  }
  return hours
}
