/** One bar of a price series; prices in the symbol's currency. */
export interface Bar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** The bars before the chart, from which the averages have their first values. */
export const warmUpBars = 80

const drawnBars = 120

/**
 * The made-up prices behind every chart of the product: the bars that warm up the averages, then
 * the 120 that are drawn. They are the same on every run.
 */
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

/**
 * Average move per bar: falls, climbs to bar 39, falls, hesitates through the false signal, climbs,
 * turns.
 */
function driftAt(bar: number): number {
  const ends = [-30, 8, 40, 52, 71, 78, 86, 106]
  const drifts = [0.02, -0.22, 0.36, -0.42, -0.08, 0.52, -0.55, 0.5, -0.5]
  return drifts[ends.filter((end) => bar >= end).length] ?? 0
}

/**
 * The sum of four uniform numbers minus two approximates a bell curve. `Math.random` cannot be
 * seeded.
 */
function bellShaped(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (1664525 * state + 1013904223) % 2 ** 32 // a linear congruential generator
    return state / 2 ** 32
  }
  return () => uniform() + uniform() + uniform() + uniform() - 2
}
