import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import { pages as table, type PageName } from './pages.tsx'
import { renderPages } from './render-pages.tsx'

const pages = renderPages({
  startScript: 'start()',
  modules: {
    'hydrate-page': ['/assets/hydrate-page-x.js', '/assets/react-x.js'],
    'personal-page': ['/assets/personal-page-x.js'],
    'not-found': ['/assets/not-found-x.js'],
  },
  fonts: [{ url: '/assets/besley-x.woff2' }],
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
/**
 * TradingView fills these in: a visitor reads them, so no value of the server may have such a name.
 */
const ofTradingView = /^(?:strategy\..+|ticker|close|timenow|exchange)$/

test('every placeholder is a value that the server has for that page', () => {
  const fixed = ['publicUrl', 'functionsUrl', 'anonKey', 'supportEmail']
  for (const [page, html] of everyPage) {
    const parts = ['whatChanged', 'receiptLink'] // HTML, not values
    const known = [...fixed, ...table[page as PageName].values, ...parts]
    expect(known.filter((name) => ofTradingView.test(name))).toEqual([])
    for (const [, name = ''] of html.matchAll(/\{\{(.*?)\}\}/gs)) {
      if (!ofTradingView.test(name)) expect(known).toContain(name)
    }
  }
})

test.each(Object.entries(table))(
  '%s shows every value that the server is asked for',
  (page, { values }) => {
    for (const value of values) expect(pages[page as PageName]).toContain(`{{${value}}}`)
  },
)

test('only the landing page has the tags for search engines and link previews', () => {
  const { landing, ...others } = pages
  for (const tag of [
    `<title>${landingPage.title.replaceAll('&', '&amp;')}</title>`,
    '<meta name="description"',
    '<link rel="canonical" href="{{publicUrl}}/"/>',
    '<meta property="og:image" content="{{publicUrl}}/og.png"/>',
    '<meta name="twitter:card" content="summary_large_image"/>',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>',
    '<meta name="theme-color" content="#101517" media="(prefers-color-scheme:dark)"/>',
  ]) {
    expect(landing).toContain(tag)
  }
  for (const html of Object.values(others)) {
    expect(html).toContain('<meta name="robots" content="noindex"/>')
  }
})

/** The text as a visitor reads it: no markup, no entities, white space as it shows. */
function words(html: string): string {
  return html
    .replace(/^.*<body/s, '<body')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

// Typed out because these texts are fixed byte for byte.
test.each([
  '100% Free, No Credit Card Required',
  'Download Now for Free',
  "What's Included",
  'How It Works',
  'A note from the creator',
  'Get My Free Bot',
  'No spam. Unsubscribe anytime. Your email is safe with us.',
  `© 2025 ${brand.name}`,
  'in under 10 minutes.',
  'Trading involves risk.',
])('the landing page says %j once', (text) => {
  expect(words(pages.landing).split(text)).toHaveLength(2)
})

test('only the landing page loads React; the others load a script of their own or none', () => {
  const expected: Record<string, string> = {
    landing: '/assets/hydrate-page-x.js /assets/react-x.js',
    kit: '/assets/personal-page-x.js',
    'not-found': '/assets/not-found-x.js',
    'kit-not-found': '/assets/not-found-x.js',
  }
  for (const [page, html] of everyPage) {
    const [, modules] = /data-modules="([^"]*)"/.exec(html) ?? []
    expect(modules, page).toBe(expected[page] ?? '')
  }
})

test('the personal page lists each file with its size and checksum, and changes things by POST only', () => {
  const html = pages.kit
  for (const fact of ['own.pine', 'own.pdf', '1.2.3', '4.3 kB', '987 bytes', 'abc', 'def']) {
    expect(words(html)).toContain(fact)
  }
  expect(html).toContain('href="/kit/{{token}}/ema-crossover.pine"')
  expect(html).toContain('href="/kit/{{token}}/setup-guide.pdf"')
  expect(html).toMatch(/<form action="\/kit\/{{token}}\/erase" method="post">/)
  expect(pages.unsubscribe).toMatch(/<form action="\/kit\/{{token}}\/unsubscribe" method="post">/)
})
