/** 5 December 2026, in UTC. */
export function dayInWords(day: string | number): string {
  return new Date(day).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}
