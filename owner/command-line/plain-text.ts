/** Nothing that a terminal or a page would obey: what somebody outside wrote is printed, not performed. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}

/** Control characters are written as \u…, also those that JSON would let through: a terminal obeys some of them. */
export function plainJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2)
  return `${text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\n`
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
