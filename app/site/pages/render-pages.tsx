import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { SiteContent } from '#site/site-content.ts'
import { placeholder, writePlaceholders, writePlaceholdersAsText } from '#site/text/placeholders.ts'
import { ContentContext, useContent } from '#site/text/use-content.ts'
import { ToasterRoot } from './frame/frame.tsx'
import { PicturesContext } from './frame/page-pictures.ts'
import { type PageEntry, sitePages, type PageSource } from './pages.tsx'
import { Leaving, leavingStates } from './small-pages/personal-page/personal-page.tsx'
import {
  Arrival,
  TestAddress,
  testAddressStates,
} from './small-pages/personal-page/alert/test-address.tsx'
import { WhatChanged } from './small-pages/personal-page/what-changed.tsx'
import { AllNotes } from './small-pages/all-notes.tsx'
import type { PageAssets } from './page-assets.ts'
import { announcementStates, type PageModule, type PageName, pageTable } from './page-table.ts'
import { styleFor, styleWithoutScript } from './styles/style-for.ts'

/** Every document of the site, complete but for the `{placeholders}` the server fills. */
export function renderPages(source: PageSource, assets: PageAssets): Record<PageName, string> {
  const entries = sitePages(source)
  const pages = Object.entries(pageTable).map(([name, { module }]) => {
    const entry = entries[name as PageName] // a key of the table
    return [name, renderPage({ name, module, ...entry }, source, assets)]
  })
  return Object.fromEntries(pages) as Record<PageName, string> // the same names
}

/** The notes under the forms, as a document for the owner. `address`: of an example. */
export function renderNotes(content: SiteContent, assets: PageAssets, address: string): string {
  const page = <AllNotes content={content} address={address} />
  const notes = { name: 'notes', module: 'small-page', title: 'Notes', page } as const
  return renderPage(notes, { content }, assets)
}

/**
 * The parts of the personal page that differ by visitor. One for each version that their mail may
 * have had and each state of consent; the server puts them in. An unknown version is empty.
 */
export function renderParts(content: SiteContent): Record<string, string> {
  const { releases } = content
  const render = (part: ReactNode) =>
    writePlaceholders(renderToStaticMarkup(<ContentContext value={content}>{part}</ContentContext>))
  const parts = [...releases, undefined].flatMap((first) =>
    announcementStates.map((announcements): [string, string] => [
      `what-changed-${first?.version ?? ''}-${announcements}`,
      render(<WhatChanged releases={releases} first={first} announcements={announcements} />),
    ]),
  )
  const leaving = leavingStates.map((state): [string, string] => [
    `leaving-${state}`,
    render(<Leaving state={state} />),
  ])
  const testAddress = testAddressStates.map((state): [string, string] => [
    `test-address-${state}`,
    render(<TestAddress state={state} />),
  ])
  const arrival = render(<Arrival />)
  return Object.fromEntries([...parts, ...leaving, ...testAddress, ['test-arrival', arrival]])
}

type RenderSource = Pick<PageSource, 'content'> & Partial<Pick<PageSource, 'pictures'>>

interface Document extends PageEntry {
  readonly name: string
  readonly module: PageModule
}

function renderPage(
  { name, page, words, ...entry }: Document,
  { content, pictures }: RenderSource,
  assets: PageAssets,
): string {
  const isLanding = name === 'landing'
  const inner = (
    <>
      {isLanding ? page : <div className="sheet axis">{page}</div>}
      <ToasterRoot />
    </>
  )
  const app = renderToStaticMarkup(
    <ContentContext value={content}>
      <PicturesContext value={pictures ?? {}}>{inner}</PicturesContext>
    </ContentContext>,
  )
  const html = renderToStaticMarkup(
    <ContentContext value={content}>
      <html lang={content.brand.language}>
        <Head isLanding={isLanding} entry={entry} assets={assets} />
        <body>
          <div
            id="app"
            data-page={name}
            {...(isLanding && valueAttributes)}
            dangerouslySetInnerHTML={{ __html: writePlaceholders(app) }}
          />
          {words && <WordsForBrowser words={words} />}
          {/* Inline, so that it waits for no request, and last: docs/decisions/0011. */}
          <script
            data-modules={assets.modules[entry.module].join(' ')}
            dangerouslySetInnerHTML={{ __html: assets.startScript }}
          />
        </body>
      </html>
    </ContentContext>,
  )
  return `<!doctype html>${writePlaceholdersAsText(html)}`
}

/** As data, which a content security policy does not count as a script. */
function WordsForBrowser({ words }: { words: object }) {
  // No text ends the element, and none is taken for a placeholder.
  const json = JSON.stringify(words)
    .replaceAll('<', '\\u003c')
    .replaceAll(/\{(?=\w+\})/g, '\\u007b')
  return <script type="application/json" id="words" dangerouslySetInnerHTML={{ __html: json }} />
}

/** For the forms, which read them from here: app/site/pages/sign-up/use-sign-up.ts. */
const valueAttributes = {
  'data-functions-url': placeholder('functionsUrl'),
  'data-anon-key': placeholder('anonKey'),
  'data-support-email': placeholder('supportEmail'),
}

interface HeadProps {
  isLanding: boolean
  entry: Pick<Document, 'title' | 'description' | 'module'>
  assets: PageAssets
}

/** Everything between <head> and </head>. `{publicUrl}` is filled by the running server. */
function Head({ isLanding, entry, assets }: HeadProps) {
  const { brand, palette } = useContent()
  const { title, description, module } = entry
  return (
    <head>
      <meta charSet="utf-8" />
      <title>{isLanding ? title : `${title} · ${brand.name}`}</title>
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <style dangerouslySetInnerHTML={{ __html: styleFor(module, palette, assets) }} />
      <noscript>
        <style dangerouslySetInnerHTML={{ __html: styleWithoutScript }} />
      </noscript>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={palette.light.paper} media="(prefers-color-scheme:light)" />
      <meta name="theme-color" content={palette.dark.paper} media="(prefers-color-scheme:dark)" />
      {description === undefined ? (
        <meta name="robots" content="noindex" />
      ) : (
        <SearchTags title={title} description={description} />
      )}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="icon" href="/icon-192.png" type="image/png" sizes="192x192" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </head>
  )
}

const publicUrl = placeholder('publicUrl')

/** For search engines and link previews. */
function SearchTags({ title, description }: { title: string; description: string }) {
  const { brand, landingPage } = useContent()
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={`${publicUrl}/`} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={`${publicUrl}/`} />
      <meta property="og:image" content={`${publicUrl}/og.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={landingPage.shareImageAlt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
