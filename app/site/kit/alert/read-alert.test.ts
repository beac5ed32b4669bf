import { describe, expect, test } from 'vitest'
import { type ExitsSwitch, messageFor } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import { ourMessages } from './known-messages.ts'
import type { OrderKind } from './order.ts'
import { readAlert } from './read-alert.ts'

const known = ourMessages()
const bridgeNamed = (name: string) => bridges.find((bridge) => bridge.name === name)!

/** The kind of order that a sentence tells of. */
function kindIn(does: string): OrderKind {
  if (/clos/i.test(does)) return 'exit'
  return / short /.test(does) ? 'short' : 'entry'
}

function choose(name: string, exits: ExitsSwitch = 'off') {
  return { bridge: bridgeNamed(name), exits }
}

const json = (values: object) => JSON.stringify(values, null, 2)
const entry = { ticker: 'BTCUSD', action: 'buy', sentiment: 'long', signalPrice: 107.09 }
const exit = { ...entry, action: 'sell', sentiment: 'flat' }
const stopLoss = { type: 'stop', percent: 1 }
const takeProfit = { percent: 2.5 }
const threeCommas = {
  secret: 'a1',
  max_lag: '300',
  timestamp: '2026-11-28T13:00:00Z',
  trigger_price: '107.09',
  tv_exchange: 'BINANCE',
  tv_instrument: 'BTCUSDT',
  action: 'sell',
  bot_uuid: 'b2',
  strategy_info: {
    market_position: 'flat',
    market_position_size: '0',
    prev_market_position: 'long',
    prev_market_position_size: '0.15',
  },
  order: { amount: '0.15', currency_type: 'base' },
}

describe('what a message does', () => {
  test.each([
    ['TradersPost', 'off', json(entry), 'Buys BTCUSD at the market, size as set at TradersPost.'],
    [
      'TradersPost',
      'off',
      json({ ...entry, quantity: 2 }),
      'Buys BTCUSD at the market, quantity 2.',
    ],
    [
      'TradersPost',
      'on',
      json({ ...entry, stopLoss, takeProfit }),
      'Buys BTCUSD at the market, size as set at TradersPost, stop 1 %, target 2.5 %.',
    ],
    ['TradersPost', 'on', json(exit), 'Sells BTCUSD at the market, which closes the position.'],
    [
      'TradersPost',
      'off',
      json({ ...entry, action: 'sell', sentiment: 'short' }),
      'Sells BTCUSD short at the market, size as set at TradersPost.',
    ],
    [
      'TradersPost',
      'off',
      json({ ...exit, action: 'buy' }),
      'Buys BTCUSD back at the market, which closes the short position.',
    ],
    ['Own webhook', 'off', json(entry), 'Buys BTCUSD at the market, size as your server sets it.'],
    [
      'PineConnector',
      'off',
      '601234567890,buy,EURUSD.r,vol_lots=0.01',
      'Buys EURUSD.r at the market, 0.01 lots.',
    ],
    [
      'PineConnector',
      'on',
      '601234567890,sell,EURUSD,sl_pct=1,tp_pct=2,vol_lots=0.01',
      'Sells EURUSD short at the market, 0.01 lots, stop 1 %, target 2 %.',
    ],
    [
      'PineConnector',
      'on',
      '601234567890,closelong,EURUSD,vol_lots=0.01',
      'Sells EURUSD at the market, which closes the position.',
    ],
    [
      '3Commas',
      'off',
      json(threeCommas),
      'Sells BTCUSDT at the market, which closes the position.',
    ],
    [
      'Alertatron',
      'off',
      'mykeys(XBTUSD) { market(position=0.15); } #bot',
      'Buys XBTUSD at the market.',
    ],
    [
      'Alertatron',
      'off',
      'mykeys(XBTUSD) { market(position=0); } #bot',
      'Closes the position in XBTUSD at the market.',
    ],
  ] as const)('%s, stop and target %s: %s', (name, exits, message, does) => {
    expect(readAlert(message, known, choose(name, exits))).toEqual({
      does,
      order: kindIn(does),
      faults: [],
    })
  })

  test('nothing chosen: it is whichever bridge has such a message', () => {
    expect(readAlert('601234567890,buy,EURUSD,vol_lots=0.01', known)).toEqual({
      does: 'Buys EURUSD at the market, 0.01 lots.',
      order: 'entry',
      faults: [],
    })
  })
})

