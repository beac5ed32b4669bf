import { shareOf } from './share.ts'
import { sumOf, type Summary, type Tally } from './summary.ts'
import { counted, countText, plainText, textTable } from '../command-line/output.ts'
import type { Statistics } from './statistics.ts'

interface Row {
  label: string
  count: number
  /** In the days before. */
  before?: number
  /** The count is a share of this. */
  of?: number | undefined
  note?: string
}

const maxSources = 10
const maxLabelLength = 30

/** One table for a terminal of 80 columns. */
export function statisticsTable(statistics: Statistics): string {
  const { days, period, madeAt } = statistics
  const sections = sectionsOf(statistics).flatMap(([title, rows]) =>
    rows.length === 0 ? [] : [['', '', '', '', ''], [title, '', '', '', ''], ...rows.map(cellsOf)],
  )
  return [
    `${counted(days, 'day')}, ${period.from} to ${period.to} (UTC). Today is counted until ${madeAt.slice(11, 16)}.\n`,
    textTable(
      [['', 'count', 'before', 'share', ''], ...sections],
      [],
      ['left', 'right', 'right', 'right', 'left'],
    ),
    '\nPages that a CDN answers by itself are not among the views.\n',
    'A share is of the sign-ups in these days; of bounces, of the delivered mail.\n',
    'Shares above 100 % are left out: earlier subscribers also open and download.\n',
  ].join('')
}

function cellsOf({ label, count, before, of, note = '' }: Row): string[] {
  const short = label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label
  const share = of === undefined ? undefined : shareOf(count, of)
  return [`  ${short}`, countText(count), before === undefined ? '' : countText(before), share ?? '', note]
}

function sectionsOf(statistics: Statistics): [title: string, rows: Row[]][] {
  const { period, before, subscribers, deliveries, overdueSeconds, faultsOfLast7Days } = statistics
  const totals = (counts: Record<string, number>) =>
    Object.entries(counts).map(([label, count]) => ({ label, count }))
  return [
    ['From sign-up to script', funnelOf(period, before)],
    ['Sign-ups by form', tallyRows(period.byForm, before.byForm, formNames, period.signUps)],
    ['Sign-ups by source', sourcesOf(period, before)],
    ['Other', otherOf(period, before)],
    ['Subscribers now', totals(subscribers)],
    ['Deliveries now', totals({ ...deliveries, 'seconds overdue': overdueSeconds })],
    [
      'Errors of the last 7 days',
      faultsOfLast7Days.map(({ fault, state, count }) => ({
        label: plainText(fault ?? ''),
        count,
        note: state,
      })),
    ],
  ]
}

function funnelOf(period: Summary, before: Summary): Row[] {
  const row = (label: string, of: (summary: Summary) => number) => ({
    label,
    count: of(period),
    before: of(before),
    of: period.signUps,
  })
  type Visited = 'views' | 'pageOpened' | 'scriptDownloaded' | 'guideDownloaded'
  const visits = (label: string, name: Visited) => {
    const { machines } = period[name]
    const note = machines > 0 ? `machines ${countText(machines)}` : ''
    return { ...row(label, (summary) => summary[name].people), note }
  }
  return [
    { ...visits('Page viewed', 'views'), of: undefined },
    row('Signed up', ({ signUps }) => signUps),
    row('Mail handed over', ({ delivered }) => delivered),
    // Only some providers report it, if asked to.
    ...(period.arrived + before.arrived > 0 ? [row('Mail arrived', ({ arrived }) => arrived)] : []),
    visits('Page opened', 'pageOpened'),
    visits('Script downloaded', 'scriptDownloaded'),
    visits('Guide downloaded', 'guideDownloaded'),
    row('Unsubscribed', ({ unsubscribed }) => unsubscribed),
    row('Erased', ({ erased }) => erased),
  ]
}

const formNames = new Map([
  ['hero', 'Form at the top'],
  ['closing', 'Form at the bottom'],
  ['program', 'Without a form'],
  ['unknown', 'Before forms were counted'],
])
const sourceNames = new Map([['none', 'No source named']])
const limitNames = new Map([
  ['network', 'Limit hit: one network'],
  ['address', 'Limit hit: one address'],
  ['domain', 'Limit hit: one domain'],
  ['site', 'Limit hit: the whole site'],
])

function sourcesOf(period: Summary, before: Summary): Row[] {
  // A source that looks like an address is not shown, so that the table can be passed on.
  const named = period.bySource.filter(({ detail }) => !detail.includes('@') && detail !== 'other')
  const shown = named.slice(0, maxSources)
  const rest = sumOf(period.bySource) - sumOf(shown)
  const rows = tallyRows(shown, before.bySource, sourceNames, period.signUps)
  return rest > 0 ? [...rows, { label: 'All others', count: rest, of: period.signUps }] : rows
}

function otherOf(period: Summary, before: Summary): Row[] {
  return [
    { label: 'Signed up again', count: period.repeated, before: before.repeated },
    { label: 'Typos corrected', count: period.typosRescued, before: before.typosRescued },
    { label: 'Bounced', count: period.bounced, before: before.bounced, of: period.delivered },
    { label: 'Failed', count: period.failed, before: before.failed },
    ...tallyRows(period.limitsHit, before.limitsHit, limitNames),
  ]
}

/** A visitor can have written the detail. */
function tallyRows(
  tallies: readonly Tally[],
  before: readonly Tally[],
  names: ReadonlyMap<string, string>,
  of?: number,
): Row[] {
  return tallies.map(({ detail, count }) => ({
    label: names.get(detail) ?? plainText(detail),
    count,
    before: sumOf(before.filter((one) => one.detail === detail)),
    ...(of !== undefined && { of }),
  }))
}
