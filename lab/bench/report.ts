import { stripVTControlCharacters } from 'node:util'

/** One line of the table. `ours` and `other` say figure and unit; the ratio is the median over pairs of runs. */
export interface Row {
  what: string
  ours: string
  other?: string
  ratio?: number
  goal?: Goal
  /** What the goal is held against, if it is not the ratio. */
  figure?: number
}

export interface Goal {
  most?: number
  least?: number
  unit?: string
}

export interface Table {
  title: string
  head: string[]
  lines: string[][]
}

export interface PartReport {
  title: string
  /** How it was measured, and what to make of it; one sentence each. */
  notes: string[]
  rows: Row[]
  tables?: Table[]
}

const head = ['Part', 'What', 'Ours', 'Against', 'Ratio', 'Goal', '']

export function goalsTable(parts: readonly PartReport[]): Table {
  const lines = parts.flatMap(({ title, rows }) => rows.map((row) => [title, ...cells(row)]))
  return { title: 'Ratios', head, lines }
}

/** With columns under each other, for a terminal and as Markdown alike. */
export function asMarkdown({ head: names, lines }: Table): string {
  const widths = names.map((name, column) =>
    Math.max(3, name.length, ...lines.map((line) => stripVTControlCharacters(line[column] ?? '').length)),
  )
  const row = (line: readonly string[]) =>
    `| ${widths.map((width, column) => (line[column] ?? '').padEnd(width)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [row(names), rule, ...lines.map(row)].join('\n')
}

function cells({ what, ours, other = '', ratio, goal, figure = ratio }: Row): string[] {
  return [
    what,
    ours,
    other,
    ratio === undefined ? '' : ratio.toFixed(2),
    goal ? goalInWords(goal) : '',
    goal && figure !== undefined ? (isKept(goal, figure) ? 'kept' : 'MISSED') : '',
  ]
}

function goalInWords({ most, least, unit = '' }: Goal): string {
  return least === undefined ? `≤ ${format(most)}${unit}` : `≥ ${format(least)}${unit}`
}

function format(figure = 0): string {
  return figure.toLocaleString('en')
}

function isKept({ most = Infinity, least = -Infinity }: Goal, figure: number): boolean {
  return figure <= most && figure >= least
}
