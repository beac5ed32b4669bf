/** Returns false for a day that no month has, such as 2026-02-30. `day`: YYYY-MM-DD. */
export function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** 5 December 2026, in UTC. `language`: a tag such as fr; plain en is British. */
export function dayInWords(day: string | number, language = 'en'): string {
  const locale = language === 'en' ? 'en-GB' : language
  return new Date(day).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
}
