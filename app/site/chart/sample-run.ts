import recorded from '../artwork/script-record.json' with { type: 'json' }
import { type Bar, sampleSeries, warmUpBars } from './sample-series.ts'

/** The inputs of the script that a visitor can try: bars in the two averages. */
export interface Lengths {
  readonly fast: number
  readonly slow: number
}

/** The lengths that can be tried. The fast one is below the slow one, as the script demands. */
export const triedLengths = { least: 2, most: 50 }

/**
 * One trade; bars are indexes of the series, prices the fills. A trade still open has no exit; one
 * from before the first bar has a negative entry.
 */
export interface Trade {
  readonly entryBar: number
  readonly entryPrice: number
  readonly exitBar?: number
  readonly exitPrice?: number
}

/** A run of the script on the sample series. Every chart of this product shows such a run. */
export interface SampleRun {
  readonly lengths: Lengths
  /** Bars 0 to 119 of the chart. */
  readonly bars: readonly Bar[]
  readonly fast: readonly number[]
  readonly slow: readonly number[]
  /** Those that were open on one of the bars, with the messages that the script sends for them. */
  readonly trades: readonly (Trade & {
    readonly entryMessage: string
    readonly exitMessage?: string
  })[]
}

/**
 * The script's run on the sample series without slippage: an average begins as a plain mean, a
 * cross counts on the close of its bar, and the order fills at the open of the next one. A slow
 * test compares it with the script itself, for every pair that can be tried.
 */
export function runScript(lengths: Lengths): SampleRun {
  const fast = average(lengths.fast)
  const slow = average(lengths.slow)
  const trades: SampleRun['trades'][number][] = []
  for (const [bar, { open }] of series.entries()) {
    const isAbove = Number(fast[bar - 1]) > Number(slow[bar - 1])
    const isBelow = Number(fast[bar - 1]) < Number(slow[bar - 1])
    const wasAbove = Number(fast[bar - 2]) > Number(slow[bar - 2])
    const wasBelow = Number(fast[bar - 2]) < Number(slow[bar - 2])
    const wasKnown = Number.isFinite(slow[bar - 2])
    const signal = series[bar - 1]?.close.toFixed(2) ?? ''
    const last = trades.at(-1)
    const isOpen = last !== undefined && last.exitBar === undefined
    if (wasKnown && !wasAbove && isAbove && !isOpen) {
      const entryMessage = recorded.messages.entry.replace('{price}', signal)
      trades.push({ entryBar: bar - warmUpBars, entryPrice: open, entryMessage })
    } else if (wasKnown && !wasBelow && isBelow && isOpen) {
      const exitMessage = recorded.messages.exit.replace('{price}', signal)
      const exit = { exitBar: bar - warmUpBars, exitPrice: open, exitMessage }
      trades[trades.length - 1] = { ...last, ...exit }
    }
  }
  return {
    lengths,
    bars: series.slice(warmUpBars),
    fast: fast.slice(warmUpBars),
    slow: slow.slice(warmUpBars),
    trades: trades.filter(({ exitBar = 0 }) => exitBar >= 0),
  }
}

const series = sampleSeries()

/** NaN before its first value. */
function average(length: number): number[] {
  const values: number[] = []
  let sum = 0
  for (const [bar, { close }] of series.entries()) {
    if (bar < length) sum += close
    const before = values[bar - 1] ?? Number.NaN
    const isFirst = bar === length - 1
    values.push(isFirst ? sum / length : before + (2 / (length + 1)) * (close - before))
  }
  return values
}

/** The costs of an order by the script's own defaults; slippage in the symbol's currency. */
export const orderCosts = recorded.costs

/** The run with the script's own defaults. */
export const sampleRun = runScript(recorded.lengths)

/** A closed trade, with the messages that the script sent for it. */
export interface ClosedTrade extends Required<Trade> {
  readonly entryMessage: string
  readonly exitMessage: string
  readonly isLoss: boolean
}

/** The trade that the texts are about: the first that loses, else the first that is closed. */
export function exampleTrade(run: SampleRun): ClosedTrade | undefined {
  const closed = closedTrades(run)
  return closed.find(({ isLoss }) => isLoss) ?? closed[0]
}

export function closedTrades({ trades }: SampleRun): ClosedTrade[] {
  return trades.flatMap(({ exitBar, exitPrice, exitMessage, ...entry }) =>
    exitBar === undefined || exitPrice === undefined || exitMessage === undefined
      ? []
      : [{ ...entry, exitBar, exitPrice, exitMessage, isLoss: exitPrice < entry.entryPrice }],
  )
}

/** Counts of a run's trades that show the rule, and never what they earned. */
export interface TradeCounts {
  readonly closed: number
  readonly isOneOpen: boolean
  /** Trades that lost after costs. */
  readonly losing: number
  /** The most losing trades in a row. */
  readonly longestLosingRun: number
  /** Commission and slippage of the closed trades, for each share, in the symbol's currency. */
  readonly costs: number
}

export function countTrades(run: SampleRun): TradeCounts {
  const closed = closedTrades(run)
  let losing = 0
  let losingNow = 0
  let longestLosingRun = 0
  let costs = 0
  for (const { entryPrice, exitPrice } of closed) {
    const cost = costOf(entryPrice) + costOf(exitPrice)
    const isLosing = exitPrice - entryPrice < cost
    costs += cost
    losing += isLosing ? 1 : 0
    losingNow = isLosing ? losingNow + 1 : 0
    longestLosingRun = Math.max(longestLosingRun, losingNow)
  }
  const isOneOpen = closed.length < run.trades.length
  return { closed: closed.length, isOneOpen, losing, longestLosingRun, costs }
}

/** The costs of one order for one share. */
function costOf(price: number): number {
  return (price * orderCosts.commissionPercent) / 100 + orderCosts.slippage
}
