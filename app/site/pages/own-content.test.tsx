import { describe, expect, test } from 'vitest'
import { bundlePageStyles } from '#build/bundle/page-styles.ts'
import { projectRoot } from '#build/inputs.ts'
import { ourScript } from '#build/share/artwork.ts'
import { ourContent } from '#rigs/our-content.ts'
import { asShown } from '#site/kit/as-shown.ts'
import { kitFiles } from '#site/kit/kit-files.ts'
import { renderStarterEmail } from '#site/mail/starter-email.tsx'
import { siteContent, type SiteContent } from '#site/site-content.ts'
import type { OwnFile, OwnFiles } from '#site/source.ts'
import type { ContentValue } from '#site/words/description.ts'
import type { PagePictures } from './frame/page-pictures.ts'
import { byModule } from './page-table.ts'
import { renderPages } from './render-pages.tsx'

// The pages with content of the owner's own: script, guide, offer, and links at the foot.
const script: OwnFile = {
  name: 'rsi turn.pine',
  mediaType: 'text/plain',
  bytes: Buffer.from(`//@version=6
// Version 2.1.0, 2026-12-01
strategy("RSI turn", "RSI")
length = input.int(14, "Length", tooltip = "Bars it looks back.")
if ta.crossover(ta.rsi(close, length), 30)
    strategy.entry("Long", strategy.long)
`),
}
const guide: OwnFile = {
  name: 'My guide.pdf',
  mediaType: 'application/pdf',
  bytes: Buffer.from('%PDF'),
}

const guidePage = { url: '/guide-page.png?abc', width: 900, height: 1273 }

const styles = await bundlePageStyles(projectRoot)

function contentWith(files: OwnFiles, texts: Record<string, ContentValue> = {}): SiteContent {
  return siteContent({ difference: { texts }, files }, ourScript())
}

function rendered(content: SiteContent, files: OwnFiles = {}, more: Partial<PagePictures> = {}) {
  const bytes = files.script?.bytes ?? ourScript()
  const assets = {
    startScript: 'start()',
    modules: byModule(() => []),
    fonts: [{ url: '/assets/x.woff2' }],
    styles,
  }
  const given = kitFiles({ script: bytes, guide: Buffer.from('%PDF') }, content.fileNames)
  const shown = { content, script: asShown(bytes), files: given, pictures: { guidePage, ...more } }
  return renderPages(shown, assets)
}

describe("with a script of the owner's own", () => {
  const pages = (texts: Record<string, ContentValue> = {}) =>
    rendered(contentWith({ script }, texts), { script })

  test('the landing page shows that file, its rule and its name', () => {
    const { landing } = pages({ 'kit.rule': 'It buys when the RSI turns up.' })
    expect(landing).toContain('rsi-turn.pine')
    expect(landing).toContain('strategy.entry')
    expect(landing).toContain('for TradingView. It buys when the RSI turns up. We email you')
    expect(landing).toContain('<title>Starter Bot: a free RSI turn script with setup guide</title>')
  })

  test('the owner’s name for it takes the place of its own title', () => {
    expect(pages({ 'kit.script.name': 'Turner' }).landing).toContain('a free Turner script')
  })

  test('the card of alerts is left out until the owner says what the script sends', () => {
    const { heading } = ourContent.landingPage.whatsIncluded.alerts
    expect(pages().landing).not.toContain(heading[1])
    const messages = [{ mark: 'up', name: 'Long', text: '{\n  "side": "long"\n}' }]
    const { landing } = pages({ 'kit.messages': messages })
    expect(landing).toContain(heading[1])
    expect(landing).toContain('&quot;side&quot;: <b>&quot;long&quot;</b>')
  })

  test('the 404 page has no chart', () => {
    expect(rendered(ourContent)['not-found']).toContain('class="chart"')
    expect(pages()['not-found']).not.toContain('class="chart"')
  })

  test('the personal page shows and links the file by its name', () => {
    const { kit: page } = pages()
    expect(page).toContain('<code translate="no">rsi-turn.pine</code>')
    expect(page).toContain('href="/kit/{token}/rsi-turn.pine"')
    expect(page).toContain('Bars it looks back.')
    expect(page).not.toContain('id="bridge"')
  })

  test('the mail links it by its name', () => {
    expect(renderStarterEmail(contentWith({ script })).text).toContain('{kitUrl}/rsi-turn.pine')
  })
})

