import { defaultMessage } from '#kit/page-figures.ts'
import type { Bar } from '#kit/sample-run.ts'
import { crossesOf, oracleAverages, oracleTrades, type OracleRules } from './crossover-oracle.ts'
import { runPine, type PineMessage, type PineTrade } from './pine-runner.ts'
import { priceSeries } from './price-series.ts'

/** The settings under which the script is tested: inputs of the dialog, and the rules they stand for. */
const provenSettings: readonly {
  readonly inputs: Record<string, unknown>
  readonly rules: OracleRules
}[] = [
  { inputs: {}, rules: { fast: 9, slow: 21 } },
  {
    inputs: { 'Fast length': 5, 'Slow length': 13, Direction: 'Long and short' },
    rules: { fast: 5, slow: 13, shorts: true },
  },
  {
    inputs: { 'Fast length': 3, 'Slow length': 50, Source: 'open' },
    rules: { fast: 3, slow: 50, source: 'open' },
  },
  {
    inputs: { 'Stop, %': 2, 'Target, %': 3 },
    rules: { fast: 9, slow: 21, stopPercent: 2, targetPercent: 3 },
  },
  { inputs: { 'Stop, %': 1 }, rules: { fast: 9, slow: 21, stopPercent: 1 } },
  {
    inputs: { 'Stop, %': 0.5, 'Target, %': 0.5, Direction: 'Long and short' },
    rules: { fast: 9, slow: 21, shorts: true, stopPercent: 0.5, targetPercent: 0.5 },
  },
]

const messageFormats = ['JSON (TradersPost)', 'Plain text', 'Command (PineConnector)'] as const

// Each check yields its findings after each run of the script, so that a caller can stop at the first.

/** Differences between the script's averages and the oracle's, on every series. */
export async function* averageFaults(script: string): AsyncGenerator<string> {
  for (const [name, bars] of Object.entries(priceSeries)) {
    for (const { inputs, rules } of provenSettings.slice(0, 3)) {
      const run = await runPine(script, bars, { inputs })
      const oracle = oracleAverages(bars, rules)
      for (const line of ['fast', 'slow'] as const) {
        const wrong = oracle[line].findIndex((value, bar) => !isNear(value, run[line][bar]))
        if (wrong >= 0)
          yield `${name}: ${line} ${run[line][wrong]} at bar ${wrong}, not ${oracle[line][wrong]}`
      }
    }
  }
}

/** Differences between the script's fills and the oracle's, on every series under all settings. */
export async function* tradeFaults(script: string): AsyncGenerator<string> {
  for (const { inputs, rules } of provenSettings) {
    for (const [name, bars] of Object.entries(priceSeries)) {
      // pinets adds slippage to limit fills too.
      const { trades } = await runPine(script, bars, { inputs, slippage: 0 })
      const fault = firstDifference(trades, oracleTrades(bars, rules))
      if (fault) yield `${name} with ${JSON.stringify(inputs)}: ${fault}`
    }
  }
}

/** Differences between the past of a run on fewer bars and of the run on all of them. */
export async function* lookAheadFaults(script: string): AsyncGenerator<string> {
  const bars = priceSeries['chop'] ?? []
  const full = await runPine(script, bars, { slippage: 0 })
  for (const length of [60, 101, 150, 233, 301, 399]) {
    const run = await runPine(script, bars.slice(0, length), { slippage: 0 })
    const otherAverage = run.fast.findIndex((value, bar) => !isNear(value, full.fast[bar]))
    const past = full.trades
      .filter(({ entryBar }) => entryBar < length)
      .map((trade) => knownAt(length, trade))
    const fault = otherAverage >= 0 ? `average at bar ${otherAverage}` : firstDifference(run.trades, past)
    if (fault) yield `after ${length} bars: ${fault}`
  }
}

/** Orders and messages that are sent while the bar of the cross is still open. */
export async function* openBarFaults(script: string): AsyncGenerator<string> {
  const bars = priceSeries['sample'] ?? []
  const { trades } = await runPine(script, bars)
  const { entryBar = 0, exitBar = 0 } = trades.at(-1) ?? {}
  for (const signalBar of [entryBar - 1, exitBar - 1]) {
    const upToSignal = bars.slice(0, signalBar + 1)
    const closed = await runPine(script, upToSignal)
    const open = await runPine(script, upToSignal, { lastBarOpen: true })
    if (closed.pendingOrders !== 1) yield `no order on the close of bar ${signalBar}`
    if (open.pendingOrders !== 0) yield `an order while bar ${signalBar} is open`
    if (open.messages.some(({ bar }) => bar === signalBar)) yield `a message while bar ${signalBar} is open`
  }
}

