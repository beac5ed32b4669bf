import Table from 'cli-table3'

type Cell = string | number

const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid'
const plainStyle = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }

/** Columns without borders. */
export function textTable(
  rows: Cell[][],
  head: string[] = [],
  colAligns: ('left' | 'right')[] = [],
): string {
  const chars = {
    ...Object.fromEntries(borders.split(' ').map((name) => [name, ''])),
    middle: '  ',
  }
  const table = new Table({ chars, style: plainStyle, head, colAligns })
  table.push(...rows)
  return `${table.toString().replaceAll(/ +$/gm, '')}\n`
}

/**
 * A table of these columns, under the names that they have in JSON. Numbers are aligned to the
 * right.
 */
export function recordTable<Name extends string>(
  records: readonly Record<Name, unknown>[],
  names: readonly Name[],
): string {
  const rows = records.map((record) => names.map((name) => cellOf(name, record[name])))
  const alignments = names.map((_, index) =>
    typeof rows[0]?.[index] === 'number' ? 'right' : 'left',
  )
  return textTable(rows, [...names], alignments)
}

/** A record in full: a line for each column. */
export function recordLines(record: object): string {
  return textTable(Object.entries(record).map(([name, value]) => [name, cellOf(name, value)]))
}

function cellOf(name: string, value: unknown): Cell {
  if (name.endsWith('_at')) return timeText(typeof value === 'number' ? value : null)
  if (typeof value === 'number') return value
  return typeof value === 'string' ? plainText(value) : ''
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
