import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { landingPage } from '#content/pages/landing-page.ts'
import { noteText } from '#content/pages/note.ts'
import { pages as table, type PageName } from './pages.tsx'
import { renderPages } from './render-pages.tsx'

const pages = renderPages({
  startScript: 'start()',
  modules: {
    'hydrate-page': ['/assets/hydrate-page-x.js', '/assets/react-x.js'],
    'personal-page': ['/assets/personal-page-x.js'],
    note: ['/assets/note-x.js'],
  },
  font: '/assets/besley-x.woff2',
  kit: [
    {
      name: 'ema-crossover.pine',
      savedAs: 'own.pine',
      mediaType: 'text/plain',
      version: '1.2.3',
      sha256: 'abc',
      bytes: 4321,
    },
    {
      name: 'setup-guide.pdf',
      savedAs: 'own.pdf',
      mediaType: 'application/pdf',
      version: '1.2.3',
      sha256: 'def',
      bytes: 987,
    },
  ],
})
const everyPage = Object.entries(pages)

test.each(everyPage)('%s has one h1, unique ids, and no reference to a missing id', (_, html) => {
  expect(html.match(/<h1/g)).toHaveLength(1)
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids).toEqual([...new Set(ids)])
  for (const [, target] of html.matchAll(/(?:aria-labelledby|aria-describedby|for)="([^"]*)"/g))
    expect(ids).toContain(target)
  const filledIn = html.includes('{{whatChanged}}') ? ['what-changed'] : []
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect([...ids, ...filledIn]).toContain(target)
})

test.each(everyPage)('%s passes a content security policy by hashes', (_, html) => {
  expect(html).not.toMatch(/<[^>]*\sstyle=/)
  expect(html).not.toMatch(/<[^>]*\son\w+=/)
  const scripts = html.match(/<script[^>]*>/g) ?? []
  for (const script of scripts) expect(script).toMatch(/data-modules=|application\/ld\+json/)
})

test.each(everyPage)('%s needs no further request for its first paint', (_, html) => {
  expect(html).not.toMatch(/<script[^>]*src=|rel="(?:stylesheet|preload|modulepreload)"/)
  // With JavaScript the font is not part of any style until the start script says so.
  const [style] = /<style>[^]*?<\/style>/.exec(html) ?? []
  expect(style).toContain('.besley{--text:Besley,')
  expect(style?.replace(/\.besley\{[^}]*\}/, '')).not.toMatch(/:Besley,/)
})

test.each(everyPage)('%s has the font without JavaScript too', (_, html) => {
  expect(html).toMatch(/<noscript><style>:root\{--text:Besley,/)
})

test.each(everyPage)('%s loads nothing from another origin', (_, html) => {
  const loaded = [...html.matchAll(/<(?:link|script|img|source)[^>]*(?:href|src)="([^"]*)"/g)].map(
    ([, url]) => url,
  )
  for (const url of loaded) expect(url).toMatch(/^(?:\/(?!\/)|\{\{publicUrl\}\}\/)/)
})

test('every placeholder is a value that the server has for that page', () => {
  const fixed = ['publicUrl', 'functionsUrl', 'anonKey', 'supportEmail', 'resendAfterSeconds', 'mailsADay']
  for (const [page, html] of everyPage) {
    const parts = page === 'kit' ? ['whatChanged'] : []
    const known = [...fixed, ...table[page as PageName].values, ...parts]
    for (const [, name] of html.matchAll(/\{\{(.*?)\}\}/gs)) expect(known).toContain(name)
  }
})

test.each(Object.entries(table))('%s shows every value that the server is asked for', (page, { values }) => {
  for (const value of values) expect(pages[page as PageName]).toContain(`{{${value}}}`)
})

test.each(everyPage)(
  '%s is without the words of the note, which come when a visitor reaches for the form',
  (_, html) => {
    expect(html).not.toContain(noteText.spelledRight)
    expect(html).not.toContain(noteText.views.slow.heading)
  },
)

test('only the landing page has the tags for search engines and link previews', () => {
  const { landing, ...others } = pages
  for (const tag of [
    `<title>${landingPage.title}</title>`,
    '<meta name="description"',
    '<link rel="canonical" href="{{publicUrl}}/"/>',
    '<meta property="og:image" content="{{publicUrl}}/og.png"/>',
    '<meta name="twitter:card" content="summary_large_image"/>',
    '<script type="application/ld+json">',
    '<link rel="manifest" href="/site.webmanifest"/>',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>',
    '<meta name="theme-color" content="#101517" media="(prefers-color-scheme:dark)"/>',
  ])
    expect(landing).toContain(tag)
  for (const html of Object.values(others)) expect(html).toContain('<meta name="robots" content="noindex"/>')
})

test('the landing page fits the first congestion window', () => {
  expect(brotliCompressSync(pages.landing).length).toBeLessThanOrEqual(14_000)
})
