import { givenScript } from './given-files.ts'
import { exampleTrade, sampleRun, type SampleRun, sampleTicker } from './sample-run.ts'

export interface CodeToken {
  readonly text: string
  readonly kind: 'fast' | 'slow' | 'keyword' | 'comment' | 'number' | 'plain'
}

export interface CodeLine {
  /** The line's number in the shipped file. */
  readonly number: number
  readonly text: string
  readonly tokens: readonly CodeToken[]
  /** Is undefined if the line sends no order. */
  readonly order: 'enters' | 'leaves' | undefined
}

const keywords =
  /^(?:if|else|for|while|switch|and|or|not|true|false|strategy|strategy\.(?:entry|order|exit|close|close_all))$/

/** The heart of the script for the landing page: 14 lines as they stand in the file. */
export const codePreview: readonly CodeLine[] = excerpt(givenScript(), '// The rule', 14)

/** The whole script for the personal page. */
export const scriptListing: readonly CodeLine[] = excerpt(givenScript().replace(/\n$/, ''), '', Infinity)

/** Consecutive lines from the one that starts with `marker`, or from the first if there is none. */
export function excerpt(source: string, marker: string, lines: number): CodeLine[] {
  const all = source.split('\n')
  const marked = all.findIndex((line) => line.startsWith(marker))
  const first = Math.max(0, marked)
  return all.slice(first, first + lines).map((text, offset) => {
    return { number: first + offset + 1, text, tokens: tokensOf(text), order: orderOf(text) }
  })
}

function tokensOf(line: string): CodeToken[] {
  const parts = line.match(/\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\w.]+|[^\w."'/]+|./g) ?? []
  return parts.map((text) => ({ text, kind: kindOf(text) }))
}

function kindOf(text: string): CodeToken['kind'] {
  if (text === 'fast' || text === 'fastLength') return 'fast'
  if (text === 'slow' || text === 'slowLength') return 'slow'
  if (text.startsWith('//')) return 'comment'
  if (/^\d[\d.]*$/.test(text)) return 'number'
  return keywords.test(text) ? 'keyword' : 'plain'
}

function orderOf(line: string): CodeLine['order'] {
  const [, call] = /^\s*strategy\.(entry|order|exit|close|close_all)\(/.exec(line) ?? []
  if (call === undefined) return undefined
  return call === 'entry' || call === 'order' ? 'enters' : 'leaves'
}

/**
 * `signalPrice`: the close of the signal bar, because the fill, at the next bar's open, is not known yet. A key `price` would
 * make TradersPost send a limit order.
 */
type AlertMessage = Record<'ticker' | 'action' | 'sentiment' | 'signalPrice', string>

/** Byte for byte what `message()` in the script builds by default. A test compares the two. */
export function defaultMessage({ ticker, action, sentiment, signalPrice }: AlertMessage): string {
  return `{\n  "ticker": "${ticker}",\n  "action": "${action}",\n  "sentiment": "${sentiment}",\n  "signalPrice": ${signalPrice}\n}`
}

/** The messages of the losing trade of the sample chart, and the prices at which its orders are filled. */
export const alertExamples = examplesOf(sampleRun())

function examplesOf(run: SampleRun) {
  const trade = exampleTrade(run)
  if (!trade) throw new Error('The script closes no trade on the sample series')
  const example = (bar: number, price: number, order: Pick<AlertMessage, 'action' | 'sentiment'>) => {
    const signalPrice = (run.bars[bar - 1]?.close ?? Number.NaN).toFixed(2)
    return { json: defaultMessage({ ...order, ticker: sampleTicker, signalPrice }), price: price.toFixed(2) }
  }
  return {
    entry: example(trade.entryBar, trade.entryPrice, { action: 'buy', sentiment: 'long' }),
    exit: example(trade.exitBar, trade.exitPrice, { action: 'sell', sentiment: 'flat' }),
  }
}
