import Table from 'cli-table3'
import { plainText, timeText } from '../output.ts'

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
