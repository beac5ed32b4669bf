import { shownAddress } from '#contract/shown-address.ts'
import type { TestAddressState } from '#contract/test-address.ts'
import type { AnnouncementState, KitParts } from '#site/pages/page-table.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import { fill } from '#site/text/fill.ts'
import type { Reader } from '../database/database.ts'
import type { Templates } from '../http/pages.ts'
import type { ServedSite, SiteHolder } from './served-site.ts'
import type { SettingsHolder } from '../settings/site-settings.ts'
import type { Subscriber, SubscriberWithLink } from '../subscribers/subscribers.ts'
import { canReceiveAlerts, readTestAddress } from '../test-address/state.ts'

export interface KitPageSite extends Pick<ServedSite, 'content' | 'releases' | 'wordings'> {
  readonly pages: Templates
}

/** The fields of a subscriber that the personal page shows. */
export type KitPageOwner = Pick<
  SubscriberWithLink,
  'address' | 'token' | 'state' | 'announcements_agreed_at' | 'version' | 'version_date'
>

/** Somebody's test address, as the page shows it. */
export interface ShownTestAddress {
  readonly state: TestAddressState
  /** TradingView can reach the site. */
  readonly isPossible: boolean
}

/** The HTML of somebody's personal page, with what has arrived at their test address. */
export async function readKitPage(
  subscriber: KitPageOwner & Pick<Subscriber, 'id'>,
  deps: { database: Reader; settings: SettingsHolder; site: SiteHolder; now: () => number },
): Promise<string> {
  const state = await readTestAddress(subscriber, deps)
  const isPossible = canReceiveAlerts(deps.settings.current)
  return kitPage(subscriber, deps.site.current, { state, isPossible })
}

export function kitPage(
  subscriber: KitPageOwner,
  site: KitPageSite,
  testAddress: ShownTestAddress,
): string {
  const { content, pages, releases, wordings } = site
  const { token, announcements_agreed_at: agreedAt } = subscriber
  const first = releases.find(
    ({ version, date }) => version === subscriber.version && date === subscriber.version_date,
  )
  const part = `what-changed-${first?.version ?? ''}-${consentOf(subscriber)}`
  const whatChanged = pages.part(part, {
    token,
    since: agreedAt === null ? '' : dayInWords(agreedAt, content.brand.language),
    wording: wordings.news.switch.hash,
  })
  const leaving = pages.part(`leaving-${leavingStateOf(subscriber)}`, { token })
  const values = {
    address: shownAddress(subscriber.address),
    token,
    wording: wordings.news.asked.hash,
  }
  const parts: KitParts = {
    whatChanged,
    leaving,
    testAddress: testAddressPart(testAddress, token, site),
  }
  return pages.page('kit', values, { ...parts })
}

function testAddressPart(
  { state, isPossible }: ShownTestAddress,
  token: string,
  { content, pages }: KitPageSite,
): string {
  const { address, endsAt, arrivals, entrySeen, exitSeen } = state
  const isOpen = address !== null
  if (!isOpen && !isPossible) return pages.part('test-address-missing', {})
  const text = content.firstAlert.test
  const values = {
    ...emptyArrival, // the template for the page's script
    token,
    address: address ?? '',
    endsAt: endsAt ?? '',
    endsAtInWords: utcMoment(endsAt ?? ''),
    seen: fill(text.seen, {
      count: String(arrivals.length),
      entry: entrySeen ? text.yes : text.notYet,
      exit: exitSeen ? text.yes : text.notYet,
    }),
    done: entrySeen && exitSeen ? text.done : '',
  }
  const rows = arrivals.map(({ at, contentType, fromTradingView, message, verdict }) =>
    pages.part('test-arrival', {
      at,
      atInWords: utcMoment(at),
      contentType,
      sender: fromTradingView ? text.fromTradingView : text.fromElsewhere,
      message,
      verdict,
    }),
  )
  const part = isOpen ? 'test-address-open' : 'test-address-closed'
  return pages.part(part, values, { arrivals: rows.join('') })
}

const emptyArrival = {
  at: '',
  atInWords: '',
  contentType: '',
  sender: '',
  message: '',
  verdict: '',
}

/** The visitor's own zone is known to their browser alone. */
function utcMoment(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}

function leavingStateOf({ state }: KitPageOwner): 'listed' | 'left' | 'blocked' {
  if (state === 'blocked') return 'blocked'
  return state === 'active' ? 'listed' : 'left'
}

function consentOf({ state, announcements_agreed_at: agreedAt }: KitPageOwner): AnnouncementState {
  if (state !== 'active') return 'left'
  return agreedAt === null ? 'off' : 'on'
}

/** True while somebody agrees to news. Leaving the list ends that. */
export function hasAgreed(subscriber: KitPageOwner): boolean {
  return consentOf(subscriber) === 'on'
}
