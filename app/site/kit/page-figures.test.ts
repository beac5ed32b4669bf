import { shippedScript } from '#lab/pine/pine-runner.ts'
import { expect, test } from 'vitest'
import { landingPage } from '#content/pages/landing-page.ts'
import { codePreview, excerpt, scriptListing } from './page-figures.ts'
import { sampleRun } from '../chart/sample-run.ts'

const { whatsIncluded } = landingPage

test('the card shows the rule: 14 lines as they stand in the file, short enough for it', () => {
  const file = shippedScript().split('\n')
  const preview = codePreview(shippedScript())
  expect(preview).toHaveLength(14)
  for (const { number, text } of preview) {
    expect(file[number - 1]).toBe(text)
    expect(text.length).toBeLessThanOrEqual(44)
  }
  const text = preview.map((line) => line.text).join('\n')
  for (const part of ['ta.ema', 'ta.crossover', 'ta.crossunder', 'barstate.isconfirmed']) {
    expect(text).toContain(part)
  }
})

test('a script without the marked line is shown from its first line to its last', () => {
  const lines = codePreview('//@version=6\nindicator("x")\n')
  expect(lines.map(({ number, text }) => [number, text])).toEqual([
    [1, '//@version=6'],
    [2, 'indicator("x")'],
  ])
})

test('the listing has the file byte for byte, and marks the lines that enter and those that leave', () => {
  const listing = scriptListing(shippedScript())
  expect(listing.map(({ tokens }) => `${tokens.map(({ text }) => text).join('')}\n`).join('')).toBe(
    shippedScript(),
  )
  const calls = (order: string) =>
    listing
      .filter((line) => line.order === order)
      .map(({ text }) => /strategy\.\w+/.exec(text)?.[0])
  expect(calls('enters')).toEqual(['strategy.entry', 'strategy.entry'])
  expect(calls('leaves')).toEqual([
    'strategy.exit',
    'strategy.exit',
    'strategy.close',
    'strategy.close',
  ])
})

test('the two averages are coloured, and no word inside a string or a comment', () => {
  const kinds = (line: string) =>
    excerpt(line, '', 1).flatMap(({ tokens }) =>
      tokens.filter(({ kind }) => kind !== 'plain').map(({ kind }) => kind),
    )
  expect(kinds('fast = ta.ema(source, slowLength)')).toEqual(['fast', 'slow'])
  expect(kinds('if goLong and 9')).toEqual(['keyword', 'keyword', 'number'])
  expect(kinds('x = "if fast and slow"')).toEqual([])
  expect(kinds('// if fast and slow')).toEqual(['comment'])
})

test('the words over the alert message name the losing trade', () => {
  const { trades } = sampleRun
  const loss =
    trades.findIndex(({ entryPrice, exitPrice = Infinity }) => exitPrice < entryPrice) + 1
  expect(whatsIncluded.alerts.entry).toContain(`Entry ${loss}`)
})

// It took minutes.
test('colours a line of quotes that nothing closes at once', () => {
  const quotes = '\\"'.repeat(120_000)
  const [line] = excerpt(quotes, '', 1)
  expect(line?.tokens.map(({ text }) => text).join('')).toBe(quotes)
})
