import { dayMs } from '#server/database/clock.ts'
import { type CountedEvent, type DailyCount, dayOf } from '#server/statistics/daily-counts.ts'

/** UTC days, first and last included. */
export interface Days {
  from: string
  to: string
}

export function daysEnding(to: string, number: number): Days {
  return { from: dayOf(Date.parse(to) - (number - 1) * dayMs), to }
}

export function everyDay({ from, to }: Days): string[] {
  const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return Array.from({ length }, (_, index) => dayOf(Date.parse(from) + index * dayMs))
}

export type Tally = Pick<DailyCount, 'detail' | 'count'>
export type Summary = ReturnType<typeof summarize>

/**
 * The counts of these days; others are left out. A count of 0 also stands for events that were not
 * counted yet.
 */
export function summarize(counts: readonly DailyCount[], { from, to }: Days) {
  const byEvent = Map.groupBy(
    counts.filter(({ day }) => day >= from && day <= to),
    ({ event }) => event,
  )
  const of = (event: CountedEvent) => byEvent.get(event) ?? []
  const total = (event: CountedEvent) => sumOf(of(event))
  /** A machine is a crawler, or a scanner or previewer that follows the links of a mail. */
  const visits = (event: CountedEvent) => ({
    people: sumOf(of(event).filter(({ detail }) => detail === 'person')),
    machines: sumOf(of(event).filter(({ detail }) => detail === 'machine')),
  })
  return {
    from,
    to,
    /** Views of the landing page that reached the server. */
    views: visits('landing-viewed'),
    signUps: total('signed-up'),
    /** Without those of programs, which view no page. */
    signUpsViaForms: sumOf(of('signed-up').filter(({ detail }) => detail !== 'program')),
    byForm: tally(of('signed-up')),
    /** Handed over to the relay. */
    delivered: total('delivered'),
    /** Taken by the recipient's server, as far as the provider reports it. */
    arrived: total('arrived'),
    pageOpened: visits('page-opened'),
    scriptDownloaded: visits('script-downloaded'),
    guideDownloaded: visits('guide-downloaded'),
    unsubscribed: total('unsubscribed'),
    blocked: total('blocked'),
    erased: total('erased'),
    repeated: total('already-listed'),
    suggestionsAccepted: total('suggestion-accepted'),
    /**
     * Came back later. Mail that failed makes its address undeliverable, too, which counts as
     * bounced.
     */
    bounced: Math.max(0, total('bounced') - total('failed')),
    failed: total('failed'),
    limitsHit: tally(of('limit-hit')),
  }
}

/** The most frequent first. */
function tally(counts: readonly DailyCount[]): Tally[] {
  const byDetail = Map.groupBy(counts, ({ detail }) => detail)
  return [...byDetail]
    .map(([detail, found]) => ({ detail, count: sumOf(found) }))
    .toSorted((a, b) => b.count - a.count || (a.detail < b.detail ? -1 : 1))
}

export function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}
