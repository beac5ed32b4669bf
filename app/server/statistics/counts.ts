import type { IncomingHttpHeaders } from 'node:http'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { addDailyCounts, type CountedEvent, type DailyCount, dayOf, keyOf } from './daily-counts.ts'

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
 * A limit, because anybody can put any campaign into the page's address. Further ones of a day
 * count as `other`.
 */
const maxCampaigns = 100
const dayMs = 24 * 60 * 60_000
/** `from`: the event that counts the campaigns of such visits. */
const visits = {
  'landing-viewed': { isFile: false, from: 'viewed-from' },
  'page-opened': { isFile: false, from: 'opened-from' },
  'script-downloaded': { isFile: true, from: 'taken-from' },
  'guide-downloaded': { isFile: true, from: undefined },
} as const
/** Upper bounds of the buckets, in seconds. Each bucket counts every mail up to its bound. */
const sendDurations = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, Infinity]

type Totals = ReturnType<typeof createTotals>

function createTotals() {
  return {
    signUps: {
      registered: 0,
      resent: 0,
      'already-registered': 0,
      refused: 0,
      invalid: 0,
      unavailable: 0,
    },
    limits: { network: 0, address: 0, domain: 0, site: 0 },
    deliveries: { sent: 0, postponed: 0, failed: 0 },
    sent: { seconds: 0, byDuration: new Map(sendDurations.map((bound) => [bound, 0])) },
    recordFailures: 0,
  }
}

/**
 * Counts events: since the start for /metrics, and by day for the database. Leaving, bouncing and
 * erasing are counted in their own transactions (app/server/subscribers). The days grow with
 * events, not with visitors.
 */
export class Counts {
  readonly #now: () => number
  readonly #totals = createTotals()
  #days = new Map<string, DailyCount>()
  #today = { day: '', number: 0, campaigns: new Set<string>() }

  /** `now`: ms since 1970. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Without an attribution: the database could not take the sign-up. */
  countSignUp(outcome: keyof Totals['signUps'], attribution?: SignUpAttribution): void {
    this.#totals.signUps[outcome] += 1
    if (outcome === 'already-registered' || outcome === 'resent') this.#addToDay('already-listed')
    if (outcome !== 'registered' || !attribution) return
    const { form, campaign, suggestionAccepted } = attribution
    this.#addToDay('signed-up', form)
    this.countFrom('came-from', campaign)
    if (suggestionAccepted) this.#addToDay('suggestion-accepted')
  }

  /** Counts what became of a campaign: views, sign-ups, opened kits, taken scripts. */
  countFrom(
    event: 'viewed-from' | 'came-from' | 'opened-from' | 'taken-from',
    campaign: string | null,
  ) {
    this.#addToDay(event, this.#boundedCampaign(campaign ?? 'none'))
  }

  /** Counts a sign-up that a limit refused; for the site's limit, mail that has to wait. */
  countLimit(limit: keyof Totals['limits']): void {
    this.#totals.limits[limit] += 1
    this.#addToDay('limit-hit', limit)
  }

  /** `ms`: how long sending took. */
  countDelivery(outcome: keyof Totals['deliveries'], ms?: number): void {
    this.#totals.deliveries[outcome] += 1
    if (outcome === 'sent') this.#addToDay('delivered')
    if (outcome === 'failed') this.#addToDay('failed')
    if (ms === undefined) return
    this.#totals.sent.seconds += ms / 1000
    for (const [bound, count] of this.#totals.sent.byDuration) {
      if (ms / 1000 <= bound) this.#totals.sent.byDuration.set(bound, count + 1)
    }
  }

  /** Counts an outcome that the database did not store. The worker retries it. */
  countRecordFailure(): void {
    this.#totals.recordFailures += 1
    this.#addToDay('record-failed')
  }

  /** Counts a page or a file that was sent, and a person's campaign. */
  countVisit(
    visit: keyof typeof visits,
    headers: IncomingHttpHeaders,
    campaign: string | null,
  ): void {
    const isPerson = isPersons(headers, visits[visit].isFile)
    this.#addToDay(visit, isPerson ? 'person' : 'machine')
    const { from } = visits[visit]
    if (isPerson && from) this.countFrom(from, campaign)
  }

