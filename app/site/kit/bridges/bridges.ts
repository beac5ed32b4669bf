import { type Bridge, scriptMessage } from './bridge.ts'

/**
 * Without the switch the script itself watches both: TradingView's simulation says when they are
 * hit.
 */
const heldByNobody =
  'Your broker does not hold the stop or the target. Their orders are sent only when TradingView’s simulation hits them.'

const exitsAreSet = '*Stop, %* or *Target, %* in the script’s settings is above 0.'

const autoSubmit =
  '*Auto submit* is ticked in the subscription. Without it each order waits for your approval.'

const onOrderFills = 'The alert’s condition is the script, with *Order fills only*.'

/**
 * The keys 3Commas lists for a strategy alert, in its order, and no others: it asks for none to be
 * added.
 */
const threeCommasMessage = `{
  "secret": "YOUR-SECRET",
  "max_lag": "300",
  "timestamp": "{{timenow}}",
  "trigger_price": "{{close}}",
  "tv_exchange": "{{exchange}}",
  "tv_instrument": "{symbol}",
  "action": "{{strategy.order.action}}",
  "bot_uuid": "YOUR-BOT-UUID",
  "strategy_info": {
    "market_position": "{{strategy.market_position}}",
    "market_position_size": "{{strategy.market_position_size}}",
    "prev_market_position": "{{strategy.prev_market_position}}",
    "prev_market_position_size": "{{strategy.prev_market_position_size}}"
  },
  "order": {
    "amount": "{size}",
    "currency_type": "base"
  }
}`

