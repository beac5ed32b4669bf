import { type Bar, sampleSeries } from '#site/chart/sample-series.ts'

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
