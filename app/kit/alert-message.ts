import type { SampleRun } from './crossover-run.ts'
import { sampleTicker } from './sample-series.ts'

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

/** Byte for byte what `message()` in the script builds by default; a test holds the two together. */
export function defaultMessage({ ticker, action, sentiment, signalPrice }: AlertMessage): string {
  return `{\n  "ticker": "${ticker}",\n  "action": "${action}",\n  "sentiment": "${sentiment}",\n  "signalPrice": ${signalPrice}\n}`
}

/** The messages that one trade of the sample run sends, first trade 1. */
export function messagesOfTrade({ bars, trades }: SampleRun, nth: number): { entry: string; exit: string } {
  const trade = trades[nth - 1]
  if (trade?.exitBar === undefined) throw new Error(`The sample run has no closed trade ${nth}`)
  const priceBefore = (bar: number) => (bars[bar - 1]?.close ?? Number.NaN).toFixed(2)
  const at = { ticker: sampleTicker }
  return {
    entry: defaultMessage({
      ...at,
      action: 'buy',
      sentiment: 'long',
      signalPrice: priceBefore(trade.entryBar),
    }),
    exit: defaultMessage({
      ...at,
      action: 'sell',
      sentiment: 'flat',
      signalPrice: priceBefore(trade.exitBar),
    }),
  }
}
