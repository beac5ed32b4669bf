import type { ReactNode } from 'react'
import { renderToStaticMarkup as html } from 'react-dom/server'
import { kit } from '#content/kit.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import { notFoundPage } from '#content/pages/not-found.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { resultPages, retryPages } from '#content/pages/result-pages.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import { drawChart } from '#kit/chart.ts'
import type { KitFile } from '#kit/kit-files.ts'
import type { LivePageName } from './app.tsx'
import { CreatorNote } from './landing-page/creator-note.tsx'
import { Footer } from './landing-page/landing-page.tsx'
import { HowItWorks } from './landing-page/how-it-works.tsx'
import { WhatsIncluded } from './landing-page/whats-included/whats-included.tsx'
import { NotFoundPage } from './small-pages/not-found-page.tsx'
import { PersonalPage } from './small-pages/personal-page/personal-page.tsx'
import {
  AlreadyOnListPage,
  AnnouncementsPage,
  BlockedPage,
  BlockPage,
  DonePage,
  ReceiptPage,
  SentPage,
  UnsubscribePage,
} from './small-pages/small-pages.tsx'
import type { StaticParts } from './static-part.tsx'
import { formSheets, kitSheets, landingSheets } from './styles/style-for.ts'

/** Values that the server fills in for each request. */
export type RequestValue = 'address' | 'token' | 'form' | 'campaign' | 'receipt' | 'tag' | 'heading' | 'text'

/** The entries in browser/: React, or a script of the page's own. */
export type PageModule = 'hydrate-page' | 'personal-page'

export interface PageEntry {
  title: string
  /** For search engines; a page without one is not indexed. */
  description?: string
  /** The page's own style sheets. */
  styles: readonly string[]
  values: readonly RequestValue[]
  /** React if it is not given. */
  module?: PageModule
  /** Rendered by the build alone: some parts of a page that `App` names, or else the whole page. */
  parts: (files: readonly KitFile[]) => StaticParts
}

const { unsubscribed, erased } = resultPages
const address = '{{address}}'
const token = '{{token}}'
const receipt = '{{receipt}}'
const shortChart = () => drawChart({ pricesOnly: kit.script.isYourOwn, stopsShort: true })
const notFoundSheets = ['frame/chart', 'small-pages/not-found-page']
const small = ['sign-up/success-note', 'frame/small-page']

/** Every page of the site. A new one is an entry here and its component; one with a form or an effect also stands in `App`. */
export const pages = {
  landing: {
    title: landingPage.title,
    description: landingPage.description,
    styles: landingSheets,
    values: [],
    parts: () => ({
      chart: drawChart({ pricesOnly: kit.script.isYourOwn }),
      'whats-included': html(<WhatsIncluded />),
      'how-it-works': html(<HowItWorks />),
      'creator-note': html(<CreatorNote />),
      footer: html(<Footer />),
    }),
  },
  'not-found': {
    title: notFoundPage.title,
    styles: notFoundSheets,
    values: [],
    parts: () => whole(<NotFoundPage drawing={shortChart()} />),
  },
  'kit-not-found': {
    title: notFoundPage.title,
    styles: notFoundSheets,
    values: [],
    parts: () => whole(<NotFoundPage drawing={shortChart()} isDeadLink />),
  },
  'result-sent': {
    title: signUpText.toasts.sent.title,
    styles: small,
    values: ['address', 'receipt'],
    parts: () => whole(<SentPage address={address} receipt={receipt} />),
  },
  'result-already-on-list': {
    title: signUpText.toasts.alreadyOnList.title,
    styles: small,
    values: ['address', 'receipt'],
    parts: () => whole(<AlreadyOnListPage address={address} receipt={receipt} />),
  },
  receipt: {
    title: resultPages.receipt.title,
    styles: small,
    values: ['tag', 'heading', 'text', 'receipt'],
    parts: () => whole(<ReceiptPage tag="{{tag}}" heading="{{heading}}" text="{{text}}" receipt={receipt} />),
  },
  'result-invalid': {
    title: retryPages.invalid.heading,
    styles: [...formSheets, ...small],
    values: ['address', 'form', 'campaign'],
    parts: () => ({}),
  },
  'result-error': {
    title: signUpText.toasts.refused.title,
    styles: [...formSheets, ...small],
    values: ['address', 'form', 'campaign'],
    parts: () => ({}),
  },
  kit: {
    title: personalPage.title,
    styles: ['frame/small-page', ...kitSheets],
    values: ['address', 'token'],
    module: 'personal-page',
    parts: (files) => whole(<PersonalPage address={address} token={token} files={files} />),
  },
  announcements: {
    title: resultPages.announcements.heading,
    styles: small,
    values: ['address', 'token'],
    parts: () => whole(<AnnouncementsPage address={address} token={token} />),
  },
  unsubscribe: {
    title: resultPages.unsubscribe.heading,
    styles: small,
    values: ['address', 'token'],
    parts: () => whole(<UnsubscribePage address={address} token={token} />),
  },
  unsubscribed: {
    title: unsubscribed.heading,
    styles: small,
    values: ['address', 'token'],
    parts: () => whole(<DonePage {...unsubscribed} text={unsubscribed.text.join(address)} />),
  },
  block: {
    title: resultPages.block.heading,
    styles: small,
    values: ['address', 'token'],
    parts: () => whole(<BlockPage address={address} token={token} />),
  },
  blocked: {
    title: resultPages.blocked.heading,
    styles: small,
    values: ['token'],
    parts: () => whole(<BlockedPage token={token} />),
  },
  unblocked: {
    title: resultPages.unblocked.heading,
    styles: small,
    values: [],
    parts: () => whole(<DonePage {...resultPages.unblocked} narrow />),
  },
  erased: {
    title: erased.heading,
    styles: small,
    values: [],
    parts: () => whole(<DonePage {...erased} narrow />),
  },
  'erased-with-traces': {
    title: erased.heading,
    styles: small,
    values: [],
    parts: () => whole(<DonePage {...erased} text={erased.textWithTraces} narrow />),
  },
} satisfies Record<LivePageName, PageEntry> & Record<string, PageEntry>

export type PageName = keyof typeof pages

/** The values that the server fills into each page. */
export type RequestValues = {
  [Name in PageName]: Readonly<Record<(typeof pages)[Name]['values'][number], string>>
}

/** Double braces that a visitor is to read or to type are written so that the server does not take them for its own. */
function whole(page: ReactNode): StaticParts {
  return {
    page: html(page).replaceAll(
      /\{\{(?!(?:address|token|publicUrl|whatChanged|receipt|tag|heading|text)\}\})/g,
      '&#123;&#123;',
    ),
  }
}
