import { describe, expect, test } from 'vitest'
import { drawGuide } from '#rigs/drawn-guide.ts'
import { bundlePageStyles } from '#build/bundle/page-styles.ts'
import { projectRoot } from '#build/inputs.ts'
import { shippedScript } from '#lab/pine/pine-runner.ts'
import { readPdf } from '#rigs/read-pdf.ts'
import { type Content, defaultContent } from '#content/content.ts'
import { kitFiles } from '#site/kit/kit-files.ts'
import { renderStarterEmail } from '#site/mail/starter-email.tsx'
import { renderPages } from './render-pages.tsx'

// The pages with content of the owner's own: script, guide, offer, and links at the foot.
const ownFile = `//@version=6
// RSI turn
// Version 2.1.0, 2026-12-01
strategy("RSI turn", "RSI")
length = input.int(14, "Length", tooltip = "Bars it looks back.")
if ta.crossover(ta.rsi(close, length), 30)
    strategy.entry("Long", strategy.long)
`
const { kit, landingPage } = defaultContent
const ownScript: Content = {
  ...defaultContent,
  releases: [],
  kit: { ...kit, script: { name: 'rsi-turn.pine', isYourOwn: true } },
}

const guidePage = { url: '/guide-page.png?abc', width: 900, height: 1273 }

const styles = await bundlePageStyles(projectRoot)

function rendered(content: Content) {
  const script = content.kit.script.isYourOwn ? ownFile : shippedScript()
  const assets = {
    startScript: 'start()',
    modules: { 'landing-page': [], 'personal-page': [], 'not-found': [], 'small-page': [] },
    fonts: [{ url: '/assets/x.woff2' }],
    styles,
  }
  const bytes = { script: Buffer.from(script), guide: Buffer.from('%PDF') }
  const files = kitFiles(bytes, content.kit)
  return renderPages({ content, script, files, pictures: { guidePage } }, assets)
}

describe("with a script of the owner's own", () => {
  test('the landing page shows that file and nothing of the run of ours', () => {
    const { landing } = rendered(ownScript)
    expect(landing).toContain('rsi-turn.pine')
    expect(landing).toContain('strategy.entry')
    expect(landing).not.toContain('ema-crossover')
    expect(landing).not.toMatch(/Entry \d|Exit \d|107\.09|crosses EMA|about-fast|class="chart"/)
  })

  test('the card of alerts is left out until the owner says what the script sends', () => {
    const { whatsIncluded } = landingPage
    const { alerts } = whatsIncluded
    expect(rendered(ownScript).landing).not.toContain(alerts.heading[1])
    const yourMessages = [{ mark: 'up', name: 'Long', text: '{\n  "side": "long"\n}' }] as const
    const words = { ...whatsIncluded, alerts: { ...alerts, yourMessages } }
    const { landing } = rendered({
      ...ownScript,
      landingPage: { ...landingPage, whatsIncluded: words },
    })
    expect(landing).toContain(alerts.heading[1])
    expect(landing).toContain('&quot;side&quot;: <b>&quot;long&quot;</b>')
  })

  test('the 404 page has no chart', () => {
    expect(rendered(defaultContent)['not-found']).toContain('class="chart"')
    expect(rendered(ownScript)['not-found']).not.toContain('class="chart"')
  })

  test('the personal page shows and links the file by its name', () => {
    const { kit: page } = rendered(ownScript)
    expect(page).toContain('<code translate="no">rsi-turn.pine</code>')
    expect(page).toContain('href="/kit/{token}/rsi-turn.pine"')
    expect(page).toContain('Bars it looks back.')
    expect(page).not.toMatch(
      /guide-figure-(?:crossing|report)|TradersPost|id="bridge"|Connect your bridge/,
    )
  })

  describe('the guide', async () => {
    const guide = await readPdf(await drawGuide(ownScript, ownFile))

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
  const content = { ...ownScript, kit: { ...kit, guide: { ...kit.guide, isYourOwn: true } } }
  const { kit: page, landing } = rendered(content)
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
  expect(rendered(defaultContent).kit).not.toContain('id="offer"')
  expect(renderStarterEmail(defaultContent).text).not.toContain('The course')
  const content = { ...defaultContent, offer }
  const { html, text } = renderStarterEmail(content)
  expect(rendered(content).kit).toMatch(
    /\{whatChanged\}.*The course.*Six evenings\..*href="https:\/\/x\.example\/c"/s,
  )
  expect(text).toContain('The course: Six evenings. Read more:\nhttps://x.example/c\n')
  expect(html).toContain('href="https://x.example/c"')
})

test("the footer of every page and of the mail has the owner's links, and none where there are none", () => {
  const all = (links: { privacyUrl: string; imprintUrl: string }) => {
    const content = { ...defaultContent, brand: { ...defaultContent.brand, ...links } }
    return [...Object.values(rendered(content)), renderStarterEmail(content).html]
  }
  for (const html of all({ privacyUrl: '', imprintUrl: '' })) {
    expect(html).not.toMatch(/Privacy|Imprint|class="legal"/)
  }
  const imprintUrl = 'https://x.example/imprint'
  for (const html of all({ privacyUrl: '', imprintUrl })) {
    expect(html).not.toContain('Privacy')
    expect(html).toMatch(/href="https:\/\/x\.example\/imprint"[^>]*>Imprint</)
  }
  for (const html of all({ privacyUrl: 'https://x.example/privacy', imprintUrl })) {
    expect(html).toMatch(/href="https:\/\/x\.example\/privacy"[^>]*>Privacy</)
  }
})
