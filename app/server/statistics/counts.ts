import type { IncomingHttpHeaders } from 'node:http'
import { createDailyTally, type DailyTally } from './daily-tally.ts'

export type Visit = 'landing-viewed' | 'page-opened' | 'script-downloaded' | 'guide-downloaded'
export type Visitor = 'person' | 'machine'
type Totals = ReturnType<typeof createTotals>

/** The origin of a sign-up as the request names it, validated. */
export interface SignUpAttribution {
  /** `program`: the request named no form of the page. */
  form: 'hero' | 'closing' | 'program'
  /** `none`, `other`, or the `utm_source` of the page's address. */
  campaign: string
  /** The address is the one that the form suggested. */
  suggestionAccepted: boolean
}

/**
 * Counts events for /metrics and for the statistics of the day. Leaving, bouncing and erasing are
 * counted in their own transactions, by leave-the-list.ts.
 */
export interface Counts {
  countSignUp(outcome: keyof Totals['signUps'], attribution: SignUpAttribution): void
  /** A sign-up was refused by the limit; for the site: mail was made to wait. */
  countLimit(limit: keyof Totals['limits']): void
  /** `ms`: how long sending took. */
  countDelivery(outcome: keyof Totals['deliveries'], ms?: number): void
  /** The database did not store an outcome; it is tried again. */
  countRecordFailure(): void
  countVisit(visit: Visit, by: Visitor): void
  /** Since the start, in Prometheus' text format. The caller reads `gauges` from the database. */
  metricsText(gauges: Record<string, number>): string
  /** Counts that are not written to the database yet. */
  readonly tally: DailyTally
}

/** `now`: ms since 1970. */
export function createCounts(now: () => number): Counts {
  const tally = createDailyTally(now)
  const totals = createTotals()
  return {
    tally,
    countSignUp(outcome, { form, campaign, suggestionAccepted }) {
      totals.signUps[outcome] += 1
      if (outcome === 'already-registered') tally.add('listed-already')
      if (outcome !== 'registered') return
      tally.add('signed-up', form)
      tally.add('came-from', campaign)
      if (suggestionAccepted) tally.add('typo-rescued')
    },
    countLimit(limit) {
      totals.limits[limit] += 1
      tally.add('limit-hit', limit)
    },
    countDelivery(outcome, ms) {
      totals.deliveries[outcome] += 1
      if (ms !== undefined) totals.sendDuration.observe(ms / 1000)
      if (outcome === 'sent') tally.add('delivered')
      if (outcome === 'failed') tally.add('failed')
    },
    countRecordFailure() {
      totals.recordFailures += 1
      tally.add('record-failed')
    },
    countVisit: (visit, by) => tally.add(visit, by),
    metricsText: (gauges) => metricsText(totals, gauges),
  }
}

function createTotals() {
  return {
    signUps: { registered: 0, 'already-registered': 0, refused: 0, invalid: 0, unavailable: 0 },
    limits: { network: 0, address: 0, domain: 0, site: 0 },
    deliveries: { sent: 0, postponed: 0, failed: 0 },
    sendDuration: createHistogram('send_duration_seconds', [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]),
    recordFailures: 0,
  }
}

function metricsText(totals: Totals, gauges: Record<string, number>): string {
  return [
    ...metric('counter', 'sign_ups_total', totals.signUps, 'outcome'),
    ...metric('counter', 'limits_hit_total', totals.limits, 'limit'),
    ...metric('counter', 'deliveries_total', totals.deliveries, 'outcome'),
    ...metric('counter', 'delivery_record_failures_total', totals.recordFailures),
    ...totals.sendDuration.lines(),
    ...Object.entries(gauges).flatMap(([name, value]) => metric('gauge', name, value)),
    '',
  ].join('\n')
}

function metric(
  type: 'counter' | 'gauge',
  name: string,
  value: number | Record<string, number>,
  label = '',
): string[] {
  const samples =
    typeof value === 'number'
      ? [`starter_bot_${name} ${value}`]
      : Object.entries(value).map(([of, count]) => `starter_bot_${name}{${label}="${of}"} ${count}`)
  return [`# TYPE starter_bot_${name} ${type}`, ...samples]
}

/** `bounds`: upper ones of its buckets. Each bucket counts every observation up to its bound. */
function createHistogram(shortName: string, bounds: readonly number[]) {
  const name = `starter_bot_${shortName}`
  const buckets = bounds.map((bound) => ({ bound, count: 0 }))
  let count = 0
  let sum = 0
  return {
    observe(value: number) {
      count += 1
      sum += value
      for (const bucket of buckets) if (value <= bucket.bound) bucket.count += 1
    },
    lines: () => [
      `# TYPE ${name} histogram`,
      ...buckets.map((bucket) => `${name}_bucket{le="${bucket.bound}"} ${bucket.count}`),
      `${name}_bucket{le="+Inf"} ${count}`,
      `${name}_sum ${sum}`,
      `${name}_count ${count}`,
    ],
  }
}

/**
 * A visit counts as a person's if the browser reports a user gesture. Chromium 156 sends `Sec-Fetch-User: ?1` for a click on
 * a link of a mail or of a page; for `<a download>` it sends `Sec-Fetch-Site: same-origin` instead. Safari never sends the
 * first (webkit.org/b/247697), so a navigation counts as well. A prefetch (`Sec-Purpose`) does not. Programs and most mail
 * scanners send none of these headers.
 */
export function visitorOf(headers: IncomingHttpHeaders, isFile = false): Visitor {
  const isGesture =
    headers['sec-fetch-user'] === '?1' ||
    headers['sec-fetch-mode'] === 'navigate' ||
    (isFile && headers['sec-fetch-site'] === 'same-origin')
  return isGesture && headers['sec-purpose'] === undefined ? 'person' : 'machine'
}
