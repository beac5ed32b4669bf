import type { Content } from '#content/content.ts'
import { brand, palette } from './brand.ts'
import type { DescriptionOf } from './describe.ts'
import { kit } from './kit.ts'
import { landingPage } from './landing-page.ts'
import { announcement, letter, offer, starterEmail } from './mail.ts'
import { personalPage, whatChanged } from './personal-page.ts'
import { releases, setupGuide } from './setup-guide.ts'
import { note, signUp } from './sign-up.ts'
import { notFound, privacy, resultPages } from './small-pages.ts'

/** Each text of the content. The desk's order is in ../groups.ts. */
export const contentDescription: DescriptionOf<Content> = {
  brand,
  kit,
  landingPage,
  signUp,
  note,
  starterEmail,
  announcement,
  letter,
  setupGuide,
  personalPage,
  whatChanged,
  notFound,
  resultPages,
  privacy,
  offer,
  releases,
  palette,
}