/** Wrong, missing and extra messages, in every format. */
export async function* messageFaults(script: string): AsyncGenerator<string> {
  const bars = priceSeries['chop'] ?? []
  // Orders of the last bar are never filled, so the oracle has no trade for them.
  const isBeforeLastBar = ({ bar }: PineMessage) => bar < bars.length - 1
  for (const format of messageFormats) {
    for (const { inputs, rules } of provenSettings) {
      const run = await runPine(script, bars, {
        inputs: { ...inputs, 'Message format': format },
        slippage: 0,
      })
      const sent = run.messages.filter(isBeforeLastBar)
      const wanted = expectedMessages(bars, rules, format).filter(isBeforeLastBar)
      const wrong = wanted.findIndex((message, index) => !isSameMessage(message, sent[index]))
      if (wrong >= 0) yield `${format}: ${JSON.stringify(sent[wrong])}, not ${JSON.stringify(wanted[wrong])}`
      else if (sent.length > wanted.length) yield `${format}: messages nothing calls for`
    }
  }
}

/** Each entry and each close by a cross sends one message. Stop and target get theirs with the entry. */
function expectedMessages(bars: readonly Bar[], rules: OracleRules, format: string): PineMessage[] {
  const crosses = crossesOf(bars, rules)
  const trades = oracleTrades(bars, rules)
  const { stopPercent = 0, targetPercent = 0 } = rules
  return trades.flatMap(({ side, entryBar, exitBar = bars.length }, index) => {
    const [into, out, up] = side === 'long' ? (['buy', 'sell', 1] as const) : (['sell', 'buy', -1] as const)
    const message = (order: string, bar: number, action: 'buy' | 'sell', position: Position, percent = 0) => {
      const price = ((bars[bar]?.close ?? Number.NaN) * (1 + percent / 100)).toFixed(2)
      return { bar, order, text: messageText(format, action, position, price) }
    }
    const messages = [message('entry', entryBar - 1, into, side)]
    if (stopPercent + targetPercent > 0) {
      messages.push(message('profit', entryBar - 1, out, 'flat', up * targetPercent))
      messages.push(message('loss', entryBar - 1, out, 'flat', -up * stopPercent))
    }
    const reversed = trades[index + 1]?.entryBar === exitBar
    const crossedBack = crosses[exitBar - 1] === (side === 'long' ? 'down' : 'up')
    if (crossedBack && !reversed) messages.push(message('close', exitBar - 1, out, 'flat'))
    return messages
  })
}

type Position = 'long' | 'short' | 'flat'

function messageText(format: string, action: 'buy' | 'sell', position: Position, price: string): string {
  if (format === 'Plain text') return `SAMPLE ${action} at ${price}, then ${position}`
  if (format === 'Command (PineConnector)') {
    if (position !== 'flat') return action
    return action === 'sell' ? 'closelong' : 'closeshort'
  }
  return defaultMessage({ ticker: 'SAMPLE', action, sentiment: position, signalPrice: price })
}

function firstDifference(actual: readonly PineTrade[], wanted: readonly PineTrade[]): string | undefined {
  for (let index = 0; index < Math.max(actual.length, wanted.length); index++) {
    const [is, shall] = [actual[index], wanted[index]]
    if (!is || !shall || !isSameTrade(is, shall))
      return `trade ${index}: ${JSON.stringify(is)}, not ${JSON.stringify(shall)}`
  }
  return undefined
}

function isSameTrade(a: PineTrade, b: PineTrade): boolean {
  const sameBars = a.side === b.side && a.entryBar === b.entryBar && a.exitBar === b.exitBar
  return sameBars && isNear(a.entryPrice, b.entryPrice) && isNear(a.exitPrice, b.exitPrice)
}

function isSameMessage(a: PineMessage, b: PineMessage | undefined): boolean {
  return a.bar === b?.bar && a.order === b.order && a.text === b.text
}

/** pinets keeps ten decimals. */
function isNear(a = Number.NaN, b = Number.NaN): boolean {
  return Number.isNaN(a) ? Number.isNaN(b) : Math.abs(a - b) < 1e-8
}

/** The part of a trade that had happened when the series was only `length` bars long. */
function knownAt(length: number, trade: PineTrade): PineTrade {
  if (trade.exitBar === undefined || trade.exitBar < length) return trade
  return { side: trade.side, entryBar: trade.entryBar, entryPrice: trade.entryPrice }
}
