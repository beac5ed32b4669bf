import { expect, test } from 'vitest'
import { messageFor } from './bridge.ts'
import { bridges } from './bridges.ts'
import { checkMessage } from './check-message.ts'

/** The checker's findings as the page shows them. */
function said(bridgeName: string, message: string): string[] {
  const bridge = bridges.find(({ name }) => name === bridgeName)
  if (!bridge) throw new Error(`There is no bridge ${bridgeName}`)
  return checkMessage(bridge, message).map(({ verdict, what, cure, line }) => {
    return `${verdict}${line === undefined ? '' : `, line ${line}`}: ${what} ${cure}`
  })
}

test.each<[string, string, string, string[]]>([
  [
    'quotes bent by a chat, a comma too many, and a price that makes a limit order',
    'TradersPost',
    '{\n  “ticker”: "NQ1!",\n  "action": "{{strategy.order.action}}",\n  "price": {{close}},\n}',
    [
      'refused, line 2: Curly quotes. Type straight ones: `"`. Chats and documents bend them.',
      'refused, line 4: A comma after the last value. Take it away.',
      'taken, line 4: `price` makes a limit order. For the price of the signal write `signalPrice`.',
      'taken: `sentiment` is missing. Without it a sale meant as an exit can open a short position.',
      'taken, line 2: `NQ1!` is TradingView’s endless contract. Name the month, such as `NQZ2026`.',
    ],
  ],
  [
    'no ticker and no action',
    'TradersPost',
    '{ "sentiment": "{{strategy.market_position}}", "symbol": "MNQZ2026" }',
    [
      'refused: `ticker` is missing. TradersPost refuses a message without it.',
      'refused: `action` is missing. TradersPost refuses a message without it.',
      'taken: `symbol` is not a key TradersPost takes. Take it away.',
    ],
  ],
  [
    'a text placeholder without quotes, and a comma too few',
    'TradersPost',
    '{\n  "ticker": "{{ticker}}"\n  "action": {{strategy.order.action}},\n  "sentiment": "{{strategy.market_position}}"\n}',
    [
      'refused, line 3: `{{strategy.order.action}}` becomes text. Write it in quotes: `"{{strategy.order.action}}"`.',
      'refused, line 2: A comma is missing at the end of the line. Every value but the last has one.',
    ],
  ],
  [
    'another endless contract, and a key whose letters stand in one before it',
    'TradersPost',
    '{\n  "ticker": "6E1!",\n  "action": "buy",\n  "sentiment": "long", "marketPriceType": "bid",\n  "act": 1\n}',
    [
      'taken, line 2: `6E1!` is TradingView’s endless contract. Name the month, such as `NQZ2026`.',
      'taken, line 5: `act` is not a key TradersPost takes. Take it away.',
    ],
  ],
  [
    'a placeholder that TradingView does not know, and no end',
    'TradersPost',
    '{ "ticker": "{{symbol}}", "action": "{{strategy.order.action}}", "sentiment": "flat"',
    [
      'refused: A closing brace is missing. Write `}` at the end.',
      'refused: `{{symbol}}` is no placeholder of TradingView. It would arrive as it stands.',
    ],
  ],
  [
    'a placeholder inside the script',
    'TradersPost',
    `strategy.entry("Long", strategy.long, alert_message = '{"ticker": "{{ticker}}"}')`,
    ['refused: A placeholder inside the script’s message stays as it is. Use it in the alert’s box only.'],
  ],
  [
    "the script's whole message inside another one",
    'Own webhook',
    '{ "ticker": "{{ticker}}", "action": {{strategy.order.alert_message}}, "sentiment": "flat" }',
    [
      'refused: `{{strategy.order.alert_message}}` is a whole message. It stands alone in the box, without quotes and braces.',
    ],
  ],
  [
    'JSON for a bridge that takes a line',
    'PineConnector',
    '{ "ticker": "EURUSD", "action": "buy" }',
    ['refused: PineConnector takes one line of text, not JSON. Copy the message above.'],
  ],
  [
    'a line without licence and with a size of unknown unit',
    'PineConnector',
    '{{strategy.order.action}},EURUSD,risk=1,volume=2',
    [
      'refused: The License ID is missing. It stands first, before a comma.',
      'refused: There is no command, such as `buy` or `closelong`. It stands second. `{{strategy.order.alert_message}}` writes it.',
      'refused: The symbol is missing. It stands third, as MetaTrader names it.',
      'taken: `{{strategy.order.action}}` only says buy or sell. An exit would open a position the other way. Write `{{strategy.order.alert_message}}`.',
      'taken: `risk` means lots, money or per cent, by the settings of the EA. For a size in lots write `vol_lots`.',
      'refused: `volume` is not a key PineConnector takes. Take it away.',
    ],
  ],
  [
    'a key the bridge does not list, a missing one, and a real secret',
    '3Commas',
    (messageFor(bridges[2]!) ?? '')
      .replace('"max_lag": "300"', '"leverage": 5')
      .replace('  "bot_uuid": "YOUR-BOT-UUID",\n', '')
      .replace('YOUR-SECRET', 'eyJhbGciOiJIUzI1NiJ9.abc'),
    [
      'refused: `bot_uuid` is missing. 3Commas refuses a message without it.',
      'refused, line 3: `leverage` is not a key 3Commas takes. Take it away.',
      'taken, line 2: This looks like a real key. It stayed in this page; take it out before you show it to anybody.',
    ],
  ],
  [
    'an order instead of a position, which goes to no bot',
    'Alertatron',
    'MyKeys(XBTUSD) { market(side={{strategy.order.action}}, amount=1); }',
    [
      'refused: `#bot` is missing. Write it at the end. Without it nothing is traded.',
      'taken: `position` is missing. Without it each message adds an order instead of moving to the position that the script holds.',
    ],
  ],
  [
    'text for a bridge that takes JSON',
    'WunderTrading',
    'ENTER-LONG_Binance_BTCUSDT',
    ['refused: WunderTrading takes JSON, in braces. Paste the one that WunderTrading writes.'],
  ],
  [
    'single quotes, keys without quotes, and something no rule names',
    'Own webhook',
    "{ action: 'buy', sentiment: 'long', now }",
    [
      'refused: Single quotes. JSON takes double ones: `"`.',
      'refused: `action` has no quotes. Write `"action"`.',
      'refused: This is no JSON that a program can read. Compare it with the message above, sign by sign.',
      'refused: `ticker` is missing. The receiver of our recipe refuses a message without it.',
    ],
  ],
])('the checker finds %s', (_name, bridge, message, expected) => {
  expect(said(bridge, message)).toEqual(expected)
})

test.each(bridges)('the message of the form for $name has nothing wrong, filled in or empty', (bridge) => {
  for (const filledIn of [{}, { symbol: 'MNQZ2026', size: '0.01' }]) {
    const message = messageFor(bridge, filledIn)
    if (message !== undefined) expect(checkMessage(bridge, message)).toEqual([])
  }
})

test.each(['MNQ1!', 'M2K1!', '6E1!', '10Y1!', 'NIFTY1!'])('%s is an endless contract', (symbol) => {
  expect(said('PineConnector', `YOUR-LICENSE-ID,buy,${symbol},vol_lots=1`)).toEqual([
    `taken: \`${symbol}\` is TradingView’s endless contract. Name the month, such as \`NQZ2026\`.`,
  ])
})

test('an empty box has nothing wrong: nothing was pasted yet', () => {
  expect(said('TradersPost', ' \n')).toEqual([])
})
