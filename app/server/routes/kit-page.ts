import { shownAddress } from '#contract/shown-address.ts'
import type { AnnouncementState, KitParts } from '#site/pages/request-values.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import type { SiteHolder } from '../site/served-site.ts'
import { firstRelease } from '../subscribers/announcement-consent.ts'
import type { Subscriber, SubscriberWithLink } from '../subscribers/subscribers.ts'
import { type Cover, covers } from '../subscribers/wordings.ts'

export interface KitPageDeps {
  site: SiteHolder
}

/** The HTML of somebody's personal page. */
export function kitPage(subscriber: SubscriberWithLink, { site }: KitPageDeps): string {
  const { content, pages, releases, wordings } = site.current
  const { token, signed_up_at: signedUpAt, announcements_agreed_at: agreedAt } = subscriber
  const first = firstRelease(releases, signedUpAt)?.version ?? ''
  const part = `what-changed-${first}-${consentOf(subscriber, wordings.news.switch.covers)}`
  const whatChanged = pages.part(part, {
    token,
    since: agreedAt === null ? '' : dayInWords(agreedAt, content.brand.language),
    wording: wordings.news.switch.hash,
  })
  const isListed = subscriber.state === 'active'
  const leaving = pages.part(`leaving-${isListed ? 'listed' : 'left'}`, { token })
  const values = {
    address: shownAddress(subscriber.address),
    token,
    wording: wordings.news.asked.hash,
  }
  const parts: KitParts = { whatChanged, leaving }
  return pages.page('kit', values, { ...parts })
}

/** `published`: what an agreement to today's words covers. */
function consentOf(subscriber: Subscriber, published: Cover): AnnouncementState {
  if (subscriber.state !== 'active') return 'left'
  if (subscriber.announcements_agreed_at === null) return 'off'
  const { announcements_cover: agreed } = subscriber
  if (agreed === null || agreed === 'series') return 'on' // nothing covers more than the series
  return covers.indexOf(agreed) < covers.indexOf(published) ? agreed : 'on'
}
