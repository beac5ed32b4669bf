import { describe, expect, test } from 'vitest'
import { scriptFaults } from '#lab/pine/crossover-proof.ts'
import { runPine, shippedScript } from '#lab/pine/pine-runner.ts'
import { priceSeries } from '#lab/pine/price-series.ts'
import { crossesOf, oracleTrades } from '#lab/pine/crossover-oracle.ts'
import { scriptInputs } from './script-inputs.ts'

const script = shippedScript()
const { chop } = priceSeries

// It runs the script some seventy times: six seconds here, more on a busy machine.
test('averages, fills and messages are those that follow from the bars before, in every market under all settings', async () => {
  expect(await Array.fromAsync(scriptFaults(script))).toEqual([])
})

test('the made-up markets cover every exit: a cross back, a stop or target within a bar, and a gap over it', () => {
  const rules = { fast: 9, slow: 21, stopPercent: 2, targetPercent: 3 }
  const crosses = crossesOf(priceSeries.gaps, rules)
  const ways = oracleTrades(priceSeries.gaps, rules).map(({ exitBar = 0, exitPrice }) => {
    if (priceSeries.gaps[exitBar]?.open !== exitPrice) return 'within'
    return crosses[exitBar - 1] === 'down' ? 'cross' : 'jumped'
  })
  expect(new Set(ways)).toEqual(new Set(['cross', 'within', 'jumped']))
})

test('each fill is marked on its bar', async () => {
  const { marks, trades } = await runPine(script, chop)
  expect(marks.bought).toEqual(trades.map(({ entryBar }) => entryBar))
  expect(marks.sold).toEqual(trades.flatMap(({ exitBar }) => exitBar ?? []))
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

/** Each replaces a part of the script. */
const mistakes: Record<string, [from: string, to: string]> = {
  'wrong length': ['input.int(9,', 'input.int(10,'],
  'both averages of one length': ['ta.ema(source, slowLength)', 'ta.ema(source, fastLength + 12)'],
  '> for crossover': ['ta.crossover(fast, slow)', 'fast > slow'],
  '< for crossunder': ['ta.crossunder(fast, slow)', 'fast < slow'],
  'entry before the bar has closed': [
    'buy = crossedUp and barstate.isconfirmed',
    'buy = crossedUp',
  ],
  'exit before the bar has closed': [
    'sell = crossedDown and barstate.isconfirmed',
    'sell = crossedDown',
  ],
  'an entry on every bar': ['goLong = buy and', 'goLong = buy or'],
  'an entry without a message': [', alert_message = message("sell", "short", close)', ''],
  'broken JSON': [`'",\\n  "signalPrice": '`, `',\\n  "signalPrice": '`],
  'a trend filter that is on by default': ['input.int(0, "Trend', 'input.int(200, "Trend'],
  'a trend filter for buys only': [' and (trendLength == 0 or close < trend)', ''],
  'a short sale above the trend': ['close < trend', 'close > trend'],
  'wrong action in a message': [
    'leaveNow,\n         alert_message = message("sell"',
    'leaveNow,\n         alert_message = message("buy"',
  ],
  'a nested placeholder in a message': ['syminfo.ticker + " " + action', '"{{ticker}} " + action'],
  'a message forgotten': ['alert_loss =', 'comment_loss ='],
  'look-ahead into the next bar': ['ta.ema(source, fast', 'ta.ema(source[-1], fast'],
  'stop and target swapped': [
    'profit = ticks(targetPercent), loss = ticks(stopPercent)',
    'profit = ticks(stopPercent), loss = ticks(targetPercent)',
  ],
  'stop in price instead of ticks': [' / 100 / syminfo.mintick', ' / 100'],
  'both directions by default': ['input.string("Long only"', 'input.string("Long and short"'],
  'no exit on the cross back': ['if (sell or', 'if (buy or'],
  'an exit order besides the reversal': ['mustBeFlat) and not goShort and', 'mustBeFlat) and'],
  'an entry in the last bar of the session': ['inSession and not mustBeFlat', 'inSession'],
  'an exit one bar late': [
    'isLastButOne = minutesLeft <= 2 *',
    'isLastButOne = minutesLeft <= 1 *',
  ],
  'an order after the last bar': ['leaveNow = isLast or', 'leaveNow ='],
  'a session whose end is overlooked': [' or endWasMissed', ''],
  'a long position that stays over night': ['if (sell or mustBeFlat)', 'if (sell)'],
  'a short position that stays over night': ['if (buy or mustBeFlat)', 'if (buy)'],
  'an entry after the session': ['inSession = not limitSession or', 'inSession = true or'],
  'a stop with the message of an exit': ['hasStop = sendExits and isEntry', 'hasStop = sendExits'],
  'the stop sent as target': ['",tp_pct=" +', '",sl_pct=" +'],
  'a stop that nobody asked for': ['hasStop = sendExits and', 'hasStop ='],
}

describe('the proof finds this mistake in the script:', () => {
  test.each(Object.entries(mistakes))('%s', async (_, [from, to]) => {
    expect(script).toContain(from)
    expect(await hasFaults(script.replaceAll(from, to))).toBe(true)
  })
})

/** A script that no longer runs counts as found. */
async function hasFaults(source: string): Promise<boolean> {
  try {
    return !(await scriptFaults(source).next()).done
  } catch {
    return true
  }
}
