import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { chart, landingPage } from '#content/pages/landing-page.ts'
import { givenScript } from '#kit/given-files.ts'
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
  const fixed = ['publicUrl', 'functionsUrl', 'anonKey', 'supportEmail', 'resendAfterSeconds']
  for (const [page, html] of everyPage) {
    const parts = ['whatChanged', 'receiptLink'] // HTML, not values
    const known = [...fixed, ...table[page as PageName].values, ...parts]
    for (const [, name] of html.matchAll(/\{\{(.*?)\}\}/gs)) expect(known).toContain(name)
  }
})

test.each(Object.entries(table))('%s shows every value that the server is asked for', (page, { values }) => {
  for (const value of values) expect(pages[page as PageName]).toContain(`{{${value}}}`)
})

test('only the landing page has the tags for search engines and link previews', () => {
  const { landing, ...others } = pages
  for (const tag of [
    `<title>${landingPage.title.replaceAll('&', '&amp;')}</title>`,
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

test('the landing page has its parts in the order of the specification', () => {
  const order = [
    'No Credit Card Required',
    "What's Included",
    'How It Works',
    'A note from the creator',
    'Get My Free Bot',
    '© 2025',
  ]
  const places = order.map((text) => words(pages.landing).indexOf(text))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(Math.min(...places)).toBeGreaterThan(-1)
})

test('both copies of the form work without JavaScript', () => {
  const forms = pages.landing.match(/<form[^>]*>/g) ?? []
  expect(forms).toHaveLength(2)
  for (const form of forms) {
    expect(form).toContain('method="post"')
    expect(form).toContain('action="/functions/v1/send-starter-bot-email"')
    expect(form).not.toContain('novalidate') // until it is hydrated the browser checks
  }
  expect(new Set(forms.map((form) => /aria-label="([^"]*)"/.exec(form)?.[1])).size).toBe(2)
})

test('each form posts its name, also when the page gives it back', () => {
  const names = [
    ...(pages.landing + pages['result-invalid'] + pages['result-error']).matchAll(
      /<input type="hidden" name="form" value="([^"]*)"/g,
    ),
  ]
  expect(names.map(([, name]) => name)).toEqual(['hero', 'closing', '{{form}}', '{{form}}'])
})

test.each(['result-invalid', 'result-error'] as const)(
  '%s keeps the address, the form and the campaign that were posted',
  (page) => {
    const field = /<input[^>]*name="email"[^>]*>/.exec(pages[page])?.[0]
    expect(field).toContain('value="{{address}}"')
    expect(pages[page]).toContain('<input type="hidden" name="campaign" value="{{campaign}}"/>')
    for (const value of ['address', 'form', 'campaign'])
      expect(pages[page]).toContain(`data-${value}="{{${value}}}"`)
  },
)

test('the landing page posts no campaign: its own address has it', () => {
  expect(pages.landing).not.toContain('campaign')
})

test('the address field is recognised by phones, password managers and screen readers', () => {
  const fields = pages.landing.match(/<input(?! type="hidden")[^>]*>/g) ?? []
  expect(fields).toHaveLength(2)
  for (const field of fields) {
    for (const attribute of [
      'name="email"',
      'type="email"',
      'inputMode="email"',
      'autoComplete="email"',
      'autoCapitalize="none"',
      'spellCheck="false"',
      'placeholder="Enter your email address"',
      'required',
    ])
      expect(field).toContain(attribute)
    const id = /id="([^"]*)"/.exec(field)?.[1]
    expect(pages.landing).toContain(`for="${id}"`)
  }
})

test('every page has its live regions before they have content', () => {
  for (const [, html] of everyPage) {
    expect(html).toContain('<div role="status" aria-atomic="false"></div>')
    expect(html).toContain('<div role="alert" aria-atomic="false"></div>')
  }
})

test.skipIf(kit.script.isYourOwn)('the terms of the chart of our script carry their explanation', () => {
  for (const id of pages.landing.matchAll(/aria-describedby="(about-[^"]*)"/g))
    expect(pages.landing).toContain(`role="tooltip" id="${id[1]}"`)
  expect(words(pages.landing)).toContain(chart.fast.tip)
})

test('the 404 page has its three texts and the link home', () => {
  const text = words(pages['not-found'])
  for (const fixed of ['404', 'Oops! Page not found', 'Return to Home']) expect(text).toContain(fixed)
  expect(pages['not-found']).toMatch(/<h1[^>]*>404<\/h1>/)
  expect(pages['not-found']).toMatch(/<a [^>]*href="\/"[^>]*>Return to Home/)
})

test('the 404 page of a personal link has one more line', () => {
  const line =
    'Links from our mail never expire. If yours does not work, sign up again and you get a new one.'
  expect(words(pages['kit-not-found'])).toContain(line)
  expect(words(pages['kit-not-found'])).toContain('Oops! Page not found')
  expect(words(pages['not-found'])).not.toContain(line)
})

test('the result pages have the words of the toasts', () => {
  const expected = {
    'result-sent': [
      'Success! Check your email for the download link.',
      'The bot script and setup guide are on their way!',
      'On its way to {{address}} .',
    ],
    'result-already-on-list': [
      "You're already on the list!",
      'Check your inbox for the original email with your download.',
    ],
    'result-error': [
      'Oops! Something went wrong.',
      'Please try again or contact support if the issue persists.',
    ],
    'result-invalid': ['That address did not work.', 'Please enter a valid email address'],
  } as const
  for (const [page, texts] of Object.entries(expected) as [keyof typeof expected, readonly string[]][])
    for (const text of texts) expect(words(pages[page])).toContain(text)
  expect(pages['result-error']).toContain('href="mailto:{{supportEmail}}"')
})

test('the error page does not call the address invalid', () => {
  expect(pages['result-error']).not.toContain('aria-invalid="true"')
})

test('an erasure is called complete only once that is proved', () => {
  expect(pages['erased']).toContain('Everything is erased.')
  expect(pages['erased-with-traces']).not.toContain('Everything is erased.')
  expect(pages['erased-with-traces']).toContain('the last traces in our files go within the hour')
})

test('an invalid address is marked and explained', () => {
  const field = /<input[^>]*>/.exec(pages['result-invalid'])?.[0]
  expect(field).toContain('aria-invalid="true"')
  const fault = /aria-describedby="([^"]*)"/.exec(field ?? '')?.[1]
  expect(pages['result-invalid']).toContain(`id="${fault}"`)
})

test('only the pages with a form load React; the others load a script of their own or none', () => {
  const react = '/assets/hydrate-page-x.js /assets/react-x.js'
  const expected: Record<string, string> = {
    landing: react,
    'result-invalid': react,
    'result-error': react,
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
  for (const fact of ['own.pine', 'own.pdf', '1.2.3', '4.3 kB', '987 bytes', 'abc', 'def'])
    expect(words(html)).toContain(fact)
  expect(html).toContain('href="/kit/{{token}}/ema-crossover.pine"')
  expect(html).toContain('href="/kit/{{token}}/setup-guide.pdf"')
  expect(html).toMatch(/<form action="\/kit\/{{token}}\/erase" method="post">/)
  expect(pages.unsubscribe).toMatch(/<form action="\/kit\/{{token}}\/unsubscribe" method="post">/)
})

test('the personal page shows the whole script, byte for byte, its double braces too', () => {
  const code = /<code id="script-lines">(.*?)<\/code>/s.exec(pages.kit)?.[1] ?? ''
  const text = code
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#123;', '{')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  expect(text).toBe(givenScript())
})
