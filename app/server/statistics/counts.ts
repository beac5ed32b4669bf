import { type DailyTally, createDailyTally } from './daily-tally.ts'
import {
  addSendTime,
  createMetrics,
  type DeliveryOutcome,
  type Limit,
  metricsText,
  type SignUpOutcome,
} from './metrics.ts'

export type Visit = 'page-opened' | 'script-downloaded' | 'guide-downloaded'
export type Visitor = 'person' | 'machine'

/** Where a sign-up came from, as far as the request tells; checked. */
export interface SignUpAttribution {
  /** `program`: the request named no form of the page. */
  form: 'hero' | 'closing' | 'program'
  /** `none`, `other`, or the `utm_source` of the page's address. */
  campaign: string
  /** The address is the one that the form suggested. */
  suggestionAccepted: boolean
}

/**
 * Is told what happens, for /metrics and for the counts of the day. What takes a transaction of its own anyway (leaving,
 * bouncing, being erased) is counted with its rows, by leave-the-list.ts.
 */
export interface Counts {
  countSignUp(outcome: SignUpOutcome, attribution: SignUpAttribution): void
  /** A sign-up was refused by it; for the site: mail was made to wait. */
  countLimit(limit: Limit): void
  /** `ms`: how long the sending took. */
  countDelivery(outcome: DeliveryOutcome, ms?: number): void
  /** The database did not take an outcome, which is tried again. */
  countRecordFailure(): void
  countVisit(visit: Visit, by: Visitor): void
  /** Since the start, in Prometheus' text format; `gauges` are read from the database by the caller. */
  metricsText(gauges: Record<string, number>): string
  /** What is not written to the database yet. */
  readonly tally: DailyTally
}

/** `now`: ms since 1970. */
export function createCounts(now: () => number): Counts {
  const metrics = createMetrics()
  const tally = createDailyTally(now)
  return {
    tally,
    countSignUp(outcome, { form, campaign, suggestionAccepted }) {
      metrics.signUps[outcome] += 1
      if (outcome === 'already-registered') tally.add('listed-already')
      if (outcome !== 'registered') return
      tally.add('signed-up', form)
      tally.add('came-from', campaign)
      if (suggestionAccepted) tally.add('typo-rescued')
    },
    countLimit(limit) {
      metrics.limits[limit] += 1
      tally.add('limit-hit', limit)
    },
    countDelivery(outcome, ms) {
      metrics.deliveries[outcome] += 1
      if (ms !== undefined) addSendTime(metrics, ms / 1000)
      if (outcome === 'sent') tally.add('delivered')
      if (outcome === 'failed') tally.add('failed')
    },
    countRecordFailure() {
      metrics.recordFailures += 1
      tally.add('record-failed')
    },
    countVisit: (visit, by) => tally.add(visit, by),
    metricsText: (gauges) => metricsText(metrics, gauges),
  }
}
