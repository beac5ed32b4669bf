import { sampleRun } from './crossover-run.ts'
import { axisShapes, gridShapes, tagShapes } from './chart-axis.ts'
import { averageLine, candleShapes } from './chart-lines.ts'
import { markShapes, noteShapes, stripShape } from './chart-marks.ts'
import { barLeft, chartSize, type ChartView } from './chart-scale.ts'
import type { Shape } from './chart-shape.ts'

export interface ChartOptions {
  /** First and last bar drawn, 0 to 119. */
  readonly firstBar?: number
  readonly lastBar?: number
  /** The 404 page: cut after bar 100, a dashed line where the price stops, no tags on the axis. */
  readonly stopsShort?: boolean
  /** Candles and axis: nothing of what the script makes of them. */
  readonly pricesOnly?: boolean
  /** Candles, entry and exit marks, price tags with the false-signal note: each can be left out of a figure. */
  readonly candles?: boolean
  readonly marks?: boolean
  readonly tags?: boolean
  readonly note?: boolean
}

export interface ChartGeometry {
  readonly width: number
  readonly height: number
  /** In painting order. */
  readonly shapes: readonly Shape[]
}

/** The sample run as shapes, for the SVG of the pages and the PDF of the guide alike. */
export function chartGeometry(options: ChartOptions = {}): ChartGeometry {
  const { stopsShort = false, pricesOnly = false, candles = true, marks = !pricesOnly } = options
  const { tags = marks && !stopsShort, note = marks && !stopsShort } = options
  const view: ChartView = { firstBar: options.firstBar ?? 0, lastBar: options.lastBar ?? chartSize.bars - 1 }
  const drawn = stopsShort ? { ...view, lastBar: chartSize.stopBar } : view
  const run = sampleRun()
  const width = barLeft(view, view.lastBar + 1) + chartSize.axisWidth
  return {
    width,
    height: chartSize.height,
    shapes: [
      ...gridShapes(view),
      ...(candles ? candleShapes(run.bars, drawn) : []),
      ...(pricesOnly ? [] : [averageLine('slow', run.slow, drawn), averageLine('fast', run.fast, drawn)]),
      ...axisShapes(view, tags ? tagShapes(run, drawn) : []),
      ...(marks ? [stripShape(run.trades, drawn), ...markShapes(run, drawn)] : []),
      ...(note ? noteShapes(drawn) : []),
      ...(stopsShort ? [stopLine(drawn)] : []),
    ],
  }
}

function stopLine(drawn: ChartView): Shape {
  const nextBar = barLeft(drawn, drawn.lastBar + 1) + chartSize.barWidth / 2
  return { kind: 'path', role: 'stop', d: `M${nextBar} 0v${chartSize.plotHeight}` }
}
