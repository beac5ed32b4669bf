import type { Summary, Tally, Visits } from '#server/statistics/summary.ts'
import { plainText } from '../command-line/plain-text.ts'
import { faultDays } from './current-state.ts'
import { countText, shareText, waitText } from './in-words.ts'
import type { Statistics } from './statistics.ts'

export interface Row {
  label: string
  count: number
  /** What the count is a share of. */
  of?: number
  note?: string
}

export interface Section {
  title: string
  rows: Row[]
  /** Said in place of rows when there are none, or after them. */
  remark?: string
}

const mostSources = 10

/** The owner's words and the figures that go with them; the terminal and the page show the same. */
export function sectionsOf(statistics: Statistics): { way: Section; counted: Section[]; current: Section[] } {
  const { period } = statistics
  return {
    way: section('From sign-up to script', wayOf(period), 'Nothing was counted in these days.'),
    counted: [
      section('By form', formsOf(period), 'No sign-up in these days.'),
      section('By source', sourcesOf(period), 'No source was counted in these days.'),
      section('On the side', otherwiseOf(period), 'Nothing was counted in these days.'),
    ],
    current: currentSections(statistics),
  }
}

function section(title: string, rows: Row[], ifEmpty: string): Section {
  return rows.some(({ count }) => count > 0) ? { title, rows } : { title, rows: [], remark: ifEmpty }
}

function wayOf(period: Summary): Row[] {
  const of = period.signUps
  const visits = (label: string, { people, machines }: Visits): Row => {
    return { label, count: people, of, ...(machines > 0 && { note: `machines ${countText(machines)}` }) }
  }
  return [
    { label: 'Signed up', count: of, of },
    { label: 'Mail delivered', count: period.delivered, of },
    visits('Page opened', period.pageOpened),
    visits('Script downloaded', period.scriptDownloaded),
    visits('Guide downloaded', period.guideDownloaded),
    { label: 'Unsubscribed', count: period.unsubscribed, of },
    { label: 'Erased', count: period.erased, of },
  ]
}

const formNames = new Map(
  Object.entries({
    hero: 'Form at the top',
    closing: 'Form at the bottom',
    program: 'Without a form',
    unknown: 'Before forms were counted',
  }),
)

function formsOf({ byForm, signUps }: Summary): Row[] {
  return byForm.map(({ detail, count }) => ({
    label: nameOf(detail, formNames),
    count,
    of: signUps,
  }))
}

const sourceNames = new Map([['none', 'No source named']])

function sourcesOf({ bySource, signUps }: Summary): Row[] {
  // What looks like an address is not shown: the page may be passed on.
  const shown = bySource
    .filter(({ detail }) => !detail.includes('@') && detail !== 'other')
    .slice(0, mostSources)
  const rest = total(bySource) - total(shown)
  return [
    ...shown.map(({ detail, count }) => ({
      label: nameOf(detail, sourceNames),
      count,
      of: signUps,
    })),
    ...(rest > 0 ? [{ label: 'All others', count: rest, of: signUps }] : []),
  ]
}

const limitNames = new Map(
  Object.entries({
    network: 'Limit hit: one network',
    address: 'Limit hit: one address',
    domain: 'Limit hit: one mail domain',
    site: 'Limit hit: the whole site',
  }),
)

function otherwiseOf(period: Summary): Row[] {
  const bounced = shareText(period.bounced, period.delivered)
  const limits = period.limitsHit.map(({ detail, count }) => ({
    label: nameOf(detail, limitNames),
    count,
  }))
  return [
    { label: 'Signed up again', count: period.repeated },
    { label: 'Typos rescued', count: period.typosRescued },
    { label: 'Bounced', count: period.bounced, ...(bounced && { note: `${bounced} of delivered` }) },
    { label: 'Failed', count: period.failed },
    ...(limits.length > 0 ? limits : [{ label: 'Limits hit', count: 0 }]),
  ]
}

function currentSections(statistics: Statistics): Section[] {
  const { subscribers, deliveries, overdueSeconds, faultsOfLast7Days } = statistics
  const faults = faultsOfLast7Days.map(({ fault, state, count }) => {
    return { label: plainText(fault ?? ''), count, note: state }
  })
  const overdue = overdueSeconds > 0 && {
    remark: `The longest overdue has waited ${waitText(overdueSeconds)}.`,
  }
  return [
    section('Subscribers', asRows(subscribers), 'No subscriber yet.'),
    { ...section('Deliveries', asRows(deliveries), 'No delivery yet.'), ...overdue },
    section(`Faults of the last ${faultDays} days`, faults, 'None.'),
  ]
}

function asRows(numbers: Record<string, number>): Row[] {
  return Object.entries(numbers).map(([label, count]) => ({ label, count }))
}

/** A visitor can have written the detail. */
function nameOf(detail: string, names: ReadonlyMap<string, string>): string {
  return names.get(detail) ?? plainText(detail)
}

function total(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { count }) => sum + count, 0)
}
