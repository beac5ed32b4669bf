import { shownAddress } from '#contract/shown-address.ts'
import type { AnnouncementState, KitParts } from '#site/pages/request-values.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import type { Templates } from '../http/pages.ts'
import type { ServedSite } from '../site/served-site.ts'
import { firstRelease } from '../subscribers/announcement-consent.ts'
import type { SubscriberWithLink } from '../subscribers/subscribers.ts'
import { type Cover, covers } from '../subscribers/wordings.ts'

export interface KitPageSite extends Pick<ServedSite, 'content' | 'releases' | 'wordings'> {
  readonly pages: Templates
}

/** The fields of a subscriber that the personal page shows. */
export type KitPageOwner = Pick<
  SubscriberWithLink,
  'address' | 'token' | 'state' | 'signed_up_at' | 'announcements_agreed_at' | 'announcements_cover'
>

/** The HTML of somebody's personal page. */
export function kitPage(subscriber: KitPageOwner, site: KitPageSite): string {
  const { content, pages, releases, wordings } = site
  const { token, signed_up_at: signedUpAt, announcements_agreed_at: agreedAt } = subscriber
  const first = firstRelease(releases, signedUpAt)?.version ?? ''
  const part = `what-changed-${first}-${consentOf(subscriber, wordings.news.switch.covers)}`
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

/** `published`: what an agreement to today's words covers. */
function consentOf(subscriber: KitPageOwner, published: Cover): AnnouncementState {
  if (subscriber.state !== 'active') return 'left'
  if (subscriber.announcements_agreed_at === null) return 'off'
  const { announcements_cover: agreed } = subscriber
  if (agreed === null || agreed === 'series') return 'on' // nothing covers more than the series
  return covers.indexOf(agreed) < covers.indexOf(published) ? agreed : 'on'
}

/** To all that the published words cover. Whoever has left has agreed to nothing any more. */
export function hasAgreed(subscriber: KitPageOwner, published: Cover): boolean {
  return consentOf(subscriber, published) === 'on'
}
