import { announcement } from './mail/announcement.ts'
import { brand } from './brand.ts'
import { type Kit, kit } from './kit.ts'
import { letter } from './mail/letter.ts'
import { type Offer, offer } from './offer.ts'
import { landingPage } from './pages/landing-page.ts'
import { notFound } from './pages/not-found.ts'
import { note } from './pages/note.ts'
import { personalPage } from './pages/personal-page.ts'
import { resultPages } from './pages/result-pages.ts'
import { signUp } from './pages/sign-up.ts'
import { whatChanged } from './pages/what-changed.ts'
import { type Palette, palette } from './palette.ts'
import { type KitRelease, releases } from './releases.ts'
import { series } from './mail/series.ts'
import { setupGuide } from './setup-guide.ts'
import { starterEmail } from './mail/starter-email.ts'

/**
 * All that a visitor, a subscriber or a search engine reads, and its colours: one name for each
 * file of this folder. Pages, mails and guide are made from such a value. These words stay English:
 * the bridges' own (app/kit/bridges/bridges.ts), the names in the drawn chart, and "version" in the
 * guide.
 */
export interface Content {
  readonly brand: typeof brand
  readonly palette: Palette
  readonly landingPage: typeof landingPage
  readonly signUp: typeof signUp
  readonly note: typeof note
  readonly notFound: typeof notFound
  readonly personalPage: typeof personalPage
  readonly whatChanged: typeof whatChanged
  readonly resultPages: typeof resultPages
  readonly kit: Kit
  readonly releases: readonly KitRelease[]
  readonly setupGuide: typeof setupGuide
  readonly starterEmail: typeof starterEmail
  readonly announcement: typeof announcement
  readonly letter: typeof letter
  readonly series: typeof series
  readonly offer: Offer | undefined
}

/** The texts of this folder. The owner publishes the differences from them in the browser. */
export const defaultContent: Content = {
  brand,
  palette,
  landingPage,
  signUp,
  note,
  notFound,
  personalPage,
  whatChanged,
  resultPages,
  kit,
  releases,
  setupGuide,
  starterEmail,
  announcement,
  letter,
  series,
  offer,
}
