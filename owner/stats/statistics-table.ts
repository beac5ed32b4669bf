import { counted, countText, plainText, textTable } from '../command-line/output.ts'
import { shareOf } from './share.ts'
import type { Source } from './sources.ts'
import type { Statistics } from './statistics.ts'
import { sumOf, type Summary, type Tally } from './summary.ts'

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

/** Tables for a terminal of 80 columns. */
export function statisticsTable(statistics: Statistics): string {
  const { days, period, madeAt, sources } = statistics
  const sections = sectionsOf(statistics).flatMap(([title, rows]) =>
    rows.length === 0 ? [] : [['', '', '', '', ''], [title, '', '', '', ''], ...rows.map(cellsOf)],
  )
  const head = ['', 'count', 'before', 'share', '']
  return [
    `${counted(days, 'day')}, ${period.from} to ${period.to} (UTC). Today is counted until ${madeAt.slice(11, 16)}.\n`,
    textTable([head, ...sections], [], ['left', 'right', 'right', 'right', 'left']),
    ...(sources.length > 0 ? ['\n', sourcesTable(sources)] : []),
    '\nPages that a CDN answers by itself are not among the views.\n',
    'A share is of the sign-ups in these days; of bounces, of the delivered mail.\n',
    'Shares above 100 % are left out: earlier subscribers also open and download.\n',
  ].join('')
}

function cellsOf({ label, count, before, of, note = '' }: Row): string[] {
  const share = of === undefined ? undefined : shareOf(count, of)
  return [
    `  ${shortened(label)}`,
    countText(count),
    before === undefined ? '' : countText(before),
    share ?? '',
    note,
  ]
}

function shortened(label: string): string {
  return label.length > maxLabelLength ? `${label.slice(0, maxLabelLength - 1)}…` : label
}

/** A visitor can have written the name of a campaign. One that looks like an address is not shown. */
function sourcesTable(sources: readonly Source[]): string {
  const named = sources.filter(({ campaign }) => !campaign.includes('@') && campaign !== 'other')
  const shown = named.slice(0, maxSources)
  const rest = sources.filter((one) => !shown.includes(one))
  const columns = ['views', 'signUps', 'opened', 'taken'] as const
  const row = (label: string, of: readonly Source[]) => [
    `  ${shortened(label)}`,
    ...columns.map((column) => countText(of.reduce((sum, one) => sum + one[column], 0))),
  ]
  const rows = shown.map((one) =>
    row(one.campaign === 'none' ? 'No source named' : plainText(one.campaign), [one]),
  )
  return textTable(
    [...rows, ...(rest.length > 0 ? [row('All others', rest)] : [])],
    ['Sources', 'views', 'sign-ups', 'kits opened', 'taken'],
    ['left', 'right', 'right', 'right', 'right'],
  )
}

function sectionsOf(statistics: Statistics): [title: string, rows: Row[]][] {
  const { period, before, subscribers, deliveries, waitingSeconds, faultsOfLast7Days } = statistics
  const totals = (counts: Record<string, number>) =>
    Object.entries(counts).map(([label, count]) => ({ label, count }))
  const faults = faultsOfLast7Days.map(({ fault, state, count }) => ({
    label: plainText(fault ?? ''),
    count,
    note: state,
  }))
  return [
    ['From sign-up to script', funnelOf(period, before)],
    ['Sign-ups by form', tallyRows(period.byForm, before.byForm, formNames, period.signUps)],
    ['Other', otherOf(period, before)],
    ['Subscribers now', totals(subscribers)],
    ['Deliveries now', totals({ ...deliveries, 'seconds that mail has waited': waitingSeconds })],
    ['Errors of the last 7 days', faults],
  ]
}

function funnelOf(period: Summary, before: Summary): Row[] {
  const row = (label: string, of: (summary: Summary) => number) => ({
    label,
    count: of(period),
    before: of(before),
    of: period.signUps,
  })
  const visits = (
    label: string,
    name: 'views' | 'pageOpened' | 'scriptDownloaded' | 'guideDownloaded',
  ): Row => {
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
])
const limitNames = new Map([
  ['network', 'Limit hit: one network'],
  ['address', 'Limit hit: one address'],
  ['domain', 'Limit hit: one domain'],
  ['site', 'Limit hit: the whole site'],
])

function otherOf(period: Summary, before: Summary): Row[] {
  return [
    { label: 'Signed up again', count: period.repeated, before: before.repeated },
    { label: 'Typos corrected', count: period.suggestionsAccepted, before: before.suggestionsAccepted },
    { label: 'Bounced', count: period.bounced, before: before.bounced, of: period.delivered },
    { label: 'Blocked our mail', count: period.blocked, before: before.blocked },
    { label: 'Failed', count: period.failed, before: before.failed },
    ...tallyRows(period.limitsHit, before.limitsHit, limitNames),
  ]
}

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
    of,
  }))
}
