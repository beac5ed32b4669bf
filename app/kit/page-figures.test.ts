import { describe, expect, test } from 'vitest'
import { kit } from '#content/kit.ts'
import { runPine } from '#lab/pine/pine-runner.ts'
import { priceSeries } from '#lab/pine/price-series.ts'
import { alertExamples, codePreview, excerpt, scriptListing } from './page-figures.ts'
import { shippedScript } from '#lab/pine/shipped-script.ts'

describe.skipIf(kit.script.isYourOwn)('the code preview of our script', () => {
  test('shows 14 lines of the shipped file with their line numbers, short enough for a card', () => {
    const file = shippedScript().split('\n')
    expect(codePreview).toHaveLength(14)
    for (const { number, text, tokens } of codePreview) {
      expect(file[number - 1]).toBe(text)
      expect(tokens.map((token) => token.text).join('')).toBe(text)
      expect(text.length).toBeLessThanOrEqual(44)
    }
  })

  test('shows the rule: both averages, both crosses, the closed bar', () => {
    const text = codePreview.map((line) => line.text).join('\n')
    for (const part of ['ta.ema', 'ta.crossover', 'ta.crossunder', 'barstate.isconfirmed'])
      expect(text).toContain(part)
  })

  test('colours only the two averages and their lengths', () => {
    const tokens = codePreview.flatMap((line) => line.tokens)
    expect(new Set(tokens.filter(({ kind }) => kind === 'fast').map(({ text }) => text))).toEqual(
      new Set(['fast', 'fastLength']),
    )
    expect(new Set(tokens.filter(({ kind }) => kind === 'slow').map(({ text }) => text))).toEqual(
      new Set(['slow', 'slowLength']),
    )
    expect(tokens.find(({ kind }) => kind === 'keyword')?.text).toBe('and')
    expect(tokens[0]?.kind).toBe('comment')
  })

  test('begins with the first line of a script without the marker', () => {
    const [first, ...others] = excerpt('//@version=6\nindicator("x")', '// The rule', 14)
    expect(first).toMatchObject({ number: 1, text: '//@version=6' })
    expect(others).toHaveLength(1)
  })
})

describe.skipIf(kit.script.isYourOwn)('the listing of our script', () => {
  test('has the text of the file, byte for byte', () => {
    const text = scriptListing.map(({ tokens }) => `${tokens.map((token) => token.text).join('')}\n`).join('')
    expect(text).toBe(shippedScript())
  })

  test('marks the lines that enter and those that leave, and no other', () => {
    const marked = (order: string) =>
      scriptListing.filter((line) => line.order === order).map(({ text }) => text.trim())
    expect(marked('enters').map((text) => text.slice(0, 24))).toEqual([
      'strategy.entry("Long", s',
      'strategy.entry("Short", ',
    ])
    expect(marked('leaves')).toHaveLength(4)
    for (const text of marked('leaves')) expect(text).toMatch(/^strategy\.(?:exit|close)\(/)
  })

  test('colours the averages with their lengths, and no word inside a string or a comment', () => {
    const [, , , fourth] = scriptListing
    expect(fourth?.tokens.map(({ kind }) => kind)).toEqual(['comment'])
    const tokens = scriptListing.flatMap((line) => line.tokens)
    const words = (kind: string) =>
      new Set(tokens.filter((token) => token.kind === kind).map(({ text }) => text))
    expect(words('fast')).toEqual(new Set(['fast', 'fastLength']))
    expect(words('slow')).toEqual(new Set(['slow', 'slowLength']))
    expect(words('keyword')).not.toContain('long')
    for (const inside of ['string json =', 'Bars in the fast average']) {
      const line = scriptListing.find(({ text }) => text.includes(inside))
      expect(line?.tokens.filter(({ kind }) => kind !== 'plain')).toEqual([])
    }
  })
})

test('the two example messages are those that the script sends for the losing trade of its chart', async () => {
  const { messages, trades } = await runPine(shippedScript(), priceSeries.sample, { slippage: 0 })
  const loss = trades.find(({ entryPrice, exitPrice = Infinity }) => exitPrice < entryPrice)
  const sentBefore = (bar = 0) => messages.find((message) => message.bar === bar - 1)?.text
  expect(alertExamples.entry.json).toBe(sentBefore(loss?.entryBar))
  expect(alertExamples.exit.json).toBe(sentBefore(loss?.exitBar))
  expect([alertExamples.entry.price, alertExamples.exit.price]).toEqual(['107.09', '105.97'])
})
