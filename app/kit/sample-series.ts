/** One bar of a price series; prices in the symbol's currency. */
export interface Bar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** The sample ticker: no exchange lists it, so no reader takes the chart for a market's. */
export const sampleTicker = 'SAMPLE'

/** Bars before the first drawn one; they only warm up the averages. */
export const warmUpBars = 80

/** Bars 0 to 119 are drawn. */
export const drawnBars = 120

/** The made-up series behind every chart of this product: bars −80 to 119, the same on every run. */
export function sampleSeries(): Bar[] {
  const normal = bellShaped(uniform(20280))
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

/** Average move per bar: falls, climbs to bar 39, falls, dithers through the false signal, climbs, turns. */
function driftAt(bar: number): number {
  const phases: readonly [endsBefore: number, drift: number][] = [
    [-30, 0.02],
    [8, -0.22],
    [40, 0.36],
    [52, -0.42],
    [71, -0.08],
    [78, 0.52],
    [86, -0.55],
    [106, 0.5],
  ]
  return phases.find(([endsBefore]) => bar < endsBefore)?.[1] ?? -0.5
}

/** A linear congruential generator, 0 to below 1: `Math.random` cannot be seeded. */
function uniform(seed: number): () => number {
  let state = seed
  return () => {
    state = (1664525 * state + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** The sum of four uniform numbers less two: near enough to a bell curve. */
function bellShaped(random: () => number): () => number {
  return () => random() + random() + random() + random() - 2
}
