import type { IncomingHttpHeaders } from 'node:http'
import { dayMs } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { addDailyCounts, type CountedEvent, type DailyCount, dayOf, keyOf } from './daily-counts.ts'
import type { LimitName, Metrics, SignUpResult } from './metrics.ts'

/** The origin of a sign-up as the request names it, validated. */
export interface SignUpAttribution {
  /** `program`: the request named no form of the page. */
  form: 'hero' | 'closing' | 'program'
  /** `none`, `other`, or the `utm_source` of the page's address. */
  campaign: string
  /** The address is the one that the form suggested. */
  suggestionAccepted: boolean
}

/** A page or a file that was sent. */
export type Visit = 'landing-viewed' | 'page-opened' | 'script-downloaded' | 'guide-downloaded'

/** The events that are counted for a campaign. */
export type CampaignEvent = 'viewed-from' | 'came-from' | 'opened-from' | 'taken-from'

/**
 * A limit, because anybody can put any campaign into the page's address. Further ones of a day
 * count as `other`.
 */
const maxCampaigns = 100
const notCampaigns = ['none', 'other']

/**
 * Counts events: since the start for /metrics, and by day for the database. Leaving, bouncing and
 * erasing are counted in their own transactions (app/server/subscribers). A day holds one
 * number for each kind of event, however many visitors come.
 */
export class Counts {
  readonly #now: () => number
  /** The metrics, if somebody reads them. */
  readonly metrics: Metrics | undefined
  /** Not written yet. */
  #days = new Map<string, DailyCount>()
  #campaigns = { day: '', names: new Set<string>() }
  #today = { number: -1, text: '' }

  /** `now`: ms since 1970. */
  constructor(now: () => number, metrics?: Metrics) {
    this.#now = now
    this.metrics = metrics
  }

  /** Without an attribution: the database could not take the sign-up. */
  countSignUp(result: SignUpResult, attribution?: SignUpAttribution): void {
    this.metrics?.signUps.inc({ outcome: result })
    if (result === 'already-registered' || result === 'resent') this.#addToDay('already-listed')
    if (result !== 'registered' || !attribution) return
    const { form, campaign, suggestionAccepted } = attribution
    this.#addToDay('signed-up', form)
    this.countCampaign('came-from', campaign)
    if (suggestionAccepted) this.#addToDay('suggestion-accepted')
  }

  countCampaign(event: CampaignEvent, campaign: string | null): void {
    this.#addToDay(event, this.#boundedCampaign(campaign ?? 'none'))
  }

  /** Counts a sign-up that a limit refused; for the site's limit, mail that has to wait. */
  countLimit(limit: LimitName): void {
    this.metrics?.limitsHit.inc({ limit })
    this.#addToDay('limit-hit', limit)
  }

  /** `ms`: how long sending took. */
  countSent(ms: number): void {
    this.metrics?.deliveries.inc({ outcome: 'sent' })
    this.metrics?.sendDuration.observe(ms / 1000)
    this.#addToDay('delivered')
  }

  countPostponed(): void {
    this.metrics?.deliveries.inc({ outcome: 'postponed' })
  }

  /** `gave-up`: it was deferred at its last retry, too. */
  countFailed(why: 'refused' | 'gave-up'): void {
    this.metrics?.deliveries.inc({ outcome: 'failed' })
    this.#addToDay('failed', why)
  }

  /** Counts an outcome that the database did not store. The worker retries it. */
  countRecordFailure(): void {
    this.metrics?.recordFailures.inc()
    this.#addToDay('record-failed')
  }

  /** Counts a page or a file that was sent, and a person's campaign. */
  countVisit(visit: Visit, headers: IncomingHttpHeaders, campaign: string | null): void {
    if (!isByPerson(headers, visit)) return this.#addToDay(visit, 'machine')
    this.#addToDay(visit, 'person')
    const event = campaignEvents[visit]
    if (event) this.countCampaign(event, campaign)
  }

  /** Counts that cannot be written stay for the next time. */
  async writeDays(database: Database, log: Log): Promise<void> {
    const unwritten = [...this.#days.values()]
    if (unwritten.length === 0) return
    this.#days = new Map()
    try {
      await database.transaction((transaction) => addDailyCounts(transaction, unwritten))
    } catch (cause) {
      for (const one of unwritten) this.#add(one)
      log.warn('counts of the day not written yet', { cause })
    }
  }

  #addToDay(event: CountedEvent, detail = ''): void {
    this.#add({ day: this.#day(), event, detail, count: 1 })
  }

  #add(added: DailyCount): void {
    const key = keyOf(added)
    const before = this.#days.get(key)
    if (before) before.count += added.count
    else this.#days.set(key, added)
  }

  /** Formatted once a day: a sign-up asks for it four times. */
  #day(): string {
    const now = this.#now()
    const number = Math.floor(now / dayMs)
    if (number !== this.#today.number) this.#today = { number, text: dayOf(now) }
    return this.#today.text
  }

  #boundedCampaign(campaign: string): string {
    const day = this.#day()
    if (day !== this.#campaigns.day) this.#campaigns = { day, names: new Set(notCampaigns) }
    const { names } = this.#campaigns
    const maxNames = maxCampaigns + notCampaigns.length
    if (names.size >= maxNames && !names.has(campaign)) return 'other'
    names.add(campaign)
    return campaign
  }
}

/** The event that counts the campaigns of such visits. */
const campaignEvents: Partial<Record<Visit, CampaignEvent>> = {
  'landing-viewed': 'viewed-from',
  'page-opened': 'opened-from',
  'script-downloaded': 'taken-from',
}

/**
 * A visit counts as a person's if the browser reports a user gesture. Chromium 156 sends
 * `Sec-Fetch-User: ?1` for a click on a link of a mail or of a page; for `<a download>` it sends
 * `Sec-Fetch-Site: same-origin` instead. Safari never sends the first (webkit.org/b/247697), so a
 * navigation counts as well. A prefetch (`Sec-Purpose`) does not. Programs and most mail scanners
 * send none of these headers.
 */
function isByPerson(headers: IncomingHttpHeaders, visit: Visit): boolean {
  if (headers['sec-purpose'] !== undefined) return false
  if (headers['sec-fetch-user'] === '?1' || headers['sec-fetch-mode'] === 'navigate') return true
  const isFile = visit === 'script-downloaded' || visit === 'guide-downloaded'
  return isFile && headers['sec-fetch-site'] === 'same-origin'
}
