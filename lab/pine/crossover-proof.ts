import { defaultMessage } from '#kit/page-figures.ts'
import type { Bar } from '#kit/sample-run.ts'
import { crossesOf, oracleAverages, oracleTrades, type OracleRules } from './crossover-oracle.ts'
import { runPine, type PineMessage } from './pine-runner.ts'
import { priceSeries } from './price-series.ts'

/** The rules under which the script is tested. */
const provenRules: readonly OracleRules[] = [
  { fast: 9, slow: 21 },
  { fast: 5, slow: 13, shorts: true },
  { fast: 3, slow: 50, source: 'open' },
  { fast: 9, slow: 21, stopPercent: 2, targetPercent: 3 },
  { fast: 9, slow: 21, stopPercent: 1 },
  { fast: 9, slow: 21, shorts: true, stopPercent: 0.5, targetPercent: 0.5 },
]

/** The inputs of the dialog that stand for the rules. What equals the script's default is left out. */
function inputsOf({ fast, slow, source, shorts, stopPercent, targetPercent }: OracleRules) {
  return {
    ...(fast !== 9 && { 'Fast length': fast, 'Slow length': slow }),
    ...(source && { Source: source }),
    ...(shorts && { Direction: 'Long and short' }),
    ...(stopPercent && { 'Stop, %': stopPercent }),
    ...(targetPercent && { 'Target, %': targetPercent }),
  }
}

const messageFormats = ['JSON (TradersPost)', 'Plain text', 'Command (PineConnector)'] as const

// Each check yields its findings after each run of the script, so that a caller can stop at the first.

/** Differences between the script's averages and the oracle's, on every series. */
export async function* averageFaults(script: string): AsyncGenerator<string> {
  for (const [name, bars] of Object.entries(priceSeries)) {
    for (const rules of provenRules.slice(0, 3)) {
      const run = await runPine(script, bars, { inputs: inputsOf(rules) })
      const oracle = oracleAverages(bars, rules)
      for (const line of ['fast', 'slow'] as const) {
        const difference = firstDifference(run[line], oracle[line])
        if (difference) yield `${name}: ${line} average ${difference}`
      }
    }
  }
}

/** Differences between the script's fills and the oracle's, on every series under all settings. */
export async function* tradeFaults(script: string): AsyncGenerator<string> {
  for (const rules of provenRules) {
    const inputs = inputsOf(rules)
    for (const [name, bars] of Object.entries(priceSeries)) {
      // pinets adds slippage to limit fills too.
      const { trades } = await runPine(script, bars, { inputs, slippage: 0 })
      const difference = firstDifference(trades, oracleTrades(bars, rules))
      if (difference) yield `${name} with ${JSON.stringify(inputs)}: trade ${difference}`
    }
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
    for (const rules of provenRules) {
      const inputs = { ...inputsOf(rules), 'Message format': format }
      const { messages } = await runPine(script, bars, { inputs, slippage: 0 })
      const wanted = expectedMessages(bars, rules, format)
      const difference = firstDifference(messages.filter(isBeforeLastBar), wanted.filter(isBeforeLastBar))
      if (difference) yield `${format}: message ${difference}`
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

function firstDifference<Item>(actual: readonly Item[], wanted: readonly Item[]): string | undefined {
  for (let index = 0; index < Math.max(actual.length, wanted.length); index++)
    if (!isSame(actual[index], wanted[index]))
      return `${index}: ${JSON.stringify(actual[index])}, not ${JSON.stringify(wanted[index])}`
  return undefined
}

/** Numbers may differ by less than 1e-8: pinets keeps ten decimals. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Object.is(a, b) || Math.abs(a - b) < 1e-8
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return a === b
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return one.size === other.size && [...one].every(([name, value]) => isSame(value, other.get(name)))
}
