import { sampleTicker, type SampleRun } from './sample-run.ts'

/** The message of one order: its action, the position that follows, and the price known when it is placed. */
export interface AlertMessage {
  readonly ticker: string
  readonly action: 'buy' | 'sell'
  readonly sentiment: 'long' | 'short' | 'flat'
  /**
   * The close of the signal bar: the fill, at the next bar's open, is not known yet. A key `price` would make
   * TradersPost send a limit order.
   */
  readonly signalPrice: string
}

/** Byte for byte what `message()` in the script builds by default. A test compares the two. */
export function defaultMessage({ ticker, action, sentiment, signalPrice }: AlertMessage): string {
  return `{\n  "ticker": "${ticker}",\n  "action": "${action}",\n  "sentiment": "${sentiment}",\n  "signalPrice": ${signalPrice}\n}`
}

/** A message of the sample run, and the price at which its order is filled. */
export interface AlertExample {
  readonly json: string
  readonly price: string
}

/** The messages of one trade of the sample run. The first trade is number 1. */
export function alertsOfTrade(
  { bars, trades }: SampleRun,
  nth: number,
): { entry: AlertExample; exit: AlertExample } {
  const { entryBar, entryPrice, exitBar, exitPrice } = trades[nth - 1] ?? {}
  if (entryBar === undefined || exitBar === undefined) throw new Error(`Trade ${nth} is not closed`)
  const closeBefore = (bar: number) => (bars[bar - 1]?.close ?? Number.NaN).toFixed(2)
  const ticker = sampleTicker
  const entry = { ticker, action: 'buy', sentiment: 'long', signalPrice: closeBefore(entryBar) } as const
  const exit = { ticker, action: 'sell', sentiment: 'flat', signalPrice: closeBefore(exitBar) } as const
  return {
    entry: { json: defaultMessage(entry), price: entryPrice?.toFixed(2) ?? '' },
    exit: { json: defaultMessage(exit), price: exitPrice?.toFixed(2) ?? '' },
  }
}

/** The message box of an alert for one service, as the guide's appendix shows it. */
export interface MessageTemplate {
  readonly service: string
  /** The option to choose for the script's "Message format". It does not matter where the box ignores the script's message. */
  readonly messageFormat: string
  readonly message: string
  /** One sentence for each word in the message that the reader replaces; it begins with that word. */
  readonly replacements: readonly string[]
  /** The mistake that a reader of the message could make. */
  readonly caution?: string
  /** The service's page that describes the format. */
  readonly source: string
  /** A question that only the service's test account or log answers: "whether …". */
  readonly unchecked: string
}

const scriptMessage = '{{strategy.order.alert_message}}'

export const messageTemplates: readonly MessageTemplate[] = [
  {
    service: 'TradersPost',
    messageFormat: 'JSON (TradersPost)',
    message: scriptMessage,
    replacements: [],
    source: 'https://docs.traderspost.io/docs/core-concepts/signals/webhooks',
    caution: 'Keep `sentiment`: a sell without it opens a short once the long position is closed.',
    unchecked: 'whether TradersPost knows the ticker as your chart spells it.',
  },
  {
    service: '3Commas',
    messageFormat: 'JSON (TradersPost)',
    message: threeCommasMessage(),
    replacements: [
      '`YOUR-SECRET` is the secret that 3Commas shows for the Signal Bot.',
      '`YOUR-BOT-UUID` is the bot_uuid that 3Commas shows beside it.',
    ],
    source: 'https://help.3commas.io/en/articles/9374557-signal-bot-json-file-for-strategy-type',
    unchecked: 'whether the bot is of the type "TradingView Strategy" and trades the pair of your chart.',
  },
  {
    service: 'PineConnector',
    messageFormat: 'Command (PineConnector)',
    message: `YOUR-LICENSE-ID,${scriptMessage},{{ticker}},vol_lots=0.01`,
    replacements: [
      '`YOUR-LICENSE-ID` is the number on the PineConnector licensing page.',
      "`{{ticker}}` is your broker's symbol, if MetaTrader spells it another way.",
      '`vol_lots=0.01` is the size in lots, for the MetaTrader 5 EA from v3.51.1 on.',
    ],
    source: 'https://docs.pineconnector.com/syntax',
    unchecked:
      'what your EA version does with vol_lots= on a close, and whether it closes the old position on an entry the other way ("Long and short").',
  },
  {
    service: 'Alertatron',
    messageFormat: 'Plain text',
    message: 'YOUR-KEYS({{ticker}}) { market(position={{strategy.position_size}}); } #bot',
    replacements: [
      '`YOUR-KEYS` is the name you gave your API keys at Alertatron.',
      "`{{ticker}}` is the exchange's symbol, if it spells it another way.",
    ],
    source: 'https://alertatron.com/docs/automated-trading/market-order',
    unchecked:
      "whether the backtest's position size is a size your exchange takes, and whether it knows targets on spot.",
  },
]

/** The keys the service lists for a strategy alert, in its order, and no others: it asks for none to be added. */
function threeCommasMessage(): string {
  const message = {
    secret: 'YOUR-SECRET',
    max_lag: '300',
    timestamp: '{{timenow}}',
    trigger_price: '{{close}}',
    tv_exchange: '{{exchange}}',
    tv_instrument: '{{ticker}}',
    action: '{{strategy.order.action}}',
    bot_uuid: 'YOUR-BOT-UUID',
    strategy_info: {
      market_position: '{{strategy.market_position}}',
      market_position_size: '{{strategy.market_position_size}}',
      prev_market_position: '{{strategy.prev_market_position}}',
      prev_market_position_size: '{{strategy.prev_market_position_size}}',
    },
    order: { amount: '{{strategy.order.contracts}}', currency_type: 'base' },
  }
  return JSON.stringify(message, undefined, 2)
}
