import type { Scale } from './scale.ts'

export const chartHeight = 260
export const axisWidth = 64
/** Above it is the room of a note's words, below it that of the labels. */
const plotTop = 24
export const plotBottom = chartHeight - 28

const widestBar = 16
/** A bar's share of the room between two. */
const bodyShare = 7 / 11
/** The type of figures is 13 px high and has one width. */
const letterWidth = 7.8
const labelGap = 20

/** Where the points of a plot are, in pixels. */
export interface Layout {
  plotWidth: number
  barWidth: number
  /** The middle of a point. */
  x: (index: number) => number
  y: (value: number) => number
  /** The point that is nearest to a place on the plot. */
  indexAt: (x: number) => number
}

/** `width`: of the plot with its axis. `count`: of the points. */
export function layOut(width: number, count: number, scale: Scale): Layout {
  const plotWidth = Math.max(0, width - axisWidth)
  const step = plotWidth / Math.max(1, count)
  const highest = scale.ticks.at(-1) ?? 1
  return {
    plotWidth,
    barWidth: Math.min(widestBar, step * bodyShare),
    x: (index) => (index + 0.5) * step,
    y: (value) => plotBottom - shareOfHeight(value, highest, scale) * (plotBottom - plotTop),
    indexAt: (x) => Math.min(count - 1, Math.max(0, Math.floor(x / step))),
  }
}

/** The logarithm of the value plus 1, because 0 has no logarithm. */
function shareOfHeight(value: number, highest: number, scale: Scale): number {
  if (scale.kind === 'linear') return value / highest
  return Math.log1p(value) / Math.log1p(highest)
}

/** The points whose label is written: none is cut, and none touches another. */
export function labelledPoints(labels: readonly string[], layout: Layout): number[] {
  const widths = labels.map((label) => label.length * letterWidth)
  const step = layout.x(1) - layout.x(0)
  const every = Math.ceil((Math.max(...widths) + labelGap) / step)
  const newest = labels.length - 1
  return widths.flatMap((width, index) => {
    const left = layout.x(index) - width / 2
    const isWhole = left >= 0 && left + width <= layout.plotWidth
    // The axis would cut a label of the newest point, so labels begin half a gap before it.
    const isDue = (newest - index) % every === Math.floor(every / 2)
    return isWhole && isDue ? [index] : []
  })
}
