/** In UTC, to the second. A dash stands for no time. */
export function timeText(ms: number | null): string {
  return ms === null ? '-' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

export function countText(count: number): string {
  return count.toLocaleString('en')
}

/** "1 day", "2 days". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

/** Replaces control characters, because some of the text comes from outside. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}

/**
 * Escapes control characters as \u…, also those that JSON allows, because terminals interpret some
 * of them.
 */
export function plainJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2)
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const inUnits = (character: string) => character.replaceAll(/[^]/g, escaped)
  return `${text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, inUnits)}\n`
}
