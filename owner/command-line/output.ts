import Table from 'cli-table3'

const sides = ['top', 'bottom', 'left', 'right', 'mid', 'top-mid', 'top-left', 'top-right']
const corners = ['bottom-mid', 'bottom-left', 'bottom-right', 'left-mid', 'mid-mid', 'right-mid']
const noBorder = Object.fromEntries([...sides, ...corners].map((name) => [name, '']))

export type Cell = string | number

/** Columns without borders. */
export function textTable(
  rows: readonly (readonly Cell[])[],
  head: readonly string[] = [],
  alignments: ('left' | 'right')[] = [],
): string {
  const table = new Table({
    head: [...head],
    chars: { ...noBorder, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: alignments,
  })
  for (const row of rows) table.push(row.map(String))
  return `${table.toString().replaceAll(/ +$/gm, '')}\n`
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
