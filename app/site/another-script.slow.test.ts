import { expect, test } from 'vitest'
import { series } from '#content/mail/series.ts'
import { pdfOf } from '#rigs/server/hostile-files.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { readPdf } from '#rigs/read-pdf.ts'
import { shareImage } from './drawing/share-image.ts'
import { checkContent } from './words/check.ts'
import type { SiteBundle } from './bundle.ts'
import type { OwnFile, SiteSource } from './source.ts'

/** The five answers of an owner who gives away another script. */
const source = {
  difference: {
    texts: {
      'brand.name': 'Turn Bot',
      'brand.creatorName': 'Mara Lindholm',
      'brand.postalAddress': 'Storgatan 14, Uppsala',
      'kit.script.name': 'RSI turn',
      'kit.rule': 'It buys when the 14-day RSI climbs over 30, and sells above 70.',
      'landingPage.hero.heading.0': 'Buy the dip,',
      'landingPage.hero.heading.1': 'by a rule.',
      'landingPage.creatorNote.paragraphs': ['I wrote this to stop guessing.'],
      'palette.light.fast': '#0b6b3a',
    },
  },
  files: {
    script: {
      name: 'rsi turn.pine',
      mediaType: 'text/plain; charset=utf-8',
      bytes: Buffer.from(
        '//@version=5\n// Version 1.0.0, 2026-11-30\nstrategy("RSI turn", "RSI")\nperiod = input.int(14, "Period", tooltip = "Days of the RSI.")\nif ta.rsi(close, period) < 30\n    strategy.entry("Long", strategy.long)\n',
      ),
    },
  },
} satisfies SiteSource

const indicator: OwnFile = {
  name: 'rsi.pine',
  mediaType: 'text/plain; charset=utf-8',
  bytes: Buffer.from(
    '//@version=5\n// Version 1.0.0, 2026-11-30\nindicator("RSI turn")\nplot(close)\n',
  ),
}

const ownGuide: OwnFile = {
  name: 'My guide.pdf',
  mediaType: 'application/pdf',
  bytes: pdfOf('0 0 595 842'),
}

/** Words that are true of our script alone. */
const ofOurs =
  /\bEMA\b|cross|moving average|9-bar|21-bar|two lines|(?:thin|heavy|fast|slow) (?:one|line|average)|(?:trend|the|both) lengths?|TradersPost|PineConnector|10[57]\.\d\d|(?:entry|exit|trade) 2|session is|send stop|under the chart|@version=6|strategy\.order/gi

/**
 * Words that are true of a strategy alone, but for the page of the guide that is about backtests.
 * No anchor is read, and "simulated and past results" are those of anybody.
 */
