import { type AnnouncementTexts, announcement } from './mail/announcement.ts'
import { type Brand, brand } from './brand.ts'
import { type Kit, kit } from './kit.ts'
import { type LetterTexts, letter } from './mail/letter.ts'
import { type Offer, offer } from './offer.ts'
import { type LandingPageTexts, landingPage } from './pages/landing-page.ts'
import { type NotFoundTexts, notFound } from './pages/not-found.ts'
import { type NoteTexts, note } from './pages/note.ts'
import { type PersonalPageTexts, personalPage } from './pages/personal-page.ts'
import { type PrivacyTexts, privacy } from './pages/privacy.ts'
import { type ResultPageTexts, resultPages } from './pages/result-pages.ts'
import { type SignUpTexts, signUp } from './pages/sign-up.ts'
import { type WhatChangedTexts, whatChanged } from './pages/what-changed.ts'
import { type Palette, palette } from './palette.ts'
import { type KitRelease, releases } from './releases.ts'
import { type SetupGuideTexts, setupGuide } from './setup-guide.ts'
import { type StarterEmailTexts, starterEmail } from './mail/starter-email.ts'

/**
 * All that a visitor, a subscriber or a search engine reads, and its colours: one name for each
 * file of this folder. Pages, mails and guide are made from such a value. These words stay English:
 * the bridges' own (app/site/kit/bridges/bridges.ts), the names in the drawn chart, and "version" in the
 * guide.
 */
export interface Content {
  readonly brand: Brand
  readonly palette: Palette
  readonly landingPage: LandingPageTexts
  readonly signUp: SignUpTexts
  readonly note: NoteTexts
  readonly notFound: NotFoundTexts
  readonly personalPage: PersonalPageTexts
  readonly whatChanged: WhatChangedTexts
  readonly resultPages: ResultPageTexts
  readonly privacy: PrivacyTexts
  readonly kit: Kit
  readonly releases: readonly KitRelease[]
  readonly setupGuide: SetupGuideTexts
  readonly starterEmail: StarterEmailTexts
  readonly announcement: AnnouncementTexts
  readonly letter: LetterTexts
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
  privacy,
  kit,
  releases,
  setupGuide,
  starterEmail,
  announcement,
  letter,
  offer,
}
