import { type Bridge, type PatternRule, scriptMessage } from './bridge.ts'

/** Mistakes with any service that sends symbol and position on to a broker. */
const endlessContract: PatternRule = {
  verdict: 'taken',
  has: /\b[A-Z\d]+\d!/,
  what: '`$&` is TradingView’s endless contract.',
  cure: 'Name the month, such as `NQZ2026`.',
}
const noSentiment: PatternRule = {
  verdict: 'taken',
  lacks: /"sentiment"\s*:/,
  what: '`sentiment` is missing.',
  cure: 'Without it a sale meant as an exit can open a short position.',
}

const onOrderFills = 'The alert’s condition is the script, with *Order fills only*.'

/** The keys 3Commas lists for a strategy alert, in its order, and no others: it asks for none to be added. */
const threeCommasMessage = `{
  "secret": "YOUR-SECRET",
  "max_lag": "300",
  "timestamp": "{{timenow}}",
  "trigger_price": "{{close}}",
  "tv_exchange": "{{exchange}}",
  "tv_instrument": "[symbol]",
  "action": "{{strategy.order.action}}",
  "bot_uuid": "YOUR-BOT-UUID",
  "strategy_info": {
    "market_position": "{{strategy.market_position}}",
    "market_position_size": "{{strategy.market_position_size}}",
    "prev_market_position": "{{strategy.prev_market_position}}",
    "prev_market_position_size": "{{strategy.prev_market_position_size}}"
  },
  "order": {
    "amount": "[size]",
    "currency_type": "base"
  }
}`

const threeCommasKeys = ['secret', 'bot_uuid', 'action', 'tv_instrument', 'strategy_info', 'order']

