import { counted, countText, plainText, textTable } from '../command-line/output.ts'
import { shareOf } from './share.ts'
import type { Source } from './sources.ts'
import type { Statistics } from './statistics.ts'
import { sumOf, type Summary, type Tally } from './summary.ts'

type Row = readonly string[]

const maxSources = 10
const maxLabelLength = 30

/** Tables for a terminal of 80 columns. */
export function statisticsTable(statistics: Statistics): string {
  const { days, period, madeAt, sources } = statistics
  const sections = sectionsOf(statistics).filter(([, rows]) => rows.length > 0)
  const rows = sections.flatMap(([title, ofSection]) => [[''], [title], ...ofSection])
  return [
    `${counted(days, 'day')}, ${period.from} to ${period.to} (UTC). Today is counted until ${madeAt.slice(11, 16)}.\n`,
    textTable([['', 'count', 'before', 'share', ''], ...rows], [], alignments),
    ...(sources.length > 0 ? ['\n', sourcesTable(sources)] : []),
    '\nPages that a CDN answers by itself are not among the views.\n',
    'A share is of the sign-ups in these days; of bounces, of the delivered mail.\n',
    'Shares above 100 % are left out: earlier subscribers also open and download.\n',
  ].join('')
}

const alignments = ['left', 'right', 'right', 'right', 'left'] as const

/** A visitor can have written what a label says. */
function label(text: string): string {
  const plain = plainText(text)
  return `  ${plain.length > maxLabelLength ? `${plain.slice(0, maxLabelLength - 1)}…` : plain}`
}

function sectionsOf(statistics: Statistics): [title: string, rows: Row[]][] {
  const { period, before, subscribers, deliveries, waitingSeconds, faultsOfLast7Days } = statistics
  const { row, tallies } = rowsOf(period, before)
  const totals = (counts: Record<string, number>) =>
    Object.entries(counts).map(([name, count]) => [label(name), countText(count)])
  const other = [
    row('Signed up again', ({ repeated }) => repeated),
    row('Typos corrected', ({ suggestionsAccepted }) => suggestionsAccepted),
    row('Bounced', ({ bounced }) => bounced, period.delivered),
    row('Blocked our mail', ({ blocked }) => blocked),
    row('Failed', ({ failed }) => failed),
    ...tallies(({ limitsHit }) => limitsHit, limitNames),
  ]
  const faults = faultsOfLast7Days.map(({ fault, state, count }) => [
    label(fault ?? ''),
    countText(count),
    '',
    '',
    state,
  ])
  return [
    ['From sign-up to script', funnelOf(row, period, before)],
    ['Sign-ups by form', tallies(({ byForm }) => byForm, formNames, period.signUps)],
    ['Other', other],
    ['Subscribers now', totals(subscribers)],
    ['Deliveries now', totals({ ...deliveries, 'seconds that mail has waited': waitingSeconds })],
    ['Errors of the last 7 days', faults],
  ]
}

function funnelOf(row: RowOf, period: Summary, before: Summary): Row[] {
  const visits = (name: string, pick: (summary: Summary) => Summary['views'], of?: number): Row => {
    const { machines } = pick(period)
    const note = machines > 0 ? `machines ${countText(machines)}` : ''
    return [...row(name, (summary) => pick(summary).people, of), note]
  }
  const { signUps } = period
  // Only some providers report it, if asked to.
  const isReported = period.arrived + before.arrived > 0
  return [
    visits('Page viewed', ({ views }) => views),
    row('Signed up', (summary) => summary.signUps, signUps),
    row('Mail handed over', ({ delivered }) => delivered, signUps),
    ...(isReported ? [row('Mail arrived', ({ arrived }) => arrived, signUps)] : []),
    visits('Page opened', ({ pageOpened }) => pageOpened, signUps),
    visits('Script downloaded', ({ scriptDownloaded }) => scriptDownloaded, signUps),
    visits('Guide downloaded', ({ guideDownloaded }) => guideDownloaded, signUps),
    row('Unsubscribed', ({ unsubscribed }) => unsubscribed, signUps),
    row('Erased', ({ erased }) => erased, signUps),
  ]
}

type RowOf = ReturnType<typeof rowsOf>['row']

function rowsOf(period: Summary, before: Summary) {
  /** `of`: what the count is a share of. */
  const row = (name: string, pick: (summary: Summary) => number, of?: number): Row => [
    label(name),
    countText(pick(period)),
    countText(pick(before)),
    (of === undefined ? undefined : shareOf(pick(period), of)) ?? '',
  ]
  const tallies = (pick: (summary: Summary) => Tally[], names: Record<string, string>, of?: number) =>
    pick(period).map(({ detail }) => {
      const countIn = (summary: Summary) => sumOf(pick(summary).filter((one) => one.detail === detail))
      return row(Object.hasOwn(names, detail) ? names[detail]! : detail, countIn, of)
    })
  return { row, tallies }
}

const formNames = { hero: 'Form at the top', closing: 'Form at the bottom', program: 'Without a form' }
const limitNames = {
  network: 'Limit hit: one network',
  address: 'Limit hit: one address',
  domain: 'Limit hit: one domain',
  site: 'Limit hit: the whole site',
}

/** One that looks like an address is not shown. */
function sourcesTable(sources: readonly Source[]): string {
  const named = sources.filter(({ campaign }) => !campaign.includes('@') && campaign !== 'other')
  const shown = named.slice(0, maxSources)
  const rest = sources.filter((one) => !shown.includes(one))
  const columns = ['views', 'signUps', 'opened', 'taken'] as const
  const row = (name: string, of: readonly Source[]) => [
    label(name),
    ...columns.map((column) => countText(of.reduce((sum, one) => sum + one[column], 0))),
  ]
  const rows = shown.map((one) => row(one.campaign === 'none' ? 'No source named' : one.campaign, [one]))
  const head = ['Sources', 'views', 'sign-ups', 'kits opened', 'taken']
  const all = rest.length > 0 ? [...rows, row('All others', rest)] : rows
  return textTable(all, head, ['left', 'right', 'right', 'right', 'right'])
}
