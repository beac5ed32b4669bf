/** One bar of a price series; prices in the symbol's currency. */
export interface Bar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** One trade; bars are indexes of the series, prices the fills. A trade still open has no exit. */
export interface Trade {
  readonly entryBar: number
  readonly entryPrice: number
  readonly exitBar?: number
  readonly exitPrice?: number
}

/** The drawn bars with what the script does on them; every index is a bar number of the chart, 0 to 119. */
export interface SampleRun {
  readonly bars: readonly Bar[]
  readonly fast: readonly number[]
  readonly slow: readonly number[]
  readonly trades: readonly Trade[]
}

/** No exchange lists this ticker, so no reader takes the chart for a market's. */
export const sampleTicker = 'SAMPLE'

/** Bars before the first drawn one. They only warm up the averages. */
export const warmUpBars = 80

export const drawnBars = 120

/** The script's default inputs on the sample series, in plain TypeScript. A test compares it with the script. */
export function sampleRun(): SampleRun {
  const series = sampleSeries()
  const closes = series.map((bar) => bar.close)
  const fast = exponentialAverage(closes, 9)
  const slow = exponentialAverage(closes, 21)
  return {
    bars: series.slice(warmUpBars),
    fast: fast.slice(warmUpBars),
    slow: slow.slice(warmUpBars),
    trades: tradesOf(series, fast, slow),
  }
}

/** The made-up series behind every chart of this product: bars −80 to 119, the same on every run. */
export function sampleSeries(): Bar[] {
  const normal = bellShaped(20280)
  const bars: Bar[] = []
  let close = 104
  for (let bar = -warmUpBars; bar < drawnBars; bar++) {
    const open = close + 0.1 * normal()
    close = open + driftAt(bar) + 0.95 * normal()
    const high = Math.max(open, close) + 0.55 * Math.abs(normal())
    const low = Math.min(open, close) - 0.55 * Math.abs(normal())
    bars.push({ open, high, low, close })
  }
  return bars
}

/** Average move per bar: falls, climbs to bar 39, falls, hesitates through the false signal, climbs, turns. */
function driftAt(bar: number): number {
  const ends = [-30, 8, 40, 52, 71, 78, 86, 106]
  const drifts = [0.02, -0.22, 0.36, -0.42, -0.08, 0.52, -0.55, 0.5, -0.5]
  return drifts[ends.filter((end) => bar >= end).length] ?? 0
}

/** The sum of four uniform numbers minus two approximates a bell curve. `Math.random` cannot be seeded. */
function bellShaped(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (1664525 * state + 1013904223) % 2 ** 32 // a linear congruential generator
    return state / 2 ** 32
  }
  return () => uniform() + uniform() + uniform() + uniform() - 2
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
  const gapAt = (bar: number) => (fast[bar] ?? Number.NaN) - (slow[bar] ?? Number.NaN)
  const trades: Trade[] = []
  let open: Trade | undefined
  for (const [index, { open: price }] of bars.entries()) {
    const bar = index - warmUpBars
    if (bar < 0) continue
    const [before, after] = [gapAt(index - 2), gapAt(index - 1)]
    if (!open && before <= 0 && after > 0) open = { entryBar: bar, entryPrice: price }
    else if (open && before >= 0 && after < 0) {
      trades.push({ ...open, exitBar: bar, exitPrice: price })
      open = undefined
    }
  }
  return open ? [...trades, open] : trades
}