describe("with a guide of the owner's own", () => {
  const content = contentWith({ guide })
  const { kit: page, landing } = rendered(content)
  const { text: mail } = renderStarterEmail(content)

  test('nothing promises its length, a number of steps, or a version to read online', () => {
    const said = landing + page + mail
    expect(said).not.toMatch(/\bA4\b|(?:10|ten)[- ]minutes?|online|five|eight steps|page \d+ of/i)
    expect(page).not.toContain('class="guide-step"')
  })

  test('it is linked by its name', () => {
    expect(page).toContain('href="/kit/{token}/My-guide.pdf"')
    expect(mail).toContain('{kitUrl}/My-guide.pdf')
  })
})

test('with a chart of the owner’s own no text speaks of the trades in ours', () => {
  const { creatorNote } = contentWith({ chart: guide }).landingPage
  expect(ourContent.landingPage.creatorNote.paragraphs.join(' ')).toContain('chart above')
  expect(creatorNote.paragraphs.join(' ')).not.toContain('chart above')
})

test('an offer stands with its label on the personal page after the switch for news, and as one line in the mail', () => {
  expect(rendered(ourContent).kit).not.toContain('id="offer"')
  for (const texts of [{ 'offer.title': ' ' }, { 'offer.text': 'The course' }]) {
    const none = contentWith({}, texts)
    expect(rendered(none).kit).not.toContain('id="offer"')
    expect(renderStarterEmail(none).text).not.toContain('The course')
  }
  const offer = {
    'offer.label': 'I earn from this link',
    'offer.title': 'The course',
    'offer.text': 'Six evenings.',
    'offer.linkText': 'Read more',
    'offer.url': 'https://x.example/c',
  }
  const content = contentWith({}, offer)
  const { html, text } = renderStarterEmail(content)
  expect(rendered(content).kit).toMatch(
    /\{whatChanged\}.*The course.*I earn from this link.*Six evenings\..*href="https:\/\/x\.example\/c"/s,
  )
  expect(text).toContain(
    'I earn from this link. The course: Six evenings. Read more:\nhttps://x.example/c\n',
  )
  expect(html).toContain('href="https://x.example/c"')
})

test('who signs the note is shown as far as the owner says it', () => {
  expect(rendered(contentWith({}, {})).landing).not.toContain('class="person"')
  const person = {
    'landingPage.creatorNote.person.sentence': 'Mara has traded futures since 2011.',
    'landingPage.creatorNote.person.linkText': 'Her letters',
    'landingPage.creatorNote.person.linkUrl': 'https://x.example/mara',
  }
  const portrait = { url: '/portrait.png', width: 400, height: 500 }
  const { landing } = rendered(contentWith({}, person), {}, { portrait })
  expect(landing).toMatch(
    /class="person".*<img src="\/portrait\.png" alt="\[Creator name\]" width="96" height="120".*since 2011\..*href="https:\/\/x\.example\/mara">Her letters</s,
  )
})

test('a question stands folded below the steps, and an owner may leave all of them out', () => {
  const { landing } = rendered(contentWith({}, {}))
  expect(landing).toContain('<summary>Does it make money?</summary><p>On its own, usually not.')
  expect(landing).toMatch(/a message for TradersPost, .*“Privacy” at the foot/s)
  const none = rendered(contentWith({}, { 'landingPage.howItWorks.questions': [] }))
  expect(none.landing).not.toContain('<summary>')
})

test("the footer of every page and of the mail links our privacy notice or the owner's, and the owner's imprint", () => {
  const all = (links: Record<string, string>) => {
    const content = contentWith({}, links)
    return [...Object.values(rendered(content)), renderStarterEmail(content).html]
  }
  for (const html of all({})) {
    expect(html).toMatch(/href="(?:\{publicUrl\})?\/privacy"[^>]*>Privacy</)
    expect(html).not.toContain('Imprint')
  }
  const own = {
    'brand.privacyUrl': 'https://x.example/p',
    'brand.imprintUrl': 'https://x.example/imprint',
  }
  for (const html of all(own)) {
    expect(html).toMatch(/href="https:\/\/x\.example\/p"[^>]*>Privacy</)
    expect(html).toMatch(/href="https:\/\/x\.example\/imprint"[^>]*>Imprint</)
    expect(html).not.toContain('href="/privacy"')
  }
})
