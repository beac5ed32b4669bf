import type { Bar } from '#site/chart/sample-run.ts'

/**
 * Made-up price series of several shapes, the same on every run. First the one with the most
 * trades.
 */
export const priceSeries = {
  chop: walk({ seed: 23, volatility: 0.9, drift: (_, close) => (100 - close) * 0.25 }),
  sample: sampleSeries(),
  trend: walk({ seed: 11, volatility: 1.1, drift: (bar) => (bar % 50 < 30 ? 0.35 : -0.45) }),
  gaps: walk({ seed: 37, volatility: 0.6, drift: (bar) => (bar % 40 < 22 ? 0.4 : -0.4), gap: 3 }),
  flat: flat(),
} as const

interface Walk {
  readonly seed: number
  readonly volatility: number
  /** Average move from open to close. */
  readonly drift: (bar: number, close: number) => number
  /** Largest jump from a close to the next open, on every third bar. */
  readonly gap?: number
}

function walk({ seed, volatility, drift, gap = 0 }: Walk): Bar[] {
  let state = seed
  // Park and Miller's generator. The sample uses another, so the two share no coincidence.
  const random = () => (state = (48271 * state) % 2147483647) / 2147483647
  const around = (width: number) => (random() - 0.5) * 2 * width
  const series: Bar[] = []
  let close = 100
  for (let bar = 0; bar < 400; bar++) {
    const open = close + (bar % 3 === 2 ? around(gap) : 0)
    close = Math.max(5, open + drift(bar, close) + around(volatility))
    const high = Math.max(open, close) + random() * volatility
    const low = Math.min(open, close) - random() * volatility
    series.push({ open, high, low, close })
  }
  return series
}

/** A constant price, so that both averages are equal, with one hump. */
function flat(): Bar[] {
  return Array.from({ length: 300 }, (_, bar) => {
    const price = bar < 120 || bar >= 140 ? 100 : 101
    return { open: price, high: price, low: price, close: price }
  })
}

/**
 * The series behind every chart of the product: 80 bars that warm up the averages, then the 120
 * that are drawn.
 */
function sampleSeries(): Bar[] {
  const normal = bellShaped(20280)
  const bars: Bar[] = []
  let close = 104
  for (let bar = -80; bar < 120; bar++) {
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
