import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { brand } from '#content/brand.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import type { KitRelease } from '#content/releases.ts'
import { dark, light } from '#content/palette.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { App } from './landing-page/landing-page.tsx'
import { type PageEntry, type PageName, pages, receiptLink } from './pages.tsx'
import { announcementStates, WhatChanged } from './small-pages/personal-page/what-changed.tsx'
import { type FontFile, styleFor, styleWithoutScript } from './styles/style-for.ts'

/** Addresses of the hashed files, the start script, and what the build knows of the kit. */
export interface PageAssets {
  /** The source of the script that is inline in every page. */
  startScript: string
  /** The addresses of the modules of each entry, which is the first of them. */
  modules: Readonly<Record<string, readonly string[]>>
  fonts: readonly FontFile[]
  kit: readonly KitFile[]
}

/** Every document of the site, complete but for the `{{placeholders}}` the server fills. */
export function renderPages(assets: PageAssets): Record<PageName, string> {
  const names = Object.keys(pages) as PageName[] // the table has exactly these keys
  return Object.fromEntries(names.map((page) => [page, renderPage(page, assets)])) as Record<
    PageName,
    string
  >
}

/**
 * The parts of pages that the server puts in: the link to a receipt, and what differs by visitor on
 * the personal page, for each version they may have come with and each state of their consent.
 * Without releases the version is empty.
 */
export function renderParts(releases: readonly KitRelease[]): Record<string, string> {
  const firsts = releases.length > 0 ? releases : [undefined]
  const parts = firsts.flatMap((first) =>
    announcementStates.map((announcements): [string, string] => [
      `what-changed-${first?.version ?? ''}-${announcements}`,
      renderToStaticMarkup(
        <WhatChanged releases={releases} first={first} announcements={announcements} />,
      ),
    ]),
  )
  return { 'receipt-link': renderToStaticMarkup(receiptLink), ...Object.fromEntries(parts) }
}

function renderPage(page: PageName, assets: PageAssets): string {
  const { parts }: PageEntry = pages[page]
  const rendered = parts(assets.kit)
  const isLanding = page === 'landing'
  const app = isLanding
    ? renderToString(<App parts={rendered} />)
    : `<div class="sheet axis">${rendered['page']}</div>`
  return `<!doctype html>${renderToStaticMarkup(
    <html lang={brand.language}>
      <Head page={page} assets={assets} />
      <body>
        <div
          id="app"
          data-page={page}
          {...(isLanding && valueAttributes)}
          dangerouslySetInnerHTML={{ __html: app }}
        />
      </body>
    </html>,
  )}`
}

/** For the forms, which read them from here: app/pages/sign-up/use-sign-up.ts. */
const valueAttributes = {
  'data-functions-url': '{{functionsUrl}}',
  'data-anon-key': '{{anonKey}}',
  'data-support-email': '{{supportEmail}}',
}

/** Everything between <head> and </head>. `{{publicUrl}}` is filled by the running server. */
function Head({ page, assets }: { page: PageName; assets: PageAssets }) {
  const { title, description, styles, module }: PageEntry = pages[page]
  const modules = (module && assets.modules[module]) || []
  return (
    <head>
      <meta charSet="utf-8" />
      <title>{page === 'landing' ? title : `${title} · ${brand.name}`}</title>
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      {/* Inline and first, so that the first paint waits for no request: docs/decisions/0011. */}
      <script
        data-modules={modules.join(' ')}
        dangerouslySetInnerHTML={{ __html: assets.startScript }}
      />
      <style dangerouslySetInnerHTML={{ __html: styleFor(styles, assets.fonts) }} />
      <noscript>
        <style dangerouslySetInnerHTML={{ __html: styleWithoutScript }} />
      </noscript>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={light.paper} media="(prefers-color-scheme:light)" />
      <meta name="theme-color" content={dark.paper} media="(prefers-color-scheme:dark)" />
      {description ? (
        <SearchTags title={title} description={description} />
      ) : (
        <meta name="robots" content="noindex" />
      )}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="icon" href="/icon-192.png" type="image/png" sizes="192x192" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    </head>
  )
}

const publicUrl = '{{publicUrl}}'

/** For search engines and link previews. */
function SearchTags({ title, description }: { title: string; description: string }) {
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
