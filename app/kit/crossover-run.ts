import { drawnBars, sampleSeries, warmUpBars, type Bar } from './sample-series.ts'

/** One trade; bars are indexes of the series, prices the fills. A trade still open has no exit. */
export interface Trade {
  readonly entryBar: number
  readonly entryPrice: number
  readonly exitBar?: number
  readonly exitPrice?: number
}

export interface CrossoverRun {
  /** One value per bar; NaN before the average has `length` closes. */
  readonly fast: readonly number[]
  readonly slow: readonly number[]
  readonly trades: readonly Trade[]
}

/** The drawn bars with what the script does on them; every index is a bar number of the chart, 0 to 119. */
export interface SampleRun extends CrossoverRun {
  readonly bars: readonly Bar[]
}

const defaultLengths = { fast: 9, slow: 21 }

/** What the script does with its default inputs, in plain TypeScript, for drawing; a test holds it to the script. */
function runCrossover(bars: readonly Bar[], lengths = defaultLengths): CrossoverRun {
  const closes = bars.map((bar) => bar.close)
  const fast = exponentialAverage(closes, lengths.fast)
  const slow = exponentialAverage(closes, lengths.slow)
  return { fast, slow, trades: tradesOf(bars, fast, slow) }
}

export function sampleRun(): SampleRun {
  const series = sampleSeries()
  const run = runCrossover(series)
  return {
    bars: series.slice(warmUpBars, warmUpBars + drawnBars),
    fast: run.fast.slice(warmUpBars),
    slow: run.slow.slice(warmUpBars),
    trades: run.trades.flatMap((trade) => {
      if (trade.entryBar < warmUpBars) return []
      return [shiftedBack(trade, warmUpBars)]
    }),
  }
}

/** As Pine's `ta.ema`: the first value is the plain average of the first `length` closes. */
function exponentialAverage(closes: readonly number[], length: number): number[] {
  const alpha = 2 / (length + 1)
  const averages: number[] = []
  let sum = 0
  let average = Number.NaN
  for (const [bar, close] of closes.entries()) {
    sum += close
    if (bar === length - 1) average = sum / length
    if (bar >= length) average += alpha * (close - average)
    averages.push(average)
  }
  return averages
}

/** A cross on the close of one bar is filled at the open of the next. */
function tradesOf(bars: readonly Bar[], fast: readonly number[], slow: readonly number[]): Trade[] {
  const trades: Trade[] = []
  let open: Trade | undefined
  for (const [bar, { open: price }] of bars.entries()) {
    const before = sideOf(fast[bar - 2], slow[bar - 2])
    const after = sideOf(fast[bar - 1], slow[bar - 1])
    if (open === undefined && before <= 0 && after > 0) open = { entryBar: bar, entryPrice: price }
    else if (open !== undefined && before >= 0 && after < 0) {
      trades.push({ ...open, exitBar: bar, exitPrice: price })
      open = undefined
    }
  }
  return open === undefined ? trades : [...trades, open]
}

/** Positive: fast above slow. NaN, which no comparison accepts, while either is missing. */
function sideOf(fast = Number.NaN, slow = Number.NaN): number {
  return fast - slow
}

function shiftedBack(trade: Trade, bars: number): Trade {
  const entry = { entryBar: trade.entryBar - bars, entryPrice: trade.entryPrice }
  if (trade.exitBar === undefined || trade.exitPrice === undefined) return entry
  return { ...entry, exitBar: trade.exitBar - bars, exitPrice: trade.exitPrice }
}