/** In the order of the personal page. */
export const bridges: readonly Bridge[] = [
  {
    id: 'traderspost',
    name: 'TradersPost',
    source: 'https://docs.traderspost.io/docs/core-concepts/signals/webhooks',
    readOn: '2026-11-22',
    messageFormat: 'JSON (TradersPost)',
    messageIfEmpty: scriptMessage,
    message: `{
  "ticker": "{symbol}",
  "action": "{{strategy.order.action}}",
  "sentiment": "{{strategy.market_position}}",
  "signalPrice": {{strategy.order.price}},
  "quantity": {size}
}`,
    symbol: { label: 'Symbol, as your broker names it', example: 'MNQZ2026' },
    size: {
      label: 'Quantity, in shares or contracts',
      example: '1',
      ifEmpty:
        'Leave empty to use the size set at TradersPost. A size from here counts only if your subscription allows it.',
    },
    sizeInWords: { given: 'quantity {size}', otherwise: 'size as set at TradersPost' },
    places: [],
    exits: heldByNobody,
    withExits: {
      message: scriptMessage,
      exits:
        'The message of each entry has `stopLoss` and `takeProfit`, in percent of the price at which TradersPost enters. The script writes all of it: the symbol is your chart’s, the size is the one set at TradersPost.',
      checks: [
        '*Message format* in the script’s settings is *JSON (TradersPost)*, and *Send stop and target to the bridge* is on.',
        exitsAreSet,
        onOrderFills,
        'The message box holds the line shown here and nothing else.',
        'The webhook URL is the whole address from TradersPost. It contains your password: keep it secret.',
        'In the subscription at TradersPost signals may set both: *Use signal stop loss* and *Use signal take profit* are ticked (in newer forms *Allow signal override* at each). Without them both are ignored.',
        autoSubmit,
        'A paper account at TradersPost is connected.',
      ],
      checksLater: ['TradersPost’s log shows the message with its stop or target.'],
    },
    unchecked: 'whether TradersPost knows the ticker as your chart spells it.',
    checks: [
      '*Message format* in the script’s settings is *JSON (TradersPost)*, and *Send stop and target to the bridge* is off.',
      onOrderFills,
      'The message box holds the lines shown here and nothing else.',
      'The webhook URL is the whole address from TradersPost. It contains your password: keep it secret.',
      autoSubmit,
      'A paper account at TradersPost is connected.',
    ],
    checksLater: ['TradersPost’s log shows the message.'],
  },
  {
    id: 'pineconnector',
    name: 'PineConnector',
    source: 'https://docs.pineconnector.com/syntax',
    readOn: '2026-11-22',
    messageFormat: 'Command (PineConnector)',
    message: `YOUR-LICENSE-ID,${scriptMessage},{symbol},vol_lots={size}`,
    symbol: { label: 'Symbol, as MetaTrader names it', example: 'EURUSD' },
    size: {
      label: 'Size, in lots',
      example: '0.01',
      standIn: 'YOUR-LOTS',
      ifEmpty: 'Leave empty to fill it in at TradingView.',
    },
    sizeInWords: { given: '{size} lots' },
    places: [
      { word: 'YOUR-LICENSE-ID', is: 'the number on PineConnector’s licensing page' },
      { word: 'YOUR-LOTS', is: 'the size in lots, such as 0.01' },
    ],
    exits: heldByNobody,
    withExits: {
      message: `YOUR-LICENSE-ID,${scriptMessage},vol_lots={size}`,
      exits:
        'The message of each entry has `sl_pct` and `tp_pct`. The script writes the symbol before them: MetaTrader must spell it as your chart does.',
      checks: [
        '*Message format* in the script’s settings is *Command (PineConnector)*, and *Send stop and target to the bridge* is on.',
        exitsAreSet,
        onOrderFills,
        'You have replaced YOUR-LICENSE-ID with your number, at TradingView.',
        'MetaTrader spells the symbol as your chart does, without an ending such as .r.',
        'The Expert Advisor for MT5 is 3.51.1 or later, on a demo account.',
      ],
      checksLater: [
        'PineConnector’s signals log shows the message with its stop or target. A message that it rejects is not listed there.',
      ],
    },
    unchecked:
      'what your EA version does with vol_lots= on a close and with sl_pct=, and whether it closes the old position when an entry goes the other way (“Long and short”).',
    checks: [
      '*Message format* in the script’s settings is *Command (PineConnector)*, and *Send stop and target to the bridge* is off.',
      onOrderFills,
      'You have replaced YOUR-LICENSE-ID with your number, at TradingView.',
      'The symbol is spelled as in MetaTrader, with its ending (EURUSD.r).',
      'The Expert Advisor for MT5 is 3.51.1 or later, on a demo account.',
    ],
    checksLater: [
      'PineConnector’s signals log shows the message. A message that it rejects is not listed there.',
    ],
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
      ifEmpty: 'Leave empty to use the size of the backtest’s order.',
    },
    sizeInWords: { given: 'amount {size}' },
    places: [
      { word: 'YOUR-SECRET', is: 'the secret that 3Commas shows for the Signal Bot' },
      { word: 'YOUR-BOT-UUID', is: 'the bot_uuid shown beside it' },
    ],
    exits: '3Commas takes neither from this message: set both in the bot.',
    unchecked:
      'whether the bot is of the type “TradingView Strategy” and trades the pair of your chart.',
    checks: [
      'The Signal Bot is of the type *TradingView Strategy* and trades the pair of your chart.',
      onOrderFills,
      'You have replaced YOUR-SECRET and YOUR-BOT-UUID with what the bot shows, at TradingView.',
      'The message has exactly these keys, no more and no fewer: 3Commas requires it.',
      'The bot is on a demo account.',
    ],
    checksLater: ['The bot’s log shows the message.'],
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
    exits: 'WunderTrading takes neither from the script: set both in the bot.',
    unchecked: 'whether the size that the strategy sends is a size your exchange takes.',
    checks: [
      'The Signal Bot’s start condition is *TradingView Strategy*.',
      onOrderFills,
      'The message box holds the bot’s JSON, unchanged.',
      'Pair and size are set in the bot. The bot’s pair is the pair of your chart.',
      'The bot is on a demo account.',
    ],
    checksLater: ['The bot’s log shows the message.'],
  },
  {
    id: 'alertatron',
    name: 'Alertatron',
    source: 'https://alertatron.com/docs/automated-trading/market-order',
    readOn: '2026-11-22',
    message: 'YOUR-KEYS({symbol}) { market(position={{strategy.position_size}}); } #bot',
    symbol: { label: 'Symbol, as the exchange names it', example: 'XBTUSD' },
    places: [
      { word: 'YOUR-KEYS', is: 'the name you gave your API keys at Alertatron, not a key itself' },
    ],
    exits:
      'Alertatron takes neither from this message: `market()` moves to a position and places no stop.',
    unchecked:
      'whether the backtest’s position size is a size your exchange takes, and whether it knows targets on spot.',
    checks: [
      'You have replaced YOUR-KEYS with the name of your keys, at TradingView.',
      onOrderFills,
      '*Order size* under Properties is a size your exchange takes.',
      '`#bot` is at the end. Without it nothing is traded.',
      'The alert goes to the *Trading Bot* group. A *Signals Lite* bot reads no such message.',
      'The keys are for a testnet.',
    ],
    checksLater: ['Alertatron’s log shows the message.'],
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
    sizeInWords: { otherwise: 'size as your server sets it' },
    places: [],
    exits: heldByNobody,
    withExits: {
      message: scriptMessage,
      exits:
        'The message of each entry has `stopLoss` and `takeProfit`, in percent. Your server places their orders.',
      checks: [
        '*Message format* in the script’s settings is *JSON (TradersPost)*, and *Send stop and target to the bridge* is on.',
        exitsAreSet,
        onOrderFills,
        'Your address uses port 443 or 80, no IPv6, and answers within 3 seconds.',
        'The secret is in the address, never in the message.',
        'The same message sent twice makes one order with one stop. Try it on a demo account before money is in.',
      ],
      checksLater: ['Your server’s log shows the message, and the stop or target it placed.'],
    },
    unchecked: 'whether TradingView reaches your server and gets its answer in time.',
    checks: [
      '*Message format* in the script’s settings is *JSON (TradersPost)*, and *Send stop and target to the bridge* is off.',
      onOrderFills,
      'Your address uses port 443 or 80, no IPv6, and answers within 3 seconds.',
      'The secret is in the address, never in the message.',
      'The same message sent twice makes one order. Try it on a demo account before money is in.',
    ],
    checksLater: ['Your server’s log shows the message.'],
  },
]

/** Their names. The last one is the reader's own server, which the texts name themselves. */
export const bridgesInWords = bridges
  .slice(0, -1)
  .map(({ name }) => name)
  .join(', ')
