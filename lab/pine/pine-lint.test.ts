import { describe, expect, test } from 'vitest'
import { lintPine } from './pine-lint.ts'
import { shippedScript } from './shipped-script.ts'

const script = shippedScript()

describe('the Pine lint', () => {
  test('finds nothing in the shipped script', () => {
    expect(lintPine(script)).toEqual([])
  })

  test.each([
    ['another version', '//@version=6', '//@version=5', 'line 1: must be //@version=6'],
    ['a letter beyond ASCII', 'Averages', 'Médias', 'not plain ASCII'],
    ['a tab', '    runtime.error', '\truntime.error', 'not plain ASCII'],
    ['an indent of three', '    runtime.error', '   runtime.error', 'indent of 3'],
    [
      'a wrapped line on a multiple of four',
      '     tooltip = "Bars in the slow',
      '    tooltip = "Bars in the slow',
      'indent of 4',
    ],
    ['a misspelt argument', 'overlay = true', 'overlays = true', 'no argument "overlays"'],
    ['an argument removed in v6', 'profit = ticks(targetPercent)', 'when = goLong', 'no argument "when"'],
    [
      'an argument given twice',
      'color.orange, 2)',
      'color.orange, 2, title = "x")',
      '"title" is given twice',
    ],
    ['a missing argument', 'ta.ema(source, slowLength)', 'ta.ema(source)', '"length" is missing'],
    ['too many arguments', 'ta.crossover(fast, slow)', 'ta.crossover(fast, slow, 1)', 'too many arguments'],
    [
      'a missing argument of an own function',
      'message("buy", "long", close)',
      'message("buy", "long")',
      '"price" is missing',
    ],
    ['a function that does not exist', 'ta.ema(source, fast', 'ta.emma(source, fast', 'no such function'],
    ['an undefined name', 'inDates and inSession', 'inDates and inSesion', 'nothing is called "inSesion"'],
    [
      'a constant that does not exist',
      'color.orange',
      'color.orangered',
      'nothing is called "color.orangered"',
    ],
    ['a second strategy()', 'plot(fast', 'strategy("again")\nplot(fast', 'exactly one strategy()'],
    ['a plot in local scope', 'if goShort\n', 'if goShort\n    plot(fast)\n', 'only at the left margin'],
    [
      'a cross in local scope',
      'if goShort\n',
      'if goShort\n    x = ta.crossover(fast, slow)\n',
      'only at the left margin',
    ],
    [
      'intrabar fills',
      'calc_on_every_tick = false',
      'calc_on_every_tick = true',
      'calc_on_every_tick must be false',
    ],
    ['adding to a position', 'pyramiding = 0', 'pyramiding = 3', 'pyramiding must be 0'],
    [
      'fills within a bar',
      'overlay = true',
      'calc_on_order_fills = true',
      'no argument "calc_on_order_fills"',
    ],
    ['a line drawn ahead', 'color.orange, 2)', 'color.orange, 2, offset = -1)', 'no argument "offset"'],
    ['no costs', 'slippage = 2,', '', 'slippage is missing'],
    ['an input without a minimum', '"Fast length", minval = 1,', '"Fast length",', 'input without minval'],
    ['a secret among the settings', '"Message format"', '"Secret token"', 'does not belong in a script'],
    [
      'a look at another timeframe',
      'ta.ema(source',
      'ta.ema(request.security("A", "W", close)',
      'no such function',
    ],
    [
      'a missing annotation',
      '//@strategy_alert_message',
      '// strategy_alert_message',
      'must stand in the script once',
    ],
  ])('reports %s', (_, from, to, fault) => {
    expect(script).toContain(from)
    expect(lintPine(script.replace(from, to)).join('\n')).toContain(fault)
  })
})