describe('what is off', () => {
  const fault = (message: string, name = 'TradersPost', exits: ExitsSwitch = 'off') =>
    readAlert(message, known, choose(name, exits)).faults

  test('the box still has TradingView’s own sentence', () => {
    const sent =
      'EMA cross (9, 21, close): order buy @ 0.1503 filled on BTCUSD. New strategy position is 0.1503'
    expect(fault(sent)).toEqual([expect.stringContaining('TradingView’s own sentence')])
    expect(readAlert(sent, known).order).toBeUndefined()
  })

  test.each([
    'EMA cross (9, 21)：訂單buy @ 1已成交BTCUSD。新策略倉位是1',
    'EMA cross (9, 21): Order sell @ 0.15 auf BTCUSD ausgeführt. Neue Strategieposition ist -0.15',
    'EMA cross (9, 21): BTCUSD で buy @ 0.15 の注文が約定しました。新しいストラテジーポジションは 0.15 です',
  ])('TradingView’s own sentence in another language: %s', (sent) => {
    expect(fault(sent)).toEqual([expect.stringContaining('TradingView’s own sentence')])
  })

  test.each([
    (own: string) => `${own}\n${json(entry)}`,
    (own: string) => `${json(entry)}\n${own}`,
    (own: string) => own + json(entry),
  ])('TradingView’s own sentence beside our message: %s', (both) => {
    const filled =
      'EMA cross (9, 21, close): order buy @ 0.1503 filled on BTCUSD. New strategy position is 0.1503'
    const box =
      '{{strategy.title}}: order {{strategy.order.action}} @ {{strategy.order.contracts}} filled on {{ticker}}. New strategy position is {{strategy.position_size}}'
    for (const own of [filled, box]) {
      expect(readAlert(both(own), known, choose('TradersPost'))).toEqual({
        does: undefined,
        order: undefined,
        faults: [expect.stringContaining('Delete that sentence')],
      })
    }
  })

  test.each([
    [json(entry).replace('"buy",', '"buy"'), 'line 4, character 3: a comma is missing'],
    [json(entry).replace('107.09', '107.09,'), 'line 5, character 24: a comma stands before the }'],
    [json(entry).replaceAll('"', '”'), 'line 2, character 3: a curly quotation mark'],
    [json(entry).replace('"long"', '”long”'), 'line 4, character 16: a curly quotation mark'],
    [json(entry).replace('"long"', 'long'), 'line 4, character 16: a value needs quotation marks'],
    [json(entry).replace('\n}', ''), 'character 24: it ends before its last }'],
    [json(entry).replace('"buy"', '"buy'), 'line 3, character 13: a quotation mark is missing'],
    [json(entry).replace('"action":', '"action"'), 'line 3, character 12: a colon is missing'],
    [json(entry).replaceAll('"', "'"), 'line 2, character 3: a single quotation mark'],
    [json(entry).replaceAll('"', '\\"'), 'line 2, character 3: a backslash stands before'],
    [json(entry).replace('107.09', '107,09'), 'character 21: a comma stands inside a number'],
    [json(entry).replace('107.09', '.5'), 'JSON does not know a number like this'],
    [json(entry).replace('107.09', 'NaN'), 'TradingView had no number'],
    [json(entry).replace(',', '，'), 'line 2, character 21: a full-width comma'],
    [json(entry).replace(':', '：'), 'line 2, character 11: a full-width colon'],
    [json(entry).slice(1), 'line 1, character 1: the first { is missing'],
    [json(entry) + json(exit), 'line 6, character 2: a second message begins'],
  ])('broken JSON, and where: %s', (message, where) => {
    expect(fault(message)).toEqual([expect.stringContaining(where)])
  })

  test.each([
    ['invisible', json(entry).replace('"buy"', '"\u200bbuy"'), 'invisible character at line 3'],
    ['no-break space', json(entry).replaceAll(' ', '\u00a0'), 'space at line 2, character 1'],
    ['other capitals', json(entry).replace('ticker', 'Ticker'), 'Write “ticker”, not “Ticker”.'],
    ['upper case', json({ ...entry, action: 'BUY' }), '“action” is “BUY”, which the message for'],
    ['nothing', json({ ...entry, action: '' }), '“action” is empty.'],
    ['a number as text', json({ ...entry, signalPrice: '1' }), '“signalPrice” is a number.'],
    ['a word', json({ ...entry, signalPrice: 'ten' }), '“signalPrice” is “ten”'],
    ['twice', json(entry).replace('{', '{"action": "buy",'), '“action” stands in it twice'],
    ['a list', json([entry]), 'square brackets'],
    ['two in a list', json([entry, exit]), 'These are 2 messages'],
    ['from a spreadsheet', `"${json(entry).replaceAll('"', '""')}"`, 'quotation marks are doubled'],
    ['a line of the log’s file', `1,"${json(entry).replaceAll('"', '""')}",OK`, 'are doubled'],
    ['one brace', json(entry).replace('107.09', '{close}'), 'write {{close}}, not {close}'],
    ['three braces', json(entry).replace('107.09', '{{close}'), 'write {{close}}, not {{close}'],
    ['one brace in quotes', json({ ...entry, ticker: '{ticker}' }), 'write {{ticker}}'],
    ['no size', json({ ...entry, quantity: 0 }), '“quantity” is “0”'],
    ['as text', JSON.stringify(json(entry)), 'in quotation marks'],
    ['copied with its time', `Alert on BTCUSD\n${json(entry)}`, 'text around the message'],
    ['a word behind it', `${json(entry)} sent`, 'text around the message'],
    ['sold, yet long', json({ ...entry, action: 'sell' }), 'It says sell'],
  ])('one fault, and what it is: %s', (_, message, words) => {
    expect(fault(message)).toEqual([expect.stringContaining(words)])
  })

  test.each([
    ['601234567890,BUY,EURUSD,vol_lots=0.01', 'Only spaces or capitals differ'],
    ['601234567890, buy, EURUSD, vol_lots=0.01', 'Only spaces or capitals differ'],
    ['601234567890,buy,EURUSD,vol_lots=0,01', '“0,01” stands where a number above 0 belongs'],
    ['601234567890,buy,EURUSD,vol_lots=0', '“0” stands where a number above 0 belongs'],
    ['601234567890,long,EURUSD,vol_lots=0.01', '“long” does not belong where it stands'],
    ['601234567890,buy,EURUSD,secret=a,vol_lots=0.01', '“EURUSD,secret=a” does not belong'],
    ['hello, world', 'none of the messages'],
    ['"601234567890,buy,EURUSD,vol_lots=0.01"', 'in quotation marks'],
    ['1234567,buy,EURUSD,vol_lots=1\n1234567,sell,EURUSD,vol_lots=1', 'These are 2 messages'],
    ['', 'The message is empty.'],
  ])('a line of text that is not whole: %s', (message, words) => {
    expect(fault(message, 'PineConnector')).toEqual([expect.stringContaining(words)])
  })

  test('a value that must stand in quotation marks', () => {
    const message = json({ ...threeCommas, order: { amount: 0.15, currency_type: 'base' } })
    expect(fault(message, '3Commas')).toEqual([
      '“order.amount” needs quotation marks around its value.',
    ])
  })

  test('a placeholder was not replaced', () => {
    const inside = json({ ...entry, sentiment: '{{strategy.market_positon}}' })
    expect(fault(inside)).toEqual([
      '{{strategy.market_positon}} was not replaced. Check its spelling. If it is right, this comes from the box instead of the log.',
    ])
    expect(readAlert(inside, known).does).toContain('Buys BTCUSD')
    const number = json(entry).replace('107.09', '{{close}}')
    expect(fault(number)).toEqual([expect.stringContaining('{{close}} was not replaced')])
    expect(fault('{{ strategy.order.alert_message }}')).toEqual([
      expect.stringContaining('was not replaced. Check its spelling'),
    ])
    expect(fault('{{strategy.order.alert_message}}')).toEqual([
      expect.stringContaining('“Order fills only”'),
    ])
  })

  test('the box itself, of every bridge, is told apart from what TradingView sent', () => {
    for (const bridge of bridges) {
      const box = messageFor(bridge)
      if (box === undefined) continue
      expect(readAlert(box, known, { bridge, exits: 'off' })).toMatchObject({
        order: undefined,
        faults: [
          expect.stringContaining('instead of the log'),
          ...bridge.places.map(() => expect.stringContaining('is still in it')),
        ],
      })
    }
  })

  test('YOUR-… is still in it, with what it is', () => {
    expect(fault('YOUR-LICENSE-ID,buy,EURUSD,vol_lots=YOUR-LOTS', 'PineConnector')).toEqual([
      'YOUR-LICENSE-ID is still in it. Replace it at TradingView by the number on PineConnector’s licensing page.',
      'YOUR-LOTS is still in it. Replace it at TradingView by the size in lots, such as 0.01.',
    ])
  })

  test('another bridge than the chosen one', () => {
    expect(fault(json(entry), 'PineConnector')).toEqual([
      'This is the message for TradersPost. On this page you chose PineConnector.',
    ])
    expect(fault('601234567890,buy,EURUSD,vol_lots=0.01')).toEqual([
      'This is the message for PineConnector. On this page you chose TradersPost.',
    ])
  })

  test('the script’s message without its box, or in another format', () => {
    expect(fault('BTCUSD buy at 107.09, then long')).toEqual([
      'The script’s Message format is “Plain text”. For TradersPost it must be “JSON (TradersPost)”.',
    ])
    expect(fault('buy', 'PineConnector')).toEqual([
      expect.stringContaining('This is the script’s message alone'),
    ])
  })

  test.each([
    [json(entry), '“JSON (TradersPost)”. For PineConnector it must be “Command (PineConnector)”'],
    ['BTCUSD buy at 107.09, then long', 'Message format is “Plain text”. For PineConnector'],
    ['buy,EURUSD,sl_pct=1', 'sends stop and target to the bridge, and the message box is'],
    ['closelong,EURUSD', 'sends stop and target to the bridge, and the message box is'],
  ])('the box of PineConnector with the script set otherwise: %s', (sent, words) => {
    const message = `601234567890,${sent},EURUSD,vol_lots=0.01`
    expect(fault(message, 'PineConnector')).toEqual([expect.stringContaining(words)])
  })

  test('the box with stop and target, and a script that sends none', () => {
    expect(fault('601234567890,buy,vol_lots=0.01', 'PineConnector', 'on')).toEqual([
      expect.stringContaining('does not send stop and target'),
    ])
  })

  test('the switch “Stop and target” stands otherwise than the message', () => {
    expect(fault(json(entry), 'TradersPost', 'on')).toEqual([
      expect.stringContaining('carries neither'),
    ])
    expect(fault(json({ ...entry, takeProfit }), 'TradersPost', 'on')).toEqual([
      expect.stringContaining('carries no stop'),
    ])
    expect(fault(json({ ...entry, stopLoss }), 'TradersPost', 'on')).toEqual([])
    expect(fault(json({ ...entry, stopLoss }))).toEqual([expect.stringContaining('is off')])
    expect(fault(json(exit), 'TradersPost', 'on')).toEqual([]) // an exit carries neither
  })

  test.each(['NQ1!', '6E1!'])('an endless contract: %s', (ticker) => {
    expect(fault(json({ ...entry, ticker }))).toEqual([
      `${ticker} is TradingView’s endless contract, which no broker trades. Name the month, as in NQZ2026.`,
    ])
  })

  test('keys that our messages lack or do not have', () => {
    const { sentiment: _, ...less } = entry
    expect(fault(json({ ...less, price: 107.09 }))).toEqual([
      'The message for TradersPost also has “sentiment”.',
      'The message for TradersPost has no “price”.',
    ])
  })

  test('a message that nobody knows; one that the bridge wrote itself', () => {
    expect(fault('hello')).toEqual([expect.stringContaining('none of the messages')])
    expect(fault('{"code":"ENTER-LONG_x"}', 'WunderTrading')).toEqual([
      expect.stringContaining('WunderTrading wrote this message itself'),
    ])
    expect(fault('{"code":"ENTER-LONG_x"', 'WunderTrading')).toEqual([
      expect.stringContaining('it ends before its last }'),
    ])
  })
})
