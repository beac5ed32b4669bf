import { expect, test } from 'vitest'
import { series } from '#content/mail/series.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { readPdf } from '#rigs/read-pdf.ts'
import { shareImage } from './drawing/share-image.ts'
import { checkContent } from './words/check.ts'
import type { SiteSource } from './source.ts'

/** The five answers of an owner who gives away another script. */
const source: SiteSource = {
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
}

/** Words that are true of our script alone. */
const ofOurs =
  /\bEMA\b|cross|moving average|9-bar|21-bar|two lines|(?:thin|heavy|fast|slow) (?:one|line|average)|(?:trend|the|both) lengths?|TradersPost|PineConnector|10[57]\.\d\d|(?:entry|exit|trade) 2|session is|send stop|@version=6|strategy\.order/gi

test('with five answers nothing that anybody receives speaks of our script', async () => {
  expect(checkContent(source.difference, source.files)).toEqual([])
  const bundle = await renderingBuild().drawing.make(source)
  const [script, guide] = bundle.kit
  expect([script?.name, guide?.name]).toEqual(['rsi-turn.pine', 'setup-guide.pdf'])
  const pdf = await readPdf(guide!.contents)
  const documents = {
    ...Object.fromEntries(
      Object.entries(bundle.pages).map(([name, html]) => [name, wordsOf(html)]),
    ),
    mail: wordsOf(bundle.mails.starter.html) + bundle.mails.starter.text,
    subject: bundle.mails.starter.subject,
    letter: wordsOf(bundle.mails.letter.html) + bundle.mails.letter.text,
    versionLetter: wordsOf(bundle.mails.versionLetter.html) + bundle.mails.versionLetter.text,
    series: JSON.stringify(series),
    guide: pdf.pages.map(({ text, tags }) => text + JSON.stringify(tags)).join('\n'),
    sharePicture: wordsOf(shareImage(bundle.content)),
  }
  const found = Object.entries(documents).flatMap(([name, words]) =>
    (words.match(ofOurs) ?? []).map((word) => `${name}: ${word}`),
  )
  expect(found).toEqual([])
  for (const name of ['landing', 'mail', 'guide'] as const) {
    expect((documents as Record<string, string>)[name], name).toContain('RSI turn')
  }
  expect(documents.guide).toContain('Days of the RSI.')
})

test('our own site has these words, so that the search can find them', async () => {
  const { pages } = await renderingBuild().renderer.make({ difference: { texts: {} }, files: {} })
  expect(new Set(wordsOf(pages['landing']!).match(ofOurs)).size).toBeGreaterThan(10)
})

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
