import type { ReactNode } from 'react'
import { consentWords } from '#contract/consent-words.ts'
import type { Content } from '#content/content.ts'
import type { SiteContent } from '#site/site-content.ts'
import type { KitFile } from '#site/kit/kit-files.ts'
import { fill } from '#site/text/fill.ts'
import { Filled } from '#site/text/filled.tsx'
import { placeholder } from '#site/text/placeholders.ts'
import { SmallPage } from './frame/small-page.tsx'
import type { PagePictures } from './frame/page-pictures.ts'
import type { PageName } from './page-table.ts'
import { LandingPage } from './landing-page/landing-page.tsx'
import { NotFoundPage } from './small-pages/not-found-page.tsx'
import { PrivacyPage } from './small-pages/privacy-page.tsx'
import { PersonalPage, personalPageWords } from './small-pages/personal-page/personal-page.tsx'
import {
  AnswerPage,
  ButtonPage,
  DonePage,
  ElsewherePage,
  ErrorPage,
  InvalidAddressPage,
  SignUpErrorPage,
  SlipPage,
  UnsubscribedPage,
} from './small-pages/small-pages.tsx'
import { Address } from './ui/address.tsx'
import { WordingField } from './small-pages/wording-field.tsx'
import { formWords } from './sign-up/form-words.ts'

/** The source of the pages. */
export interface PageSource {
  readonly content: SiteContent
  /** The text of the script that is given away. */
  readonly script: string
  /** The files that are given away. */
  readonly files: readonly KitFile[]
  readonly pictures: PagePictures
  /** The address of the words for trying lengths. Undefined: the script is not ours. */
  readonly lengthsUrl?: string | undefined
}

export interface PageEntry {
  readonly title: string
  /** For search engines; a page without one is not indexed. */
  readonly description?: string
  /** The part of the content that the page's script needs. It travels with the page. */
  readonly words?: object
  readonly page: ReactNode
}

const address = placeholder('address')
const token = placeholder('token')
const kitUrl = `/kit/${token}`

/** Every page of the site. A new one needs an entry here, and a line in page-table.ts. */
export function sitePages(source: PageSource): Record<PageName, PageEntry> {
  const { content } = source
  return {
    landing: {
      title: fill(content.landingPage.title, { brand: content.brand.name }),
      description: content.landingPage.description,
      words: { ...formWords(content), lengthsUrl: source.lengthsUrl },
      page: <LandingPage script={source.script} />,
    },
    'not-found': notFound(content),
    'kit-not-found': notFound(content, content.notFound.deadLink),
    'opens-soon': smallPage(
      content.resultPages.opensSoon.heading,
      <SmallPage {...content.resultPages.opensSoon} />,
    ),
    failure: smallPage(content.signUp.toasts.refused.title, <ErrorPage />),
    elsewhere: smallPage(content.resultPages.elsewhere.heading, <ElsewherePage />),
    privacy: smallPage(content.landingPage.legalLinks.privacy, <PrivacyPage />),
    ...formAnswers(content),
    kit: personalPage(source),
    news: newsPage(content),
    ...leavingPages(content),
  }
}

function notFound({ notFound: { title } }: Content, deadLink?: string): PageEntry {
  return {
    title,
    page: <NotFoundPage deadLink={deadLink} />,
  }
}

/** The pages for forms that are posted without JavaScript. */
function formAnswers({ resultPages, signUp }: Content) {
  const { sent, alreadyOnList, invalid } = resultPages
  const { toasts } = signUp
  const { title, description } = toasts.sent
  const listed = toasts.alreadyOnList
  return {
    'result-sent': smallPage(
      title,
      <AnswerPage {...sent} heading={title} text={description} isSettled={false} />,
    ),
    'result-already-on-list': smallPage(
      listed.title,
      <AnswerPage {...alreadyOnList} heading={listed.title} text={listed.description} isSettled />,
    ),
    'result-invalid': smallPage(invalid.heading, <InvalidAddressPage />),
    'result-slip': smallPage(
      fill(signUp.slip.question, { meant: placeholder('meant') }),
      <SlipPage />,
    ),
    'result-error': smallPage(toasts.refused.title, <SignUpErrorPage />),
    'result-wait': smallPage(toasts.refused.title, <SignUpErrorPage isWait />),
  }
}

function personalPage({ content, script, files }: PageSource): PageEntry {
  return {
    title: content.personalPage.title,
    words: personalPageWords(content),
    page: <PersonalPage address={address} token={token} files={files} script={script} />,
  }
}

/** Behind the mail's question for consent. */
function newsPage(content: Content): PageEntry {
  const { mail } = consentWords(content)
  return smallPage(
    mail.heading,
    <ButtonPage
      {...mail}
      action={`${kitUrl}/news#what-changed`}
      fields={<WordingField />}
      link={{ words: content.resultPages.news.link, href: kitUrl }}
    />,
  )
}

/** The pages behind the mail's links that end something. */
function leavingPages({ resultPages }: Content) {
  const { announcements, unsubscribe, unsubscribed, block, blocked, unblocked } = resultPages
  const { textWhenOverwritten, ...erased } = resultPages.erased
  return {
    announcements: question(announcements, '/announcements#what-changed', '/unsubscribe'),
    unsubscribe: question(unsubscribe, '/unsubscribe', ''),
    unsubscribed: smallPage(unsubscribed.heading, <UnsubscribedPage />),
    block: question(block, '/block', ''),
    blocked: smallPage(blocked.heading, <ButtonPage {...blocked} action={`${kitUrl}/unblock`} />),
    unblocked: smallPage(unblocked.heading, <DonePage {...unblocked} narrow />),
    erased: smallPage(erased.heading, <DonePage {...erased} narrow />),
    'erased-until-overwritten': smallPage(
      erased.heading,
      <DonePage {...erased} text={textWhenOverwritten} narrow />,
    ),
  }
}

function smallPage(title: string, page: ReactNode): PageEntry {
  return { title, page }
}

interface Question {
  heading: string
  text: string
  button: string
  link: string
}

/** Makes a page that asks for confirmation. Both paths are below that of the personal page. */
function question({ text, link, ...words }: Question, action: string, linkTo: string): PageEntry {
  return smallPage(
    words.heading,
    <ButtonPage
      {...words}
      ends
      text={<Filled text={text} address={<Address>{address}</Address>} />}
      action={kitUrl + action}
      link={{ words: link, href: kitUrl + linkTo }}
    />,
  )
}
