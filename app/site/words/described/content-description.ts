import type { Content } from '#content/content.ts'
import { brand, palette } from './brand.ts'
import type { DescriptionOf } from './describe.ts'
import { landingPage } from './landing-page.ts'
import { announcement, letter, offer, series, starterEmail } from './mail.ts'
import { personalPage, whatChanged } from './personal-page.ts'
import { releases, setupGuide } from './setup-guide.ts'
import { note, signUp } from './sign-up.ts'
import { notFound, resultPages } from './small-pages.ts'

/** Each text of the content. The desk's order is in ../groups.ts. */
export const contentDescription: DescriptionOf<Content> = {
  brand,
  landingPage,
  signUp,
  note,
  starterEmail,
  announcement,
  letter,
  series,
  setupGuide,
  personalPage,
  whatChanged,
  notFound,
  resultPages,
  offer,
  releases,
  palette,
  // The files that the owner gives away say it.
  kit: {
    script: { name: 'aside', isYourOwn: 'aside' },
    guide: { name: 'aside', isYourOwn: 'aside' },
  },
}
