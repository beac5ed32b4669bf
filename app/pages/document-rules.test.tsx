import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { landingPage } from '#content/landing-page.ts'
import { renderPages } from './render-pages.tsx'

const pages = renderPages({
  script: '/assets/entry-browser-x.js',
  preloads: [],
  font: '/assets/besley-x.woff2',
  kit: [
    {
      ...{ name: 'ema-crossover.pine', savedAs: 'own.pine', mediaType: 'text/plain' },
      ...{ version: '1.2.3', sha256: 'abc', bytes: 4321 },
    },
    {
      ...{ name: 'setup-guide.pdf', savedAs: 'own.pdf', mediaType: 'application/pdf' },
      ...{ version: '1.2.3', sha256: 'def', bytes: 987 },
    },
  ],
})
const everyPage = Object.entries(pages)

test.each(everyPage)('%s: one h1, every id once, every reference leads somewhere', (_, html) => {
  expect(html.match(/<h1/g)).toHaveLength(1)
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids).toEqual([...new Set(ids)])
  for (const [, target] of html.matchAll(/(?:aria-labelledby|aria-describedby|for)="([^"]*)"/g))
    expect(ids).toContain(target)
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})

test.each(everyPage)('%s passes a content security policy by hashes', (_, html) => {
  expect(html).not.toMatch(/<[^>]*\sstyle=/)
  expect(html).not.toMatch(/<[^>]*\son\w+=/)
  expect(html.match(/<style/g)).toHaveLength(1)
  const scripts = html.match(/<script[^>]*>/g) ?? []
  for (const script of scripts) expect(script).toMatch(/src="\/assets\/|application\/ld\+json/)
})

test.each(everyPage)(
  '%s does not wait for its script: one that is deferred holds back the first paint',
  (_, html) => {
    const scripts = html.match(/<script[^>]*src=[^>]*>/g) ?? []
    for (const script of scripts) expect(script).toMatch(/ async/)
  },
)

test.each(everyPage)('%s asks for nothing from elsewhere', (_, html) => {
  const loaded = [...html.matchAll(/<(?:link|script|img|source)[^>]*(?:href|src)="([^"]*)"/g)].map(
    ([, url]) => url,
  )
  for (const url of loaded) expect(url).toMatch(/^(?:\/(?!\/)|\{\{publicUrl\}\}\/)/)
})

test('double braces are placeholders the server knows, and nothing else', () => {
  const known = {
    everywhere: ['publicUrl', 'anonKey', 'supportEmail', 'resendAfterSeconds'],
    address: [
      'result-sent',
      'result-already-on-list',
      'result-invalid',
      'kit',
      'unsubscribe',
      'unsubscribed',
    ],
    token: ['kit', 'unsubscribe', 'unsubscribed'],
  }
  for (const [page, html] of everyPage) {
    const names = new Set([...html.matchAll(/\{\{(.*?)\}\}/gs)].map(([, name]) => name ?? ''))
    for (const name of names) {
      if (name === 'address') expect(known.address).toContain(page)
      else if (name === 'token') expect(known.token).toContain(page)
      else if (name === 'form' || name === 'source') expect(page).toBe('result-invalid')
      else expect(known.everywhere).toContain(name)
    }
  }
})

test('search engines and link previews find the landing page, and only it', () => {
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
    'as="font"',
  ])
    expect(landing).toContain(tag)
  for (const html of Object.values(others)) expect(html).toContain('<meta name="robots" content="noindex"/>')
})

test('the landing page fits the first congestion window', () => {
  expect(brotliCompressSync(pages.landing).length).toBeLessThanOrEqual(14_000)
})
