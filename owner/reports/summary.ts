import { dayMs } from '#server/database/clock.ts'
import {
  type CountedEvent,
  type DailyCount,
  dayOf,
  gaveUp,
  sumOf,
} from '#server/statistics/daily-counts.ts'

/** UTC days, first and last included. */
export interface Days {
  from: string
  to: string
}

export function daysEnding(to: string, number: number): Days {
  return { from: dayOf(Date.parse(to) - (number - 1) * dayMs), to }
}

export type Tally = Pick<DailyCount, 'detail' | 'count'>

/** A machine is a crawler, or a scanner or previewer that follows the links of a mail. */
interface Visits {
  people: number
  machines: number
}

/** A place where people are asked for consent to news. */
export interface ConsentPlace {
  place: 'mail' | 'copied' | 'downloaded' | 'switch'
  /** People who saw it there. */
  asked: number
  agreed: number
}

/** The number of people at each step with a test address. Each step of a person counts once. */
export interface FirstAlertSteps {
  opened: number
  /** Saw an entry arrive. */
  entry: number
  /** Saw an entry and an exit. */
  both: number
}

/** The events of some days. A count of 0 also stands for events that were not counted yet. */
export interface Summary extends Days {
  /** Views of the landing page that reached the server. */
  views: Visits
  signUps: number
  /** Put on the list by imports. */
  imported: number
  /** Without those of programs, which view no page. */
  signUpsViaForms: number
  byForm: Tally[]
  /** Handed over to the relay. */
  delivered: number
  /** Taken by the recipient's server, as far as the provider reports it. */
  arrived: number
  pageOpened: Visits
  scriptDownloaded: Visits
  guideDownloaded: Visits
  consent: ConsentPlace[]
  firstAlert: FirstAlertSteps
  unsubscribed: number
  blocked: number
  erased: number
  repeated: number
  suggestionsAccepted: number
  /** Came back later. */
  bounced: number
  failed: number
  limitsHit: Tally[]
}

/** Sums up the counts of these days; others are left out. */
export function summarize(counts: readonly DailyCount[], { from, to }: Days): Summary {
  const within = counts.filter(({ day }) => day >= from && day <= to)
  const byEvent = Map.groupBy(within, ({ event }) => event)
  const of = (event: CountedEvent) => byEvent.get(event) ?? []
  const total = (event: CountedEvent) => sumOf(of(event))
  const visits = (event: CountedEvent) => visitsIn(of(event))
  return {
    from,
    to,
    views: visits('landing-viewed'),
    signUps: total('signed-up'),
    imported: total('imported-from'),
    signUpsViaForms: sumOf(of('signed-up').filter(({ detail }) => detail !== 'program')),
    byForm: tally(of('signed-up')),
    delivered: total('delivered'),
    arrived: total('arrived'),
    pageOpened: visits('page-opened'),
    scriptDownloaded: visits('script-downloaded'),
    guideDownloaded: visits('guide-downloaded'),
    consent: consentIn(of),
    firstAlert: firstAlertIn(of('first-alert')),
    unsubscribed: total('unsubscribed'),
    blocked: total('blocked'),
    erased: total('erased'),
    repeated: total('already-listed'),
    suggestionsAccepted: total('suggestion-accepted'),
    // A refused mail takes its address off the list, which counts as bounced, too.
    bounced: Math.max(0, total('bounced') - sumOf(of('failed').filter((one) => !gaveUp(one)))),
    failed: total('failed'),
    limitsHit: tally(of('limit-hit')),
  }
}

function consentIn(of: (event: CountedEvent) => readonly DailyCount[]): ConsentPlace[] {
  const count = (event: CountedEvent, name?: string) =>
    sumOf(of(event).filter(({ detail }) => name === undefined || detail === name))
  const agreed = (place: ConsentPlace['place']) => count('news-agreed', place)
  return [
    { place: 'mail', asked: count('delivered'), agreed: agreed('mail') },
    { place: 'copied', asked: count('news-asked', 'copied'), agreed: agreed('copied') },
    { place: 'downloaded', asked: count('news-asked', 'downloaded'), agreed: agreed('downloaded') },
    { place: 'switch', asked: count('page-opened', 'person'), agreed: agreed('switch') },
  ]
}

function firstAlertIn(counts: readonly DailyCount[]): FirstAlertSteps {
  const count = (step: string) => sumOf(counts.filter(({ detail }) => detail === step))
  return { opened: count('opened'), entry: count('entry'), both: count('both') }
}

function visitsIn(counts: readonly DailyCount[]): Visits {
  return {
    people: sumOf(counts.filter(({ detail }) => detail === 'person')),
    machines: sumOf(counts.filter(({ detail }) => detail === 'machine')),
  }
}

/** The most frequent first. */
function tally(counts: readonly DailyCount[]): Tally[] {
  const byDetail = Map.groupBy(counts, ({ detail }) => detail)
  return [...byDetail]
    .map(([detail, found]) => ({ detail, count: sumOf(found) }))
    .toSorted((a, b) => b.count - a.count || (a.detail < b.detail ? -1 : 1))
}
