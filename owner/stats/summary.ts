import { type CountedEvent, type DailyCount, dayOf } from '#server/statistics/daily-counts.ts'

/** UTC days, first and last included. */
export interface Days {
  from: string
  to: string
}

const dayMs = 24 * 60 * 60_000

export function daysEnding(to: string, number: number): Days {
  return { from: dayOf(Date.parse(to) - (number - 1) * dayMs), to }
}

/** Returns as many days, right before these. */
export function daysBefore(days: Days): Days {
  return daysEnding(dayOf(Date.parse(days.from) - dayMs), everyDay(days).length)
}

export function everyDay({ from, to }: Days): string[] {
  const number = Math.max(0, (Date.parse(to) - Date.parse(from)) / dayMs + 1)
  return Array.from({ length: number }, (_, index) => dayOf(Date.parse(from) + index * dayMs))
}

export interface Tally {
  detail: string
  count: number
}

/** A machine is a crawler, or a scanner or previewer that follows the links of a mail. */
export interface Visits {
  people: number
  machines: number
}

/** The counts of some days. A count of 0 also stands for events that were not counted yet. */
export interface Summary extends Days {
  /** Views of the landing page that reached the server. */
  views: Visits
  signUps: number
  /** Each day once, in order. */
  signUpsByDay: { day: string; count: number }[]
  /** Most frequent first, as every list of tallies. */
  byForm: Tally[]
  /** By campaign. `none`: the page's address named none. */
  bySource: Tally[]
  /** Handed over to the relay. */
  delivered: number
  /** Taken by the recipient's server, as far as the provider reports it. */
  arrived: number
  pageOpened: Visits
  scriptDownloaded: Visits
  guideDownloaded: Visits
  unsubscribed: number
  erased: number
  repeated: number
  typosRescued: number
  bounced: number
  failed: number
  limitsHit: Tally[]
}

/** Leaves counts of other days out. */
export function summarize(counts: readonly DailyCount[], days: Days): Summary {
  const within = counts.filter(({ day }) => day >= days.from && day <= days.to)
  const total = (event: CountedEvent) => sum(within.filter((one) => one.event === event))
  const tallies = (event: CountedEvent) => tally(within.filter((one) => one.event === event))
  const visits = (event: CountedEvent): Visits => {
    const of = (detail: string) => sum(within.filter((one) => one.event === event && one.detail === detail))
    return { people: of('person'), machines: of('machine') }
  }
  return {
    from: days.from,
    to: days.to,
    views: visits('landing-viewed'),
    signUps: total('signed-up'),
    signUpsByDay: byDay(within, days),
    byForm: tallies('signed-up'),
    bySource: tallies('came-from'),
    delivered: total('delivered'),
    arrived: total('arrived'),
    pageOpened: visits('page-opened'),
    scriptDownloaded: visits('script-downloaded'),
    guideDownloaded: visits('guide-downloaded'),
    unsubscribed: total('unsubscribed'),
    erased: total('erased'),
    repeated: total('listed-already'),
    typosRescued: total('typo-rescued'),
    bounced: total('bounced'),
    failed: total('failed'),
    limitsHit: tallies('limit-hit'),
  }
}

function byDay(counts: readonly DailyCount[], days: Days): { day: string; count: number }[] {
  const found = Map.groupBy(
    counts.filter(({ event }) => event === 'signed-up'),
    ({ day }) => day,
  )
  return everyDay(days).map((day) => ({ day, count: sum(found.get(day) ?? []) }))
}

function tally(counts: readonly DailyCount[]): Tally[] {
  const byDetail = Map.groupBy(counts, ({ detail }) => detail)
  return [...byDetail]
    .map(([detail, found]) => ({ detail, count: sum(found) }))
    .toSorted((a, b) => b.count - a.count || (a.detail < b.detail ? -1 : 1))
}

function sum(counts: readonly { count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}
