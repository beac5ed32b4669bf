import { counted, countText, plainText, recordTable, textTable } from '../command-line/output.ts'
import { figuresOf, machinesOf } from './figures.ts'
import { shareOf } from './share.ts'
import type { Statistics } from './statistics.ts'

type Row = readonly string[]

const maxSources = 10
const maxLabelLength = 44

/** Tables for a terminal of 80 columns. */
export function statisticsTable(statistics: Statistics): string {
  const { days, period, madeAt, sources } = statistics
  const rows = sectionsOf(statistics)
    .filter(([, ofSection]) => ofSection.length > 0)
    .flatMap(([title, ofSection]) => [
      [''],
      [title],
      ...ofSection.map(([name = '', ...cells]) => [`  ${label(name)}`, ...cells]),
    ])
  const named = sources.slice(0, maxSources)
  return [
    `${counted(days, 'day')}, ${period.from} to ${period.to} (UTC). Today is counted until ${madeAt.slice(11, 16)}.\n`,
    textTable(
      [['', 'count', 'before', 'share', ''], ...rows],
      [],
      ['left', 'right', 'right', 'right', 'left'],
    ),
    ...(named.length > 0
      ? ['\n', recordTable(named, ['campaign', 'views', 'signUps', 'opened', 'taken'])]
      : []),
    `\n${machinesOf(period)}\n`,
    'Pages that a CDN answers by itself are not among the views.\n',
    'A share is of the sign-ups in these days; of bounces, of the delivered mail.\n',
    'Shares above 100 % are left out: earlier subscribers also open and download.\n',
  ].join('')
}

function sectionsOf(statistics: Statistics): [title: string, rows: Row[]][] {
  const { period, before, subscribers, deliveries, waitingSeconds, faultsOfLast7Days } = statistics
  const totals = (counts: Record<string, number>) =>
    Object.entries(counts).map(([name, count]) => [name, countText(count)])
  const figures = Object.entries(figuresOf(period)).map(([title, ofSection]): [string, Row[]] => [
    title,
    ofSection.map(({ label: name, of, whole }) => {
      const share = whole && shareOf(of(period), period[whole])
      return [name, countText(of(period)), countText(of(before)), share ?? '']
    }),
  ])
  return [
    ...figures,
    ['Subscribers now', totals(subscribers)],
    ['Deliveries now', totals({ ...deliveries, 'seconds that mail has waited': waitingSeconds })],
    [
      'Errors of the last 7 days',
      faultsOfLast7Days.map(({ fault, state, count }) => [fault, countText(count), '', '', state]),
    ],
  ]
}

/** A visitor can have written what a label says. */
function label(text: string): string {
  const plain = plainText(text)
  return plain.length > maxLabelLength ? `${plain.slice(0, maxLabelLength - 1)}…` : plain
}
