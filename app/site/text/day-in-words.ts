/** Returns false for a day that no month has, such as 2026-02-30. `day`: YYYY-MM-DD. */
export function isDay(day: string): boolean {
  const time = Date.parse(day)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** 5 December 2026, in UTC. `language`: a tag such as fr; plain en is British. */
export function dayInWords(day: string | number, language = 'en'): string {
  const locale = language === 'en' ? 'en-GB' : language
  if (locale !== lastFormat?.locale) {
    lastFormat = {
      locale,
      words: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
    }
  }
  return lastFormat.words.format(new Date(day))
}

/** Kept, because each mail has a day, and to make a format takes longer than the rest of a mail. */
let lastFormat: { locale: string; words: Intl.DateTimeFormat } | undefined
