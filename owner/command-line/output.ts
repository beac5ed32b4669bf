export type Cell = string | number

/** Columns without borders. */
export function textTable(
  rows: readonly (readonly Cell[])[],
  head: readonly string[] = [],
  alignments: ('left' | 'right')[] = [],
): string {
  const lines = (head.length > 0 ? [head, ...rows] : rows).map((row) => row.map(String))
  const widths: number[] = []
  for (const line of lines)
    line.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)))
  const pad = (cell: string, column: number) =>
    alignments[column] === 'right' ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** A table with a name for each column; numbers are aligned to the right. */
export function recordTable(records: readonly Record<string, Cell>[]): string {
  const names = Object.keys(records[0] ?? {})
  const rows = records.map((record) => Object.values(record))
  const alignments = names.map((name) => (typeof records[0]?.[name] === 'number' ? 'right' : 'left'))
  return textTable(rows, names, alignments)
}

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

/** Escapes control characters as \u…, also those that JSON allows, because terminals interpret some of them. */
export function plainJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2)
  return `${text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\n`
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