const ofStrategies =
  /(?<!(?:[Aa]|[Ww]ith a|on a) )\bstrateg(?:y|ies)\b(?! has)|Strategy(?! Report| Tester)|(?<!in its own |#)[Ss]imulat(?!ed and past results)/g

/** Words that are true of our guide alone. */
const ofOurGuide =
  /\b(?:ten|10)[- ]minutes?\b|\bA4\b|\bfive[- ]steps?\b|\bthree more\b|\bonline\b|\bpage \d/gi

test('with five answers nothing that anybody receives speaks of our script', async () => {
  expect(checkContent(source.difference, source.files)).toEqual([])
  const bundle = await renderingBuild().drawing.make(source)
  const [script, guide] = bundle.kit
  expect([script?.name, guide?.name]).toEqual(['rsi-turn.pine', 'setup-guide.pdf'])
  expect(Object.keys(bundle.root)).not.toContain('lengths.json')
  const documents = await documentsOf(bundle)
  const found = wordsFound(documents, ofOurs)
  expect(found).toEqual([])
  for (const name of ['landing', 'mail', 'guide'] as const) {
    expect(documents[name], name).toContain('RSI turn')
  }
  expect(documents['guide']).toContain('Days of the RSI.')
})

test.each([
  [
    'an indicator',
    'rsi.pine',
    '//@version=6\n// Version 1.0.0, 2026-11-30\nindicator("RSI turn")\nplot(close)\n',
  ],
  [
    'an indicator with line ends of Windows and a name that is not Latin',
    'Рынок.pine',
    '//@version=6\r\n// Version 1.0.0, 2026-11-30\r\nindicator("Разворот", shorttitle = "RSI")\r\nplot(close)\r\n',
  ],
  [
    'an indicator of 300 KB',
    'large.pine',
    `//@version=6\n// Version 1.0.0, 2026-11-30\nindicator("RSI turn")\n${'plot(close)\n'.repeat(25_000)}`,
  ],
  [
    'an indicator that does not name its version of Pine',
    'rsi.pine',
    '// Version 1.0.0, 2026-11-30\nindicator("RSI turn")\nplot(close)\n',
  ],
])('%s is not called a strategy, and nothing promises a simulation', async (_what, name, text) => {
  const script = { name, mediaType: 'text/plain; charset=utf-8', bytes: Buffer.from(text) }
  const bundle = await renderingBuild().drawing.make({ ...source, files: { script } })
  const documents = await documentsOf(bundle)
  const found = wordsFound(documents, ofStrategies)
  expect(found).toEqual([])
})

test.each([
  ['our script', { difference: { texts: {} }, files: { guide: ownGuide } }, []],
  [
    'an indicator of their own',
    { ...source, files: { script: indicator, guide: ownGuide } },
    [ofOurs, ofStrategies],
  ],
])('with a guide of their own and %s nothing promises what is in ours', async (_, own, others) => {
  const bundle = await renderingBuild().drawing.make(own)
  const documents = await documentsOf(bundle)
  expect(bundle.kit[1]?.name).toBe('My-guide.pdf')
  const found = [ofOurGuide, ...others].flatMap((words) => wordsFound(documents, words))
  expect(found).toEqual([])
})

test('our own site has these words, so that the search can find them', async () => {
  const bundle = await renderingBuild().renderer.make({ difference: { texts: {} }, files: {} })
  const { pages, mails } = bundle
  expect(new Set(wordsOf(pages['landing']!).match(ofOurs)).size).toBeGreaterThan(10)
  const guideWords = wordsOf(pages['landing']!) + wordsOf(pages['kit']!) + mails.starter.text
  expect(new Set(guideWords.match(ofOurGuide)).size).toBeGreaterThan(4)
})

type Documents = Readonly<Record<string, string>>

/** All that anybody receives, in words. */
async function documentsOf({ pages, mails, kit, content, root }: SiteBundle): Promise<Documents> {
  const guide = await readPdf(kit[1]!.contents)
  return {
    ...Object.fromEntries(Object.entries(pages).map(([name, html]) => [name, wordsOf(html)])),
    mail: wordsOf(mails.starter.html) + mails.starter.text,
    subject: mails.starter.subject,
    letter: wordsOf(mails.letter.html) + mails.letter.text,
    versionLetter: wordsOf(mails.versionLetter.html) + mails.versionLetter.text,
    guide: guide.pages.map(({ text, tags }) => text + JSON.stringify(tags)).join('\n'),
    sharePicture: wordsOf(shareImage(content)),
    series: JSON.stringify(series),
    files: [...kit.map(({ name }) => name), ...Object.keys(root)].join(' '),
  }
}

function wordsFound(documents: Documents, words: RegExp): string[] {
  return Object.entries(documents).flatMap(([name, text]) =>
    (text.match(words) ?? []).map((word) => `${name}: ${word}`),
  )
}

/** The words of a page that are shown, read out, or linked. */
function wordsOf(html: string): string {
  const shown = html.replaceAll(
    /<(?:style|script)(?! type="application)[^>]*>[^]*?<\/(?:style|script)>/g,
    '',
  )
  const attributes = shown.matchAll(
    / (?:alt|title|aria-label|content|href|download|value)="([^"]*)"/g,
  )
  return `${shown.replaceAll(/<[^>]*>/g, ' ')} ${[...attributes].map(([, value]) => value).join(' ')}`
}
