import { beforeAll, describe, expect, test, vi } from 'vitest'
import { typesetGuide } from '#lab/artwork/typeset.ts'
import { readPdf, type ReadPdf } from '#rigs/read-pdf.ts'
import { renderPages } from './render-pages.tsx'

// The pages when the owner gives away a script, and then a guide, of their own.
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
      { ...file, name: 'setup-guide.pdf', savedAs: 'setup-guide.pdf', mediaType: 'application/pdf' },
    ],
  })

describe("with a script of the owner's own", () => {
  test('the landing page shows that file and nothing of the run of ours', () => {
    const { landing } = rendered()
    expect(landing).toContain('rsi-turn.pine')
    expect(landing).toContain('strategy.entry')
    expect(landing).not.toContain('ema-crossover')
    expect(landing).not.toMatch(
      /Entry \d|Exit \d|107\.09|crosses EMA|class="c-(?:fast|slow|mark)"|about-fast/,
    )
    expect(landing).toContain('class="c-hollow"')
  })

  test('the 404 page has the prices without the lines', () => {
    expect(rendered()['not-found']).toContain('class="c-hollow"')
    expect(rendered()['not-found']).not.toContain('class="c-fast"')
  })

  test('the personal page shows the name of the file and links its permanent address', () => {
    const { kit: page } = rendered()
    expect(page).toContain('<code>rsi-turn.pine</code>')
    expect(page).toContain('href="/kit/{{token}}/ema-crossover.pine"')
    expect(page).toContain('Bars it looks back.')
    expect(page).not.toMatch(
      /guide-figure-(?:crossing|report)|TradersPost|id="(?:bridge|check)"|Connect your bridge|Check what you have/,
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

    test('has a page for everything its outline names', () => {
      expect(guide.outline.map(({ page }) => page)).toEqual(guide.pages.map((_, index) => index + 1))
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
