import type { Bar } from '#site/chart/sample-series.ts'
import {
  crossesOf,
  endOfSession,
  mustLeaveNow,
  oracleAverages,
  oracleTrades,
  type OracleRules,
} from './crossover-oracle.ts'
import { barTime, runPine, type PineMessage } from './pine-runner.ts'
import { priceSeries } from './price-series.ts'

type Format = 'JSON (TradersPost)' | 'Plain text' | 'Command (PineConnector)'

/** Settings of the script with the messages that it sends. */
interface ProvenRules extends OracleRules {
  readonly format?: Format
  readonly sendExits?: boolean
}

/** The settings under which the script is tested. First those that show the most mistakes. */
const provenRules: readonly ProvenRules[] = [
  { fast: 5, slow: 13, shorts: true, flatAtEnd: true, timeframe: '60', stopPercent: 1 },
  { fast: 9, slow: 21 },
  { fast: 5, slow: 13, shorts: true, trend: 50 },
  {
    fast: 5,
    slow: 13,
    shorts: true,
    flatAtEnd: true,
    timeframe: '30',
    slots: thinSlots(['15:00']),
  },
  {
    fast: 5,
    slow: 13,
    shorts: true,
    flatAtEnd: true,
    timeframe: '30',
    slots: thinSlots(['15:00', '15:30', 'night']),
  },
  { fast: 5, slow: 13, limitSession: true, timeframe: '60' },
  { fast: 9, slow: 21, shorts: true, stopPercent: 1, targetPercent: 2, sendExits: true },
  { fast: 9, slow: 21, targetPercent: 1.5, sendExits: true, format: 'Command (PineConnector)' },
  { fast: 5, slow: 13, shorts: true, format: 'Plain text' },
  { fast: 3, slow: 50, source: 'open', sendExits: true },
  { fast: 9, slow: 21, stopPercent: 2, targetPercent: 3 },
  { fast: 9, slow: 21, stopPercent: 1, format: 'Command (PineConnector)' },
  {
    fast: 9,
    slow: 21,
    shorts: true,
    stopPercent: 0.5,
    targetPercent: 0.5,
    format: 'Command (PineConnector)',
  },
  {
    fast: 9,
    slow: 21,
    shorts: true,
    stopPercent: 1,
    sendExits: true,
    format: 'Command (PineConnector)',
  },
  { fast: 5, slow: 13, shorts: true, dates: [103, 242] },
  { fast: 5, slow: 13, shorts: true, flatAtEnd: true, timeframe: '30' },
  { fast: 5, slow: 13, limitSession: true, flatAtEnd: true },
]

/** Half-hours in which nothing was traded are left out: `night` is all outside 09:30 to 16:00. */
function thinSlots(missing: readonly string[]): number[] {
  const slots: number[] = []
  for (let slot = 0; slots.length < 400; slot += 1) {
    const time = new Date(barTime(slot, '30')).toISOString().slice(11, 16)
    const isNight = time < '09:30' || time >= '16:00'
    if (!missing.includes(isNight && missing.includes('night') ? 'night' : time)) slots.push(slot)
  }
  return slots
}

/**
 * The inputs of the dialog that stand for the rules. What equals the script's default is left out.
 */
function inputsOf(rules: ProvenRules) {
  const { fast, slow, source, shorts, stopPercent, targetPercent, format, sendExits } = rules
  const { dates, limitSession, flatAtEnd, timeframe, trend } = rules
  const [from, to] = dates?.map((bar) => barTime(bar, timeframe)) ?? []
  return {
    ...(fast !== 9 && { 'Fast length': fast, 'Slow length': slow }),
    ...(source && { Source: source }),
    ...(trend && { 'Trend length': trend }),
    ...(shorts && { Direction: 'Long and short' }),
    ...(stopPercent && { 'Stop, %': stopPercent }),
    ...(targetPercent && { 'Target, %': targetPercent }),
    ...(dates && { 'Limit to dates': true, From: from, To: to }),
    ...(limitSession && { 'Limit to session': true }),
    ...(flatAtEnd && { 'Flat at the end of the session': true }),
    ...(format && { 'Message format': format }),
    ...(sendExits && { 'Send stop and target to the bridge': true }),
  }
}

/**
 * Differences between the script and the oracle: averages, fills and messages, in the given markets
 * under all settings.
 */
export async function* scriptFaults(
  script: string,
  markets: Readonly<Record<string, readonly Bar[]>>,
): AsyncGenerator<string> {
  for (const [name, bars] of Object.entries(markets)) {
    for (const rules of provenRules) {
      const { timeframe = 'D', slots } = rules
      const run = await runPine(script, bars, {
        inputs: inputsOf(rules),
        timeframe,
        ...(slots && { slots }),
        slippage: 0, // pinets adds it to limit fills too
      })
      const averages = oracleAverages(bars, rules)
      // Orders of the last bar are never filled, so the oracle has no trade for them.
      const isBeforeLastBar = ({ bar }: PineMessage) => bar < bars.length - 1
      const faults = {
        'fast average': firstDifference(run.fast, averages.fast),
        'slow average': firstDifference(run.slow, averages.slow),
        trade: firstDifference(run.trades, oracleTrades(bars, rules)),
        message: firstDifference(
          run.messages.filter(isBeforeLastBar),
          expectedMessages(bars, rules).filter(isBeforeLastBar),
        ),
      }
      for (const [what, fault] of Object.entries(faults)) {
        if (fault) yield `${name} with ${JSON.stringify(rules)}: ${what} ${fault}`
      }
    }
    if (name === 'chop') yield* openBarFaults(script) // once
  }
}

