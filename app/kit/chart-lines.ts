import { barCentre, chartSize, pair, priceY, short, type ChartView } from './chart-scale.ts'
import type { Shape } from './chart-shape.ts'
import type { Bar } from './sample-series.ts'

/** Wicks, then rising bars hollow, then falling bars solid: one path each. */
export function candleShapes(bars: readonly Bar[], view: ChartView): Shape[] {
  const wicks = new RelativePath()
  const hollow = new RelativePath()
  const solid = new RelativePath()
  for (const [index, bar] of inView(bars, view)) {
    const centre = barCentre(view, index)
    const [high, low] = [Math.round(priceY(bar.high)), Math.round(priceY(bar.low))]
    const top = Math.round(priceY(Math.max(bar.open, bar.close)))
    const height = Math.max(1, Math.round(priceY(Math.min(bar.open, bar.close))) - top)
    wicks.stroke(centre, high, low - high)
    if (bar.close >= bar.open) hollow.box(centre - 3, top + 0.5, 6, Math.max(1, height - 1))
    else solid.stroke(centre, top, height)
  }
  return [
    { kind: 'path', role: 'wick', d: wicks.d },
    { kind: 'path', role: 'hollow', d: hollow.d },
    { kind: 'path', role: 'solid', d: solid.d },
  ]
}

export function averageLine(role: 'fast' | 'slow', averages: readonly number[], view: ChartView): Shape {
  const ys = inView(averages, view).map(([, average]) => Math.round(priceY(average) * 10) / 10)
  const [first = 0] = ys
  const steps = ys.slice(1).map((y, step) => pair(chartSize.barWidth, y - (ys[step] ?? y)))
  return {
    kind: 'path',
    role,
    d: `M${pair(barCentre(view, view.firstBar), first)}l${steps.join(' ')}`,
  }
}

function inView<T>(series: readonly T[], { firstBar, lastBar }: ChartView): [number, T][] {
  return [...series.entries()].slice(firstBar, lastBar + 1)
}

/** Builds a path by relative moves, which take about half the bytes of absolute ones. */
class RelativePath {
  d = ''
  #x = 0
  #y = 0

  stroke(x: number, y: number, height: number): void {
    this.#moveTo(x, y)
    this.d += `v${short(height)}`
    this.#y += height
  }

  box(x: number, y: number, width: number, height: number): void {
    this.#moveTo(x, y)
    this.d += `h${width}v${short(height)}h-${width}z`
  }

  #moveTo(x: number, y: number): void {
    this.d += `m${pair(x - this.#x, y - this.#y)}`
    this.#x = x
    this.#y = y
  }
}
