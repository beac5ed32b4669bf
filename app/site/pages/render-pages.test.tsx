import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { ourContent } from '#rigs/our-content.ts'
import { kitFiles } from '#site/kit/kit-files.ts'
import { fill } from '#site/text/fill.ts'
import { bundlePageStyles } from '#build/bundle/page-styles.ts'
import { projectRoot } from '#build/inputs.ts'
import { shippedScript } from '#lab/pine/pine-runner.ts'
import { byModule, type PageName, pageTable } from './page-table.ts'
import { renderPages } from './render-pages.tsx'

const content = { ...ourContent, releases: [] }
const script = shippedScript()
const files = kitFiles(
  { script: Buffer.from(script), guide: Buffer.from('%PDF') },
  content.fileNames,
)
const pictures = { guidePage: { url: '/guide-page.png?abc', width: 900, height: 1273 } }
const assets = {
  startScript: 'start()',
  modules: {
    ...byModule((_, name) => [`/assets/${name}-x.js`]),
    'landing-page': ['/assets/landing-page-x.js', '/assets/react-x.js'],
  },
  fonts: [{ url: '/assets/besley-x.woff2' }],
  styles: await bundlePageStyles(projectRoot),
}
const pages = renderPages({ content, script, files, pictures }, assets)
const everyPage = Object.entries(pages)
/** The values beside those of the table: of the site, and the parts of the personal page. */
const ofSite: Partial<Record<PageName, readonly string[]>> = {
  landing: ['publicUrl', 'functionsUrl', 'anonKey', 'supportEmail'],
  failure: ['supportEmail'],
  privacy: ['supportEmail'],
  elsewhere: ['publicUrl'],
  'result-error': ['supportEmail'],
  'result-wait': ['supportEmail'],
  kit: ['publicUrl', 'site', 'whatChanged', 'leaving', 'testAddress'],
}

test.each(everyPage)('%s has a place for each value of the server, and no other', (name, html) => {
  const page = name as PageName // a key of the table
  const found = [...html.matchAll(/\{(\w+)\}/g)].map(([, value = '']) => value)
  const expected = [...pageTable[page].values, ...(ofSite[page] ?? [])]
  expect([...new Set(found)].toSorted()).toEqual(expected.toSorted())
})

test('only the landing page has the tags for search engines and link previews', () => {
  const { landing, ...others } = pages
  for (const tag of [
    `<title>${fill(content.landingPage.title, { brand: brand.name })}</title>`,
    '<meta name="description"',
    '<link rel="canonical" href="{publicUrl}/"/>',
    '<meta property="og:image" content="{publicUrl}/og.png"/>',
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
    .replaceAll(/<script.*?<\/script>/gs, '')
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

test('only the landing page loads React; the others load a small script of their own', () => {
  const expected: Record<string, string> = {
    landing: '/assets/landing-page-x.js /assets/react-x.js',
    kit: '/assets/personal-page-x.js',
    'not-found': '/assets/not-found-x.js',
    'kit-not-found': '/assets/not-found-x.js',
  }
  for (const [page, html] of everyPage) {
    const [, modules] = /data-modules="([^"]*)"/.exec(html) ?? []
    expect(modules, page).toBe(expected[page] ?? '/assets/small-page-x.js')
  }
})

test('the script that starts a page is last: it finds all of it, and nothing waits for it', () => {
  for (const [page, html] of everyPage) {
    expect(html, page).toMatch(/<script data-modules="[^"]*">start\(\)<\/script><\/body><\/html>$/)
    expect(html.match(/<script(?! type="application)/g), page).toHaveLength(1)
  }
})

test('a fault that has nothing to do with a sign-up does not ask for an address', () => {
  expect(pages.failure).toContain(content.signUp.toasts.refused.title)
  expect(pages.failure).not.toContain('<form')
  expect(pages['result-error']).toContain('<form')
})

test('every page has the sheet of the tooltips, whose script all of them load', () => {
  for (const [page, html] of everyPage) expect(html, page).toContain('.tip-anchor')
})

test('the personal page lists each file with its size and checksum, and changes things by POST only', () => {
  const html = pages.kit
  const facts = files.flatMap(({ name, version, sha256 }) => [name, version, sha256])
  for (const fact of [...facts, `${(Buffer.byteLength(script) / 1000).toFixed(1)} kB`, '4 bytes']) {
    expect(words(html)).toContain(fact)
  }
  expect(html).toContain('href="/kit/{token}/ema-crossover.pine"')
  expect(html).toContain('href="/kit/{token}/setup-guide.pdf"')
  expect(html).toMatch(/<form action="\/kit\/\{token\}\/erase" method="post">/)
  expect(pages.unsubscribe).toMatch(/<form action="\/kit\/\{token\}\/unsubscribe" method="post">/)
})
