import { beforeAll, describe, expect, test, vi } from 'vitest'
import { typesetGuide } from '#lab/artwork/typeset.ts'
import { readPdf, type ReadPdf } from '#rigs/read-pdf.ts'
import { brand } from '#content/brand.ts'
import type { Offer } from '#content/offer.ts'
import { renderStarterEmail } from '#mail/starter-email.tsx'
import { renderPages } from './render-pages.tsx'

// The pages with content of the owner's own: script, guide, offer, and links at the foot.
vi.mock('#content/brand.ts', async (original) => {
  const { brand: shipped } = await original<typeof import('#content/brand.ts')>()
  return { brand: { ...shipped } }
})
const content = vi.hoisted(() => ({ offer: undefined as Offer | undefined }))
vi.mock('#content/offer.ts', () => content)
const kit = vi.hoisted(() => ({
  script: { name: 'rsi-turn.pine', isYourOwn: true },
  guide: { name: 'setup-guide.pdf', isYourOwn: false },
}))
vi.mock('#content/kit.ts', () => ({ kit }))
vi.mock('#kit/given-files.ts', () => ({
  givenScript: () => `//@version=6
// RSI turn
// Version 2.1.0, 2026-12-01
strategy("RSI turn", "RSI")
length = input.int(14, "Length", tooltip = "Bars it looks back.")
if ta.crossover(ta.rsi(close, length), 30)
    strategy.entry("Long", strategy.long)
`,
  ownGuide: () => undefined,
}))

const file = { mediaType: 'text/plain', version: '2.1.0', sha256: 'abc', bytes: 4321 }
const rendered = () =>
  renderPages({
    startScript: 'start()',
    modules: {},
    fonts: [{ url: '/assets/x.woff2' }],
    kit: [
      { ...file, name: 'ema-crossover.pine', savedAs: 'rsi-turn.pine' },
      {
        ...file,
        name: 'setup-guide.pdf',
        savedAs: 'setup-guide.pdf',
        mediaType: 'application/pdf',
      },
    ],
  })

const hollowBars = '<path fill="var(--paper)" stroke="var(--ink2)"'

describe("with a script of the owner's own", () => {
  test('the landing page shows that file and nothing of the run of ours', () => {
    const { landing } = rendered()
    expect(landing).toContain('rsi-turn.pine')
    expect(landing).toContain('strategy.entry')
    expect(landing).not.toContain('ema-crossover')
    expect(landing).not.toMatch(
      /Entry \d|Exit \d|107\.09|crosses EMA|class="c-(?:fast|slow)"|about-fast/,
    )
    expect(landing).toContain(hollowBars)
  })

  test('the 404 page has the prices without the lines', () => {
    expect(rendered()['not-found']).toContain(hollowBars)
    expect(rendered()['not-found']).not.toContain('class="c-fast"')
  })

  test('the personal page shows the name of the file and links its permanent address', () => {
    const { kit: page } = rendered()
    expect(page).toContain('<code>rsi-turn.pine</code>')
    expect(page).toContain('href="/kit/{{token}}/ema-crossover.pine"')
    expect(page).toContain('Bars it looks back.')
    expect(page).not.toMatch(
      /guide-figure-(?:crossing|report)|TradersPost|id="bridge"|Connect your bridge/,
    )
  })

  describe('the guide', () => {
    let guide: ReadPdf
    beforeAll(async () => {
      guide = await readPdf(await typesetGuide())
    })

    test('is of its version, lists its inputs, and shows no run and no messages of ours', () => {
      const text = guide.pages.map((page) => page.text).join('\n')
      expect(guide.title).toContain('2.1.0')
      expect(text).toContain('Bars it looks back.')
      expect(text).not.toMatch(/Entry 2|TradersPost|Illustration on sample data/)
    })

    test('names each of its pages in the outline', () => {
      expect(guide.outline).toHaveLength(guide.pages.length)
    })
  })
})

test("with a guide of the owner's own the pages show nothing of our guide", () => {
  kit.guide.isYourOwn = true
  const { kit: page, landing } = rendered()
  kit.guide.isYourOwn = false
  expect(page).not.toContain('class="guide-step"')
  expect(landing).not.toContain('class="miniature"')
})

test('an offer stands on the personal page after the switch for news, and as one line in the mail', () => {
  const offer = {
    title: 'The course',
    text: 'Six evenings.',
    linkText: 'Read more',
    url: 'https://x.example/c',
  }
  expect(rendered().kit).not.toContain('id="offer"')
  expect(renderStarterEmail().text).not.toContain('The course')
  content.offer = offer
  const [page, { html, text }] = [rendered().kit, renderStarterEmail()]
  content.offer = undefined
  expect(page).toMatch(
    /\{\{whatChanged\}\}.*The course.*Six evenings\..*href="https:\/\/x\.example\/c"/s,
  )
  expect(text).toContain('The course: Six evenings. Read more:\nhttps://x.example/c\n')
  expect(html).toContain('href="https://x.example/c"')
})

test("the footer of every page and of the mail has the owner's links, and none where there are none", () => {
  const all = () => [...Object.values(rendered()), renderStarterEmail().html]
  for (const html of all()) expect(html).not.toMatch(/Privacy|Imprint|class="legal"/)
  Object.assign(brand, { imprintUrl: 'https://x.example/imprint' })
  for (const html of all()) {
    expect(html).not.toContain('Privacy')
    expect(html).toMatch(/href="https:\/\/x\.example\/imprint"[^>]*>Imprint</)
  }
  Object.assign(brand, { privacyUrl: 'https://x.example/privacy' })
  for (const html of all()) {
    expect(html).toMatch(/href="https:\/\/x\.example\/privacy"[^>]*>Privacy</)
  }
  Object.assign(brand, { privacyUrl: '', imprintUrl: '' })
})
