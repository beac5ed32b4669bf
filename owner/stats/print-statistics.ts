import { aboutDays, aboutShares, comparison, countText, daysText, headline, shareText } from './in-words.ts'
import { lyingBar, printBars } from './print-bars.ts'
import { type Row, type Section, sectionsOf } from './sections.ts'
import type { Statistics } from './statistics.ts'

const lineWidth = 80
const labelWidth = 25
const numberWidth = 10
const shareWidth = 8
const barWidth = 15

/** For a terminal of 80 columns, readable without colour. */
export function printStatistics(statistics: Statistics): string {
  const { period } = statistics
  const { way, counted, current } = sectionsOf(statistics)
  const chart = period.signUps > 0 ? `\n${printBars(period.signUpsByDay)}` : ''
  const nothingCounted = [way, ...counted].every(({ rows }) => rows.length === 0)
  return [
    `${headline(statistics)}\n`,
    `${comparison(statistics)}\n`,
    `${daysText(period)}\n${aboutDays(statistics)}\n`,
    chart,
    nothingCounted
      ? '\nNothing was counted in these days.\n'
      : printed(way) + wrapped(aboutShares, '  ') + counted.map(printed).join(''),
    '\nWhat stands now\n',
    ...current.map(printed),
  ].join('')
}

function printed({ title, rows, remark }: Section): string {
  const width = Math.max(labelWidth, ...rows.map(({ label }) => label.length))
  const lines = rows.map((row) => `  ${printedRow(row, width)}`.trimEnd())
  return `\n${[title, ...lines, ...(remark ? [`  ${remark}`] : []), ''].join('\n')}`
}

function printedRow({ label, count, of, note = '' }: Row, width: number): string {
  const number = countText(count).padStart(numberWidth)
  if (of === undefined) return `${label.padEnd(width)}${number}  ${note}`
  const share = (shareText(count, of) ?? '').padStart(shareWidth)
  const bar = lyingBar(of > 0 ? count / of : 0, barWidth).padEnd(barWidth)
  return `${cut(label).padEnd(labelWidth)}${number}${share}  ${bar}  ${note}`
}

function cut(label: string): string {
  return label.length > labelWidth ? `${label.slice(0, labelWidth - 1)}…` : label
}

function wrapped(text: string, indent: string): string {
  const lines = [indent]
  for (const word of text.split(' ')) {
    const line = lines.pop()!
    const longer = line === indent ? indent + word : `${line} ${word}`
    lines.push(...(longer.length > lineWidth ? [line, indent + word] : [longer]))
  }
  return `${lines.join('\n')}\n`
}
