import type { ReactNode } from 'react'
import { renderToStaticMarkup as html } from 'react-dom/server'
import { receiptsPath } from '#contract/sign-up.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import { notFoundPage } from '#content/pages/not-found.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { resultPages } from '#content/pages/result-pages.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import { drawChart } from '#kit/chart.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { CreatorNote } from './landing-page/creator-note.tsx'
import { Footer, type StaticSection } from './landing-page/landing-page.tsx'
import { HowItWorks } from './landing-page/how-it-works.tsx'
import { WhatsIncluded } from './landing-page/whats-included/whats-included.tsx'
import { NotFoundPage } from './small-pages/not-found-page.tsx'
import { PersonalPage } from './small-pages/personal-page/personal-page.tsx'
import {
  AnswerPage,
  ButtonPage,
  DonePage,
  ErrorPage,
  InvalidAddressPage,
} from './small-pages/small-pages.tsx'
import { TextLink } from './ui/button.tsx'
import type { StaticParts } from './static-part.tsx'
import { formSheets, kitSheets, landingSheets } from './styles/style-for.ts'

/** Values that the server fills in for each request. */
type RequestValue =
  'address' | 'token' | 'form' | 'campaign' | 'receipt' | 'tag' | 'heading' | 'text'

export interface PageEntry {
  title: string
  /** For search engines; a page without one is not indexed. */
  description?: string
  /** The page's own style sheets. */
  styles: readonly string[]
  values: readonly RequestValue[]
  /** The entry in browser/. Undefined: the page loads no script. */
  module?: 'hydrate-page' | 'personal-page' | 'not-found'
  /**
   * Rendered by the build alone: some parts of the landing page, or else the whole page as `page`.
   */
  parts: (files: readonly KitFile[]) => StaticParts
}

const { announcements, unsubscribe, unsubscribed, block, blocked, unblocked, erased, receipt } =
  resultPages
const erasedWords = { tag: erased.tag, heading: erased.heading }
const { toasts } = signUpText
const address = '{{address}}'
const token = '{{token}}'
const kitUrl = `/kit/${token}`
const receiptUrl = `${receiptsPath}{{receipt}}`
const small = ['sign-up/success-note', 'frame/small-page']

/** Every page of the site. A new one needs an entry here and an address in app/server/routes/. */
export const pages = {
  landing: {
    title: landingPage.title,
    description: landingPage.description,
    styles: landingSheets,
    values: [],
    module: 'hydrate-page',
    parts: (): Record<'chart' | 'footer' | StaticSection, string> => ({
      chart: drawChart(),
      'whats-included': html(<WhatsIncluded />),
      'how-it-works': html(<HowItWorks />),
      'creator-note': html(<CreatorNote />),
      footer: html(<Footer />),
    }),
  },
  'not-found': notFound(),
  'kit-not-found': notFound(notFoundPage.deadLink),
  'result-sent': answer(toasts.sent, resultPages.sent),
  'result-already-on-list': answer(toasts.alreadyOnList, resultPages.alreadyOnList),
  receipt: smallPage(
    receipt.title,
    ['tag', 'heading', 'text', 'receipt'],
    <DonePage
      tag="{{tag}}"
      heading="{{heading}}"
      text="{{text}}"
      link={{ words: receipt.again, href: receiptUrl }}
    />,
  ),
  'result-invalid': formPage(resultPages.invalid.heading, <InvalidAddressPage />),
  'result-error': formPage(toasts.refused.title, <ErrorPage />),
  kit: {
    title: personalPage.title,
    styles: ['frame/small-page', ...kitSheets],
    values: ['address', 'token'],
    module: 'personal-page',
    parts: (files) => ({
      page: html(<PersonalPage address={address} token={token} files={files} />),
    }),
  },
  announcements: question(announcements, '/announcements#what-changed', '/unsubscribe'),
  unsubscribe: question(unsubscribe, '/unsubscribe', ''),
  unsubscribed: smallPage(
    unsubscribed.heading,
    ['address'],
    <DonePage {...unsubscribed} text={unsubscribed.text.join(address)} />,
  ),
  block: question(block, '/block', ''),
  blocked: smallPage(
    blocked.heading,
    ['token'],
    <ButtonPage {...blocked} action={`${kitUrl}/unblock`} />,
  ),
  unblocked: smallPage(unblocked.heading, [], <DonePage {...unblocked} narrow />),
  erased: smallPage(erased.heading, [], <DonePage {...erasedWords} text={erased.text} narrow />),
  'erased-until-overwritten': smallPage(
    erased.heading,
    [],
    <DonePage {...erasedWords} text={erased.textWhenOverwritten} narrow />,
  ),
} satisfies Record<string, PageEntry>

export type PageName = keyof typeof pages

/** In the place of {{receiptLink}} on the answers to a plain form, when a mail was queued. */
export const receiptLink = <TextLink words={receipt.link} href={receiptUrl} />

/** The values that the server fills into each page. */
export type RequestValues = {
  [Name in PageName]: Readonly<Record<(typeof pages)[Name]['values'][number], string>>
}

function notFound(deadLink?: string) {
  const styles = ['frame/chart', 'small-pages/not-found-page']
  const parts = () => ({ page: html(<NotFoundPage deadLink={deadLink} />) })
  return { title: notFoundPage.title, styles, values: [], module: 'not-found' as const, parts }
}

function smallPage<Value extends RequestValue>(
  title: string,
  values: readonly Value[],
  page: ReactNode,
) {
  return { title, styles: small, values, parts: () => ({ page: html(page) }) }
}

type Answer = typeof resultPages.sent | typeof resultPages.alreadyOnList

function answer({ title, description }: { title: string; description: string }, words: Answer) {
  return smallPage(title, ['address'], <AnswerPage {...words} heading={title} text={description} />)
}

/** Gives the posted form back. */
function formPage(title: string, page: ReactNode) {
  const values = ['address', 'form', 'campaign'] as const
  return { ...smallPage(title, values, page), styles: [...formSheets, ...small] }
}

type Question = typeof announcements | typeof unsubscribe | typeof block

/** Makes a page that asks for confirmation. Both paths are below that of the personal page. */
function question({ text, link, ...words }: Question, action: string, linkTo: string) {
  return smallPage(
    words.heading,
    ['address', 'token'],
    <ButtonPage
      {...words}
      text={text.join(address)}
      action={kitUrl + action}
      link={{ words: link, href: kitUrl + linkTo }}
    />,
  )
}
