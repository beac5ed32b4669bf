import { describe, expect, test } from 'vitest'
import { crossesOf, oracleTrades } from '#lab/pine/crossover-oracle.ts'
import { scriptFaults } from '#lab/pine/crossover-proof.ts'
import { shippedScript } from '#lab/pine/pine-runner.ts'
import { priceSeries } from '#lab/pine/price-series.ts'

const script = shippedScript()

/** A quick test proves the script in `chop`. */
const { chop, ...otherMarkets } = priceSeries

test('averages, fills and messages are those that follow from the bars before, in every other market under all settings', async () => {
  expect(await Array.fromAsync(scriptFaults(script, otherMarkets))).toEqual([])
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
    return !(await scriptFaults(source, { chop }).next()).done
  } catch {
    return true
  }
}