  /** In Prometheus' text format. The caller reads `gauges` from the database. */
  metricsText(gauges: Record<string, number>): string {
    return [
      ...metric('counter', 'sign_ups_total', this.#totals.signUps, 'outcome'),
      ...metric('counter', 'limits_hit_total', this.#totals.limits, 'limit'),
      ...metric('counter', 'deliveries_total', this.#totals.deliveries, 'outcome'),
      ...metric('counter', 'delivery_record_failures_total', { '': this.#totals.recordFailures }),
      ...this.#durationLines(),
      ...Object.entries(gauges).flatMap(([name, value]) => metric('gauge', name, { '': value })),
      '',
    ].join('\n')
  }

  #durationLines(): string[] {
    const name = 'starter_bot_send_duration_seconds'
    const { seconds, byDuration } = this.#totals.sent
    const bucket = (bound: number) => `${name}_bucket{le="${bound === Infinity ? '+Inf' : bound}"}`
    return [
      `# TYPE ${name} histogram`,
      ...[...byDuration].map(([bound, count]) => `${bucket(bound)} ${count}`),
      `${name}_sum ${seconds}`,
      `${name}_count ${byDuration.get(Infinity)}`,
    ]
  }

  /** Counts that cannot be written stay for the next time. */
  async writeDays(database: Database, log: Log): Promise<void> {
    const taken = [...this.#days.values()]
    if (taken.length === 0) return
    this.#days = new Map()
    try {
      await database.transaction((transaction) => addDailyCounts(transaction, taken))
    } catch (cause) {
      for (const one of taken) this.#add(one)
      log.warn('counts of the day not written yet', { cause })
    }
  }

  #add(added: DailyCount): void {
    const key = keyOf(added)
    const before = this.#days.get(key)
    if (before) before.count += added.count
    else this.#days.set(key, added)
  }

  #addToDay(event: CountedEvent, detail = ''): void {
    this.#add({ day: this.#currentDay().day, event, detail, count: 1 })
  }

  /** Written once a day: writing it for each event would cost a sign-up more than a microsecond. */
  #currentDay() {
    const now = this.#now()
    const number = Math.floor(now / dayMs)
    if (number !== this.#today.number) {
      this.#today = { day: dayOf(now), number, campaigns: new Set(['none', 'other']) }
    }
    return this.#today
  }

  #boundedCampaign(campaign: string): string {
    const { campaigns } = this.#currentDay()
    if (campaigns.has(campaign)) return campaign
    if (campaigns.size >= maxCampaigns + 2) return 'other'
    campaigns.add(campaign)
    return campaign
  }
}

/** `values`: by the value of `label`. */
function metric(
  type: 'counter' | 'gauge',
  name: string,
  values: Record<string, number>,
  label?: string,
) {
  const labels = (value: string) => (label === undefined ? '' : `{${label}="${value}"}`)
  const samples = Object.entries(values).map(
    ([value, count]) => `starter_bot_${name}${labels(value)} ${count}`,
  )
  return [`# TYPE starter_bot_${name} ${type}`, ...samples]
}

/**
 * A visit counts as a person's if the browser reports a user gesture. Chromium 156 sends
 * `Sec-Fetch-User: ?1` for a click on a link of a mail or of a page; for `<a download>` it sends
 * `Sec-Fetch-Site: same-origin` instead. Safari never sends the first (webkit.org/b/247697), so a
 * navigation counts as well. A prefetch (`Sec-Purpose`) does not. Programs and most mail scanners
 * send none of these headers.
 */
function isPersons(headers: IncomingHttpHeaders, isFile: boolean): boolean {
  const isGesture =
    headers['sec-fetch-user'] === '?1' ||
    headers['sec-fetch-mode'] === 'navigate' ||
    (isFile && headers['sec-fetch-site'] === 'same-origin')
  return isGesture && headers['sec-purpose'] === undefined
}
