import { announcementTexts } from './mail/announcement.ts'
import { brandTexts } from './brand.ts'
import { kitTexts } from './kit.ts'
import { letterTexts } from './mail/letter.ts'
import { offerTexts } from './offer.ts'
import { landingPageTexts } from './pages/landing-page.ts'
import { notFoundTexts } from './pages/not-found.ts'
import { noteTexts } from './pages/note.ts'
import { firstAlertTexts } from './pages/first-alert.ts'
import { personalPageTexts } from './pages/personal-page.ts'
import { privacyTexts } from './pages/privacy.ts'
import { resultPageTexts } from './pages/result-pages.ts'
import { signUpTexts } from './pages/sign-up.ts'
import { whatChangedTexts } from './pages/what-changed.ts'
import { paletteColours } from './palette.ts'
import { releaseTexts } from './releases.ts'
import { type ValuesOf, valuesOf } from './schema.ts'
import { setupGuideTexts } from './setup-guide.ts'
import { starterEmailTexts } from './mail/starter-email.ts'

/**
 * The words that a visitor, a subscriber or a search engine reads, and the colours, each with what
 * the desk says about it. These words stay English: the bridges' own
 * (app/site/kit/bridges/bridges.ts), the names in the drawn chart, and "version" in the guide.
 */
export const schema = {
  brand: brandTexts,
  kit: kitTexts,
  landingPage: landingPageTexts,
  signUp: signUpTexts,
  note: noteTexts,
  starterEmail: starterEmailTexts,
  announcement: announcementTexts,
  letter: letterTexts,
  setupGuide: setupGuideTexts,
  personalPage: personalPageTexts,
  firstAlert: firstAlertTexts,
  whatChanged: whatChangedTexts,
  notFound: notFoundTexts,
  resultPages: resultPageTexts,
  privacy: privacyTexts,
  offer: offerTexts,
  releases: releaseTexts,
  palette: paletteColours,
}

/** The groups of the desk, in its order. */
export const groups = {
  name: 'Name and signature',
  kit: 'Script',
  page: 'The page',
  form: 'Form and notes',
  mail: 'Mail',
  guide: 'Guide',
  'personal-page': 'Personal page',
  'small-pages': 'Small pages',
  offer: 'Offer',
  versions: 'Versions',
  colours: 'Pictures and colours',
}

/** The texts of a site: pages, mails and guide are made from such a value. */
export interface Content extends ValuesOf<typeof schema> {}

/** The texts of this folder. The owner publishes the differences from them in the browser. */
export const defaultContent: Content = valuesOf(schema)