/** In the order of the personal page. The guide begins with the shortest message. */
export const bridges: readonly Bridge[] = [
  {
    id: 'traderspost',
    name: 'TradersPost',
    source: 'https://docs.traderspost.io/docs/core-concepts/signals/webhooks',
    readOn: '2026-11-22',
    messageFormat: 'JSON (TradersPost)',
    messageIfEmpty: scriptMessage,
    message: `{
  "ticker": "[symbol]",
  "action": "{{strategy.order.action}}",
  "sentiment": "{{strategy.market_position}}",
  "signalPrice": {{strategy.order.price}},
  "quantity": [size]
}`,
    symbol: { label: 'Symbol, as your broker names it', example: 'MNQZ2026' },
    size: {
      label: 'Quantity, in shares or contracts',
      example: '1',
      ifEmpty: 'Empty: the size set at TradersPost. It is used only if your subscription there allows it.',
    },
    places: [],
    caution: 'Keep `sentiment`: a sell without it opens a short once the long position is closed.',
    unchecked: 'whether TradersPost knows the ticker as your chart spells it.',
    checks: [
      '*Message format* in the script’s settings is *JSON (TradersPost)*.',
      onOrderFills,
      'The message box holds the lines shown here and nothing else.',
      'The webhook URL is the whole address from TradersPost. Your password is in it: show it to nobody.',
      'A paper account is connected, and TradersPost’s log shows the first message.',
    ],
    rules: {
      form: 'json',
      // Others are ignored, says the page.
      keys: `ticker action sentiment price signalPrice limitPrice stopPrice orderType quantity quantityType takeProfit stopLoss
      trailPrice trailAmount trailPercent timeInForce extendedHours time interval cancel delay test id message extras marketPriceType breakevenOffset
      optionType intrinsicValue expiration strikeCount strikesAway strikePrice`.split(/\s+/),
      otherKeys: 'taken',
      patterns: [
        required('ticker', 'TradersPost'),
        required('action', 'TradersPost'),
        {
          verdict: 'taken',
          has: /"price"\s*:/,
          what: '`price` makes a limit order.',
          cure: 'For the price of the signal write `signalPrice`.',
        },
        noSentiment,
        endlessContract,
      ],
    },
  },
  {
    id: 'pineconnector',
    name: 'PineConnector',
    source: 'https://docs.pineconnector.com/syntax',
    readOn: '2026-11-22',
    messageFormat: 'Command (PineConnector)',
    message: `YOUR-LICENSE-ID,${scriptMessage},[symbol],vol_lots=[size]`,
    symbol: { label: 'Symbol, as MetaTrader names it', example: 'EURUSD' },
    size: {
      label: 'Size, in lots',
      example: '0.01',
      standIn: 'YOUR-LOTS',
      ifEmpty: 'Empty: you fill it in at TradingView.',
    },
    places: [
      { word: 'YOUR-LICENSE-ID', is: 'the number on PineConnector’s licensing page' },
      { word: 'YOUR-LOTS', is: 'the size in lots, such as 0.01' },
    ],
    unchecked:
      'what your EA version does with vol_lots= on a close, and whether it closes the old position on an entry the other way ("Long and short").',
    checks: [
      '*Message format* in the script’s settings is *Command (PineConnector)*.',
      onOrderFills,
      'YOUR-LICENSE-ID is replaced, at TradingView, by your number.',
      'The symbol is spelled as in MetaTrader, with its ending (EURUSD.r).',
      'The Expert Advisor for MT5 is 3.51.1 or later, on a demo account, and the signals log shows the first message.',
    ],
    rules: {
      form: 'line',
      keys: `risk vol_lots sl tp price comment betrigger beoffset trailtrig traildist trailstep atrtimeframe atrtrigger
      atrperiod atrmultiplier atrshift spread accfilter secret closepct`.split(/\s+/),
      otherKeys: 'refused',
      patterns: [
        {
          verdict: 'refused',
          has: /\S\s*\n\s*\S/,
          what: 'There is more than one line.',
          cure: 'Write it in one line, with commas.',
        },
        {
          verdict: 'refused',
          lacks: /^\s*(?:YOUR-LICENSE-ID|\d{6,})\s*,/,
          what: 'The License ID is missing.',
          cure: 'It stands first, before a comma.',
        },
        {
          verdict: 'refused',
          lacks:
            /,\s*(?:\{\{strategy\.order\.(?:alert_message|action)\}\}|buy|sell|long|short|bull|bear|close|cancel|exit|newsltp|eao)/i,
          what: 'There is no command, such as `buy` or `closelong`.',
          cure: 'It stands second. `{{strategy.order.alert_message}}` writes it.',
        },
        {
          verdict: 'refused',
          lacks: /^[^,]*,[^,]*,\s*[^,=\s]+\s*(?:,|$)/,
          what: 'The symbol is missing.',
          cure: 'It stands third, as MetaTrader names it.',
        },
        {
          verdict: 'taken',
          has: /\{\{strategy\.order\.action\}\}/,
          what: '`{{strategy.order.action}}` only says buy or sell.',
          cure: 'An exit would open a position the other way. Write `{{strategy.order.alert_message}}`.',
        },
        {
          verdict: 'taken',
          has: /\brisk\s*=/,
          what: '`risk` means lots, money or per cent, by the settings of the EA.',
          cure: 'For a size in lots write `vol_lots`.',
        },
        endlessContract,
      ],
    },
  },
  {
    id: '3commas',
    name: '3Commas',
    source: 'https://help.3commas.io/en/articles/9374557-signal-bot-json-file-for-strategy-type',
    readOn: '2026-11-22',
    message: threeCommasMessage,
    symbol: { label: 'Pair, as the exchange names it', example: 'BTCUSDT' },
    size: {
      label: 'Amount, in the coin that is bought',
      example: '0.001',
      standIn: '{{strategy.order.contracts}}',
      ifEmpty: 'Empty: the size of the backtest’s order.',
    },
    places: [
      { word: 'YOUR-SECRET', is: 'the secret that 3Commas shows for the Signal Bot' },
      { word: 'YOUR-BOT-UUID', is: 'the bot_uuid shown beside it' },
    ],
    unchecked: 'whether the bot is of the type "TradingView Strategy" and trades the pair of your chart.',
    checks: [
      'The Signal Bot is of the type *TradingView Strategy* and trades the pair of your chart.',
      onOrderFills,
      'YOUR-SECRET and YOUR-BOT-UUID are replaced, at TradingView, by what the bot shows.',
      'No key is added and none is taken away: 3Commas asks for exactly these.',
      'The bot is on a demo account, and its log shows the first message.',
    ],
    rules: {
      form: 'json',
      keys: [...threeCommasKeys, 'max_lag', 'timestamp', 'trigger_price', 'tv_exchange'],
      otherKeys: 'refused',
      patterns: [...threeCommasKeys.map((key) => required(key, '3Commas')), endlessContract],
    },
  },
  {
    id: 'wundertrading',
    name: 'WunderTrading',
    source:
      'https://help.wundertrading.com/en/articles/13750524-wunder-trend-reversal-bot-setup-guide-and-trading-strategy',
    readOn: '2026-11-22',
    ownMessage:
      'WunderTrading writes this message for you. Open your Signal Bot, copy its *TradingView Strategy* JSON and paste it as it is. It carries the code of your bot, so we cannot make it here. Symbol and size are set in the bot.',
    places: [],
    unchecked: 'whether the size that the strategy sends is a size your exchange takes.',
    checks: [
      'The Signal Bot’s start condition is *TradingView Strategy*.',
      onOrderFills,
      'The message box holds the bot’s JSON, unchanged.',
      'Pair and size are set in the bot. The bot’s pair is the pair of your chart.',
      'The bot is on a demo account, and its log shows the first message.',
    ],
    // The names in its JSON are in no public page.
    rules: { form: 'json', patterns: [] },
  },
  {
    id: 'alertatron',
    name: 'Alertatron',
    source: 'https://alertatron.com/docs/automated-trading/market-order',
    readOn: '2026-11-22',
    message: 'YOUR-KEYS([symbol]) { market(position={{strategy.position_size}}); } #bot',
    symbol: { label: 'Symbol, as the exchange names it', example: 'XBTUSD' },
    places: [{ word: 'YOUR-KEYS', is: 'the name you gave your API keys at Alertatron, not a key itself' }],
    unchecked:
      "whether the backtest's position size is a size your exchange takes, and whether it knows targets on spot.",
    checks: [
      'YOUR-KEYS is replaced, at TradingView, by the name of your keys.',
      onOrderFills,
      '*Order size* under Properties is a size your exchange takes.',
      '`#bot` stands at the end. Without it nothing is traded.',
      'The keys are for a testnet, and Alertatron’s log shows the first message.',
    ],
    rules: {
      form: 'line',
      patterns: [
        {
          verdict: 'refused',
          lacks: /^\s*[\w-]+\([^)]+\)\s*\{/,
          what: 'The keys and the symbol are missing.',
          cure: 'It begins with `YOUR-KEYS(XBTUSD) {`.',
        },
        {
          verdict: 'refused',
          lacks: /#bot\b/,
          what: '`#bot` is missing.',
          cure: 'Write it at the end. Without it nothing is traded.',
        },
        {
          verdict: 'taken',
          lacks: /position\s*=/,
          what: '`position` is missing.',
          cure: 'Without it each message adds an order instead of moving to the position that the script holds.',
        },
      ],
    },
  },
  {
    id: 'own-webhook',
    name: 'Own webhook',
    source: 'https://www.tradingview.com/support/solutions/43000529348/',
    readOn: '2026-11-22',
    sourceTitle: 'TradingView on webhooks',
    recipe: { title: 'A receiver in 40 lines, tested', href: '/webhook-receiver.mjs' },
    messageFormat: 'JSON (TradersPost)',
    message: scriptMessage,
    places: [],
    caution:
      'TradingView calls ports 80 and 443 only, no IPv6, and waits 3 seconds. Your page has a receiver in 40 lines that keeps to that, checks secret and sender, and ignores repeats.',
    unchecked: 'whether TradingView reaches your server and gets its answer in time.',
    checks: [
      '*Message format* in the script’s settings is *JSON (TradersPost)*.',
      onOrderFills,
      'Your address uses port 443 or 80, no IPv6, and answers within 3 seconds.',
      'The secret is in the address, never in the message.',
      'The same message twice makes one order. Try it on a paper account before money is in.',
    ],
    rules: {
      form: 'json',
      patterns: [
        ...['ticker', 'action'].map((key) => required(key, 'The receiver of our recipe')),
        noSentiment,
        endlessContract,
      ],
    },
  },
]

/** A key of JSON that the service does not do without. */
function required(key: string, refusedBy: string): PatternRule {
  return {
    verdict: 'refused',
    lacks: new RegExp(`"${key}"\\s*:`),
    what: `\`${key}\` is missing.`,
    cure: `${refusedBy} refuses a message without it.`,
  }
}
