import { describe, expect, test } from 'vitest'
import { kit } from '#content/kit.ts'
import { runPine } from '#lab/pine/pine-runner.ts'
import { alertExamples, codePreview, excerpt } from './page-figures.ts'
import { sampleSeries, warmUpBars } from './sample-run.ts'
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

  test('colours only the two averages', () => {
    const tokens = codePreview.flatMap((line) => line.tokens)
    expect(new Set(tokens.filter(({ kind }) => kind === 'fast').map(({ text }) => text))).toEqual(
      new Set(['fast']),
    )
    expect(new Set(tokens.filter(({ kind }) => kind === 'slow').map(({ text }) => text))).toEqual(
      new Set(['slow']),
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

test('the alert examples equal the messages of the script at entry 2 and exit 2', async () => {
  const { messages, trades } = await runPine(shippedScript(), sampleSeries(), { slippage: 0 })
  const second = trades.filter(({ entryBar }) => entryBar >= warmUpBars)[1]
  const sentBefore = (bar = 0) => messages.find((message) => message.bar === bar - 1)?.text
  expect(alertExamples.entry.json).toBe(sentBefore(second?.entryBar))
  expect(alertExamples.exit.json).toBe(sentBefore(second?.exitBar))
  expect([alertExamples.entry.price, alertExamples.exit.price]).toEqual(['107.09', '105.97'])
})
