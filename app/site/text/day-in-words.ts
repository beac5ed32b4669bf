/** 5 December 2026, in UTC. `language`: a tag such as fr; plain en is British. */
export function dayInWords(day: string | number, language = 'en'): string {
  const locale = language === 'en' ? 'en-GB' : language
  return new Date(day).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
}
