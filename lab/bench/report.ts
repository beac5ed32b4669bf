import { cpus, loadavg, platform, release, totalmem } from 'node:os'

/** One line of the table. `ours` and `other` say figure and unit; the ratio is the median over pairs of runs. */
export interface Row {
  what: string
  ours: string
  other?: string
  ratio?: number
  goal?: Goal
  /** Compared with the goal instead of the ratio. */
  figure?: number
}

export interface Goal {
  max?: number
  min?: number
  unit?: string
}

export interface Table {
  title: string
  head: string[]
  lines: string[][]
}

export interface PartReport {
  title: string
  /** The method and the meaning of the figures, one sentence each. */
  notes: string[]
  rows: Row[]
  tables?: Table[]
}

const head = ['Part', 'What', 'Ours', 'Against', 'Ratio', 'Goal', '']

export function goalsTable(parts: readonly PartReport[]): Table {
  const lines = parts.flatMap(({ title, rows }) => rows.map((row) => [title, ...cells(row)]))
  return { title: 'Ratios', head, lines }
}

/** A table with aligned columns, readable in a terminal and valid as Markdown. */
export function asMarkdown({ head: names, lines }: Table): string {
  const widths = names.map((name, column) =>
    Math.max(3, name.length, ...lines.map((line) => line[column]?.length ?? 0)),
  )
  const row = (line: readonly string[]) =>
    `| ${widths.map((width, column) => (line[column] ?? '').padEnd(width)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [row(names), rule, ...lines.map(row)].join('\n')
}

function cells({ what, ours, other = '', ratio, goal, figure = ratio }: Row): string[] {
  const shown = [what, ours, other, ratio?.toFixed(2) ?? '']
  if (!goal) return [...shown, '', '']
  const { max, min, unit = '' } = goal
  const limit = max === undefined ? `≥ ${min?.toLocaleString('en')}` : `≤ ${max.toLocaleString('en')}`
  const isKept = figure !== undefined && figure <= (max ?? Infinity) && figure >= (min ?? -Infinity)
  return [...shown, limit + unit, isKept ? 'kept' : 'MISSED']
}

/** The text of docs/performance.md. */
export function performanceDocument(reports: readonly PartReport[], quick: boolean): string {
  const sections = reports.flatMap(({ title, notes, tables = [] }) => [
    `## ${title}`,
    notes.map((note) => `- ${note}`).join('\n'),
    ...tables.map((table) => `${table.title}\n\n${asMarkdown(table)}`),
  ])
  return `${['# Performance', ...origin(quick), asMarkdown(goalsTable(reports)), ...sections].join('\n\n')}\n`
}

function origin(quick: boolean): string[] {
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${platform()} ${release()}, Node ${process.version}`
  const [lastMinute = 0] = loadavg()
  return [
    `Written by \`npm run bench${quick ? ' -- --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}.`,
    `Machine: ${machine}. Load average at the end ${lastMinute.toFixed(1)}.`,
    'Each ratio is the median over pairs of runs taken in turn, so it says more than the figures beside it, which are this machine’s.',
    ...(quick ? ['Tiny runs: they show that the bench works, not how fast anything is.'] : []),
  ]
}