/** Orders and messages that are sent while the bar of the cross is still open. */
async function* openBarFaults(script: string): AsyncGenerator<string> {
  const bars = priceSeries.sample
  const { trades } = await runPine(script, bars)
  const { entryBar = 0, exitBar = 0 } = trades.at(-1) ?? {}
  for (const signalBar of [entryBar - 1, exitBar - 1]) {
    const upToSignal = bars.slice(0, signalBar + 1)
    const closed = await runPine(script, upToSignal)
    const open = await runPine(script, upToSignal, { lastBarOpen: true })
    if (closed.pendingOrders !== 1) yield `no order on the close of bar ${signalBar}`
    if (open.pendingOrders !== 0) yield `an order while bar ${signalBar} is open`
    if (open.messages.some(({ bar }) => bar === signalBar)) {
      yield `a message while bar ${signalBar} is open`
    }
  }
}

/**
 * Each entry, and each close by a cross or by the end of the session, sends one message. Stop and
 * target get theirs with the entry.
 */
function expectedMessages(bars: readonly Bar[], rules: ProvenRules): PineMessage[] {
  const crosses = crossesOf(bars, rules)
  const trades = oracleTrades(bars, rules)
  const { stopPercent = 0, targetPercent = 0 } = rules
  return trades.flatMap(({ side, entryBar, exitBar = bars.length, exitPrice }, index) => {
    const [into, out, up] =
      side === 'long' ? (['buy', 'sell', 1] as const) : (['sell', 'buy', -1] as const)
    const message = (
      order: string,
      bar: number,
      action: 'buy' | 'sell',
      position: Position,
      percent = 0,
    ) => {
      const price = ((bars[bar]?.close ?? Number.NaN) * (1 + percent / 100)).toFixed(2)
      return { bar, order, text: messageText(rules, action, position, price) }
    }
    const messages = [message('entry', entryBar - 1, into, side)]
    if (stopPercent + targetPercent > 0) {
      messages.push(message('profit', entryBar - 1, out, 'flat', up * targetPercent))
      messages.push(message('loss', entryBar - 1, out, 'flat', -up * stopPercent))
    }
    const reversed = trades[index + 1]?.entryBar === exitBar
    const crossedBack = crosses[exitBar - 1] === (side === 'long' ? 'down' : 'up')
    const end = endOfSession(exitBar - 1, rules)
    if (crossedBack || end === 'near') {
      if (!reversed) messages.push(message('close', exitBar - 1, out, 'flat'))
    } else if (mustLeaveNow(endOfSession(exitBar, rules)) && exitPrice === bars[exitBar]?.close) {
      messages.push(message('close now', exitBar, out, 'flat'))
    }
    return messages
  })
}

type Position = 'long' | 'short' | 'flat'

function messageText(
  rules: ProvenRules,
  action: 'buy' | 'sell',
  position: Position,
  price: string,
): string {
  const { format, sendExits, stopPercent, targetPercent } = rules
  const isSent = sendExits && position !== 'flat'
  if (format === 'Plain text') return `SAMPLE ${action} at ${price}, then ${position}`
  if (format === 'Command (PineConnector)') {
    const command = position === 'flat' ? { sell: 'closelong', buy: 'closeshort' }[action] : action
    const stop = isSent && stopPercent ? `,sl_pct=${stopPercent}` : ''
    const target = isSent && targetPercent ? `,tp_pct=${targetPercent}` : ''
    return sendExits ? `${command},SAMPLE${stop}${target}` : command
  }
  const lines = [
    `  "ticker": "SAMPLE"`,
    `  "action": "${action}"`,
    `  "sentiment": "${position}"`,
    `  "signalPrice": ${price}`,
    ...(isSent && stopPercent
      ? [`  "stopLoss": { "type": "stop", "percent": ${stopPercent} }`]
      : []),
    ...(isSent && targetPercent ? [`  "takeProfit": { "percent": ${targetPercent} }`] : []),
  ]
  return `{\n${lines.join(',\n')}\n}`
}

/** Returns the difference in words, or undefined if there is none. */
export function firstDifference<Item>(
  actual: readonly Item[],
  wanted: readonly Item[],
): string | undefined {
  for (let index = 0; index < Math.max(actual.length, wanted.length); index++) {
    if (!isSame(actual[index], wanted[index])) {
      return `${index}: ${JSON.stringify(actual[index])}, not ${JSON.stringify(wanted[index])}`
    }
  }
  return undefined
}

/** Numbers may differ by less than 1e-8: pinets keeps ten decimals. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    return Object.is(a, b) || Math.abs(a - b) < 1e-8
  }
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return a === b
  const one = new Map(Object.entries(a))
  const other = new Map(Object.entries(b))
  return (
    one.size === other.size && [...one].every(([name, value]) => isSame(value, other.get(name)))
  )
}
