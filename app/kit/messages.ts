import { sampleTicker, type SampleRun } from './sample-run.ts'

/** The message of one order: what it does, the position it leaves, and the price known when it is placed. */
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

/** The messages that one trade of the sample run sends, first trade 1. */
export function messagesOfTrade({ bars, trades }: SampleRun, nth: number): { entry: string; exit: string } {
  const trade = trades[nth - 1]
  if (trade?.exitBar === undefined) throw new Error(`The sample run has no closed trade ${nth}`)
  const priceBefore = (bar: number) => (bars[bar - 1]?.close ?? Number.NaN).toFixed(2)
  return {
    entry: defaultMessage({
      ticker: sampleTicker,
      action: 'buy',
      sentiment: 'long',
      signalPrice: priceBefore(trade.entryBar),
    }),
    exit: defaultMessage({
      ticker: sampleTicker,
      action: 'sell',
      sentiment: 'flat',
      signalPrice: priceBefore(trade.exitBar),
    }),
  }
}

/** The message box of an alert for one service, as the guide's appendix shows it. */
export interface MessageTemplate {
  readonly service: string
  /** The option to choose for the script's "Message format". It does not matter where the box ignores the script's message. */
  readonly messageFormat: string
  readonly message: string
  /** Words in the message that the reader replaces. */
  readonly replace: readonly { readonly word: string; readonly by: string }[]
  /** The mistake that a reader of the message could make. */
  readonly caution?: string
  /** The service's page that describes the format. */
  readonly source: string
  /** A question that only the service's test account or log answers. */
  readonly unchecked: string
}

const scriptMessage = '{{strategy.order.alert_message}}'

export const messageTemplates: readonly MessageTemplate[] = [
  {
    service: 'TradersPost',
    messageFormat: 'JSON (TradersPost)',
    message: scriptMessage,
    replace: [],
    source: 'https://docs.traderspost.io/docs/core-concepts/signals/webhooks',
    caution: 'Keep `sentiment`: a sell without it opens a short once the long position is closed.',
    unchecked: 'Whether TradersPost knows the ticker as your chart spells it.',
  },
  {
    service: '3Commas',
    messageFormat: 'JSON (TradersPost)',
    message: threeCommasMessage(),
    replace: [
      { word: 'YOUR-SECRET', by: 'the secret that 3Commas shows for the Signal Bot' },
      { word: 'YOUR-BOT-UUID', by: 'the bot_uuid that 3Commas shows beside it' },
    ],
    source: 'https://help.3commas.io/en/articles/9374557-signal-bot-json-file-for-strategy-type',
    unchecked: 'Whether the bot is of the type "TradingView Strategy" and trades the pair of your chart.',
  },
  {
    service: 'PineConnector',
    messageFormat: 'Command (PineConnector)',
    message: `YOUR-LICENSE-ID,${scriptMessage},{{ticker}},vol_lots=0.01`,
    replace: [
      { word: 'YOUR-LICENSE-ID', by: 'the number on the PineConnector licensing page' },
      { word: '{{ticker}}', by: "your broker's symbol, if MetaTrader spells it another way" },
      { word: 'vol_lots=0.01', by: 'the size in lots, for the MetaTrader 5 EA from v3.51.1 on' },
    ],
    source: 'https://docs.pineconnector.com/syntax',
    unchecked:
      'What your EA version does with vol_lots= on a close, and whether it closes the old position on an entry the other way ("Long and short").',
  },
  {
    service: 'Alertatron',
    messageFormat: 'Plain text',
    message: 'YOUR-KEYS({{ticker}}) { market(position={{strategy.position_size}}); } #bot',
    replace: [
      { word: 'YOUR-KEYS', by: 'the name you gave your API keys at Alertatron' },
      { word: '{{ticker}}', by: "the exchange's symbol, if it spells it another way" },
    ],
    source: 'https://alertatron.com/docs/automated-trading/market-order',
    unchecked:
      "Whether the backtest's position size is a size your exchange takes, and whether it knows targets on spot.",
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
