import { shownAddress } from '#contract/shown-address.ts'
import type { AnnouncementState, KitParts } from '#site/pages/request-values.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import type { Templates } from '../http/pages.ts'
import type { ServedSite } from '../site/served-site.ts'
import { firstRelease } from '../subscribers/announcement-consent.ts'
import type { SubscriberWithLink } from '../subscribers/subscribers.ts'

export interface KitPageSite extends Pick<ServedSite, 'content' | 'releases' | 'wordings'> {
  readonly pages: Templates
}

/** The fields of a subscriber that the personal page shows. */
export type KitPageOwner = Pick<
  SubscriberWithLink,
  'address' | 'token' | 'state' | 'signed_up_at' | 'announcements_agreed_at'
>

/** The HTML of somebody's personal page. */
export function kitPage(subscriber: KitPageOwner, site: KitPageSite): string {
  const { content, pages, releases, wordings } = site
  const { token, signed_up_at: signedUpAt, announcements_agreed_at: agreedAt } = subscriber
  const first = firstRelease(releases, signedUpAt)?.version ?? ''
  const part = `what-changed-${first}-${consentOf(subscriber)}`
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
  const parts: KitParts = { whatChanged, leaving }
  return pages.page('kit', values, { ...parts })
}

function leavingStateOf({ state }: KitPageOwner): 'listed' | 'left' | 'blocked' {
  if (state === 'blocked') return 'blocked'
  return state === 'active' ? 'listed' : 'left'
}

function consentOf({ state, announcements_agreed_at: agreedAt }: KitPageOwner): AnnouncementState {
  if (state !== 'active') return 'left'
  return agreedAt === null ? 'off' : 'on'
}

/** Whoever has left has agreed to nothing any more. */
export function hasAgreed(subscriber: KitPageOwner): boolean {
  return consentOf(subscriber) === 'on'
}
