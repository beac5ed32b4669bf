import { expect, test } from 'vitest'
import { scriptFaults } from '#lab/pine/crossover-proof.ts'
import { runPine, shippedScript } from '#lab/pine/pine-runner.ts'
import { priceSeries } from '#lab/pine/price-series.ts'
import { scriptInputs } from './script-inputs.ts'

const script = shippedScript()
const { chop } = priceSeries

test('averages, fills and messages are those that follow from the bars before, under all settings', async () => {
  expect(await Array.fromAsync(scriptFaults(script, { chop }))).toEqual([])
})

test('each fill is marked on its bar', async () => {
  const { marks, trades } = await runPine(script, chop)
  expect(marks.bought).toEqual(trades.map(({ entryBar }) => entryBar))
  expect(marks.sold).toEqual(trades.flatMap(({ exitBar }) => exitBar ?? []))
})

test('an order that is too small for one share or contract is told on the chart', async () => {
  const dear = chop.map(({ open, high, low, close }) => {
    return { open: 20 * open, high: 20 * high, low: 20 * low, close: 20 * close }
  })
  const { labels } = await runPine(script, dear, { smallestOrder: 1 })
  expect(labels).toEqual([
    { bar: expect.any(Number), text: expect.stringContaining('too small for one share') },
  ])
  expect((await runPine(script, chop, { smallestOrder: 1 })).labels).toEqual([])
  expect((await runPine(script, dear, { smallestOrder: 0.0001 })).labels).toEqual([])
})

test('each fill costs two ticks of slippage', async () => {
  const [real] = (await runPine(script, chop)).trades
  const [smooth] = (await runPine(script, chop, { slippage: 0 })).trades
  expect((real?.entryPrice ?? 0) - (smooth?.entryPrice ?? 0)).toBeCloseTo(0.02, 8)
  expect((smooth?.exitPrice ?? 0) - (real?.exitPrice ?? 0)).toBeCloseTo(0.02, 8)
})

test('fifteen inputs have these defaults, and each has a tooltip and a group', () => {
  const inputs = scriptInputs(script)
  expect(Object.fromEntries(inputs.map((input) => [input.title, input.default]))).toEqual({
    'Fast length': '9',
    'Slow length': '21',
    Source: 'close',
    'Trend length': '0',
    Direction: 'Long only',
    'Stop, %': '0',
    'Target, %': '0',
    'Limit to dates': 'off',
    From: '01 Jan 2020',
    To: '01 Jan 2030',
    'Limit to session': 'off',
    Session: '0930-1600',
    'Flat at the end of the session': 'off',
    'Message format': 'JSON (TradersPost)',
    'Send stop and target to the bridge': 'off',
  })
  for (const { tooltip, group } of inputs) {
    expect(tooltip).toMatch(/\.$/)
    expect(group).not.toBe('')
  }
})

test.each([
  ['60', '0930-1130'],
  ['30', '1500-1600'],
] as const)(
  'on bars of %s minutes a session of %s is too short to be left in time, and the script says so',
  async (timeframe, session) => {
    const inputs = { 'Flat at the end of the session': true, Session: session }
    const run = runPine(script, chop, { inputs, timeframe })
    await expect(run).rejects.toThrow('these bars are too long')
  },
)

test('with the switch off, a short session stops nothing', async () => {
  const inputs = { 'Limit to session': true, Session: '1500-1600' }
  const { trades } = await runPine(script, chop, { inputs, timeframe: '30' })
  expect(trades.length).toBeGreaterThan(0)
})

test.each([21, 30])(
  'a fast length of %i, not below the slow one, stops the script',
  async (length) => {
    const run = runPine(script, chop, { inputs: { 'Fast length': length } })
    await expect(run).rejects.toThrow('Fast length must be below slow length')
  },
)

// pinets takes no notice of these.
test('orders wait for the close of a bar and fill at the next one, and no other timeframe is read', () => {
  for (const setting of [
    'pyramiding = 0',
    'calc_on_every_tick = false',
    'process_orders_on_close = false',
    'fill_orders_on_standard_ohlc = true',
    '\n//@strategy_alert_message {{strategy.order.alert_message}}\n',
  ]) {
    expect(script).toContain(setting)
  }
  expect(script).not.toMatch(/request\.|lookahead|calc_on_order_fills|offset|[^\n\x20-\x7e]/)
})
