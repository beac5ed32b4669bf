import { describe, expect, test } from 'vitest'
import { averageFaults, messageFaults, openBarFaults, tradeFaults } from '#lab/pine/crossover-proof.ts'
import { barTime, runPine } from '#lab/pine/pine-runner.ts'
import { priceSeries } from '#lab/pine/price-series.ts'
import { crossesOf, oracleTrades } from '#lab/pine/crossover-oracle.ts'
import { scriptInputs } from './script-inputs.ts'
import { shippedScript } from '#lab/pine/shipped-script.ts'

const script = shippedScript()
const chop = priceSeries['chop'] ?? []

// Each of these runs the script dozens of times: two seconds here, more on a busy machine.
describe('the script, executed', () => {
  test('computes the same averages as another library, on every series', async () => {
    expect(await Array.fromAsync(averageFaults(script))).toEqual([])
  })

  test('enters and exits where the past of each bar says, with stops and targets: it does not look ahead', async () => {
    expect(await Array.fromAsync(tradeFaults(script))).toEqual([])
  })

  test('places no order and sends no message before the bar of the cross has closed', async () => {
    expect(await Array.fromAsync(openBarFaults(script))).toEqual([])
  })

  test('sends the right message for each fill, in every format', async () => {
    expect(await Array.fromAsync(messageFaults(script))).toEqual([])
  })

  test('marks each fill on its bar', async () => {
    const { marks, trades } = await runPine(script, chop)
    expect(marks.bought).toEqual(trades.map(({ entryBar }) => entryBar))
    expect(marks.sold).toEqual(trades.flatMap(({ exitBar }) => exitBar ?? []))
  })

  test('adds two ticks of slippage to each fill', async () => {
    const [real] = (await runPine(script, chop)).trades
    const [smooth] = (await runPine(script, chop, { slippage: 0 })).trades
    expect((real?.entryPrice ?? 0) - (smooth?.entryPrice ?? 0)).toBeCloseTo(0.02, 8)
    expect((smooth?.exitPrice ?? 0) - (real?.exitPrice ?? 0)).toBeCloseTo(0.02, 8)
  })
})

describe('the settings of the script', () => {
  test('are twelve, with stop, target and both limits off by default', () => {
    const defaults = scriptInputs(script).map((input) => [input.title, input.default])
    expect(Object.fromEntries(defaults)).toMatchObject({
      'Fast length': '9',
      'Slow length': '21',
      Direction: 'Long only',
      'Stop, %': '0',
      'Target, %': '0',
      'Limit to dates': 'off',
      'Limit to session': 'off',
      'Message format': 'JSON (TradersPost)',
    })
    expect(defaults).toHaveLength(12)
  })

  test.each([21, 30])(
    'stop the script when the fast length, %i, is not below the slow one',
    async (length) => {
      const run = runPine(script, chop, { inputs: { 'Fast length': length } })
      await expect(run).rejects.toThrow('Fast length must be below slow length')
    },
  )

  test('allow entries only between the two dates, and exits always', async () => {
    const [from, to] = [103, 242]
    const dates = { 'Limit to dates': true, From: barTime(from), To: barTime(to) }
    for (const shorts of [false, true]) {
      const inputs = { ...dates, Direction: shorts ? 'Long and short' : 'Long only' }
      const { trades } = await runPine(script, chop, { inputs, slippage: 0 })
      const allowed = (bar: number) => bar >= from && bar <= to
      const wanted = oracleTrades(chop, { fast: 9, slow: 21, shorts, allowed })
      expect(barsOf(trades)).toEqual(barsOf(wanted))
      expect(trades.length).toBeGreaterThan(3)
    }
  })

  test('allow entries only within the session on an intraday chart', async () => {
    const inputs = { 'Limit to session': true, Session: '0900-1600' }
    const { trades } = await runPine(script, chop, { inputs, timeframe: '60', slippage: 0 })
    const allowed = (bar: number) => bar % 24 >= 9 && bar % 24 < 16
    expect(barsOf(trades)).toEqual(barsOf(oracleTrades(chop, { fast: 9, slow: 21, allowed })))
    expect(trades.length).toBeGreaterThan(3)
  })

  test('ignore the session on a daily chart', async () => {
    const inputs = { 'Limit to session': true, Session: '0900-1600' }
    const { trades } = await runPine(script, chop, { inputs, slippage: 0 })
    expect(barsOf(trades)).toEqual(barsOf(oracleTrades(chop, { fast: 9, slow: 21 })))
  })
})

test('the test series cover every exit: a cross back, a stop or target within a bar, and a gap over it', () => {
  const bars = priceSeries['gaps'] ?? []
  const rules = { fast: 9, slow: 21, stopPercent: 2, targetPercent: 3 }
  const crosses = crossesOf(bars, rules)
  const ways = oracleTrades(bars, rules).map(({ exitBar = 0, exitPrice }) => {
    if (bars[exitBar]?.open !== exitPrice) return 'within'
    return crosses[exitBar - 1] === 'down' ? 'cross' : 'jumped'
  })
  expect(new Set(ways)).toEqual(new Set(['cross', 'within', 'jumped']))
})

function barsOf(trades: readonly { side: string; entryBar: number; exitBar?: number }[]) {
  return trades.map(({ side, entryBar, exitBar }) => [side, entryBar, exitBar])
}
