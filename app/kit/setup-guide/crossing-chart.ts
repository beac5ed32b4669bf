import { chartGeometry } from '../chart-geometry.ts'
import { pathPaints, textPaints } from '../chart-paint.ts'
import type { Shape as ChartShape } from '../chart-shape.ts'
import { sampleRun } from '../crossover-run.ts'
import type { Drawing, Point, Shape } from './drawing.ts'

/** The first bar shown: 52 bars fill the width of a page. */
const firstBar = 68

/** The right end of the landing page's chart, at the size of the guide. */
export function crossingChart(description: string): Drawing {
  const chart = chartGeometry({ firstBar })
  const right = { x: chart.width - 0.5, y: chart.height - 0.5 }
  const frame = `M.5 .5H${right.x}V${right.y}H.5Z`
  return {
    width: chart.width,
    height: chart.height,
    description,
    shapes: [...chart.shapes.map(painted), { kind: 'path', d: frame, stroke: 'rule', weight: 1 }],
  }
}

/** The first averages of the sample series across the cover. */
export function coverLines(width: number, height: number, description: string): Drawing {
  const points = 62
  const { fast, slow } = sampleRun()
  const drawn = { fast: fast.slice(0, points), slow: slow.slice(0, points) }
  const all = [...drawn.fast, ...drawn.slow]
  const [lowest, highest] = [Math.min(...all), Math.max(...all)]
  const trace = (averages: readonly number[]): Point[] =>
    averages.map((average, index) => [
      (index / (points - 1)) * width,
      ((highest - average) / (highest - lowest)) * height,
    ])
  return {
    width,
    height,
    description,
    shapes: [
      { kind: 'line', points: trace(drawn.slow), stroke: 'slow', weight: 5 },
      { kind: 'line', points: trace(drawn.fast), stroke: 'fast', weight: 2.8 },
    ],
  }
}

function painted(shape: ChartShape): Shape {
  if (shape.kind === 'path') {
    const { fill, stroke, width } = pathPaints[shape.role]
    return {
      kind: 'path',
      d: shape.d,
      ...(fill ? { fill } : {}),
      ...(stroke ? { stroke } : {}),
      ...(width ? { weight: width } : {}),
    }
  }
  const { colour, face, size, halo } = textPaints[shape.role]
  return {
    kind: 'text',
    x: shape.x,
    y: shape.y,
    text: shape.text,
    size,
    face,
    ink: colour,
    align: shape.anchor === 'middle' ? 'centre' : 'left',
    halo: halo !== undefined,
  }
}
