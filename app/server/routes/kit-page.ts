import { shownAddress } from '#contract/shown-address.ts'
import type { KitRelease } from '#content/releases.ts'
import { dayInWords } from '#text/day-in-words.ts'
import type { Pages } from '../http/pages.ts'
import { firstRelease } from '../subscribers/announcement-consent.ts'
import type { Subscriber, SubscriberWithLink } from '../subscribers/subscribers.ts'
import { announcementWording } from '../subscribers/wordings.ts'

export interface KitPageDeps {
  pages: Pages
  /** The versions of the kit, the newest first. */
  releases: readonly KitRelease[]
}

/** The HTML of somebody's personal page. */
export function kitPage(subscriber: SubscriberWithLink, { pages, releases }: KitPageDeps): string {
  const { token, signed_up_at: signedUpAt, announcements_agreed_at: agreedAt } = subscriber
  const first = firstRelease(releases, signedUpAt)?.version ?? ''
  const part = `what-changed-${first}-${consentOf(subscriber)}`
  const whatChanged = pages.part(part, {
    token,
    since: agreedAt === null ? '' : dayInWords(agreedAt),
  })
  return pages.page('kit', { address: shownAddress(subscriber.address), token }, { whatChanged })
}

/** `versions`: given to words that cover versions only, while today's cover more. */
function consentOf(subscriber: Subscriber): 'left' | 'off' | 'versions' | 'on' {
  if (subscriber.state !== 'active') return 'left'
  if (subscriber.announcements_agreed_at === null) return 'off'
  const isNarrow =
    announcementWording.covers === 'news' && subscriber.announcements_cover === 'versions'
  return isNarrow ? 'versions' : 'on'
}
