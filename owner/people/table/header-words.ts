/** Spellings of the words that tell columns apart, after splitting, and the one word for each. */
const oneWord: readonly [spelling: RegExp, word: string][] = [
  [/\be mails?\b|\bmails?\b|\bemails\b/g, 'email'],
  [/\b(?:opt|opted|opts) in\b|\boptedin\b/g, 'optin'],
  [/\b(?:opt|opted|opts) out\b|\boptedout\b/g, 'optout'],
  [/\bsoft bounces?d?\b/g, 'softbounce'],
  [/\bhard bounces?d?\b/g, 'hardbounce'],
  // Only with a date: a "clean" list is one that may be mailed, and "left" is a side.
  [/\bclean (at|on|date|time)\b/g, 'cleaned $1'],
  [/\bleft (at|on|date|time)\b/g, 'unsubscribed $1'],
]

/**
 * Splits the name of a column, or a short value, into words in lower case: `email_disabled`,
 * `emailDisabled` and `E-Mail disabled?` are the same two words.
 */
export function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/['’]/g, '').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  let words = (apart.toLowerCase().match(/\p{L}+/gu) ?? []).join(' ')
  for (const [spelling, word] of oneWord) words = words.replaceAll(spelling, word)
  return words.split(' ').filter(Boolean)
}

/** Tells if a word is one of a list. An entry that ends in a star stands for any ending. */
export function oneOf(list: string): (word: string) => boolean {
  const entries = list.split(/\s+/)
  const whole = new Set(entries.filter((entry) => !entry.endsWith('*')))
  const beginnings = entries
    .filter((entry) => entry.endsWith('*'))
    .map((entry) => entry.slice(0, -1))
  return (word) => whole.has(word) || beginnings.some((beginning) => word.startsWith(beginning))
}
