import { setupGuide } from '#content/setup-guide.ts'
import type { SampleRun, Trade } from './crossover-run.ts'
import { barCentre, chartSize, crisp, priceY, type ChartView } from './chart-scale.ts'
import type { Shape } from './chart-shape.ts'

const clearance = 8
const markHeight = 10
const stripHeight = 5
const falseSignal = { leaderBar: 82, shift: -62.5 }

/** A triangle and a label at each fill: ▲ below the bar for an entry, ▼ above it for an exit. */
export function markShapes(run: SampleRun, view: ChartView): Shape[] {
  return run.trades.flatMap(({ entryBar, exitBar }, index) => [
    ...(isInView(entryBar, view) ? entryMark(run, view, entryBar, index + 1) : []),
    ...(exitBar !== undefined && isInView(exitBar, view) ? exitMark(run, view, exitBar, index + 1) : []),
  ])
}

/** Stands above the time axis while a position is open. */
export function stripShape(trades: readonly Trade[], view: ChartView): Shape {
  const right = barCentre(view, view.lastBar) + chartSize.barWidth / 2
  const top = chartSize.plotHeight - stripHeight
  const strips = trades.flatMap(({ entryBar, exitBar = Number.POSITIVE_INFINITY }) => {
    const from = Math.max(0, barCentre(view, entryBar))
    const width = Math.min(right, barCentre(view, exitBar)) - from
    return width > 0 ? [`M${from} ${top}h${width}v${stripHeight}h-${width}z`] : []
  })
  return { kind: 'path', role: 'up', d: strips.join('') }
}

export function noteShapes(view: ChartView): Shape[] {
  const { leaderBar, shift } = falseSignal
  if (!isInView(leaderBar, view)) return []
  const x = barCentre(view, leaderBar)
  return [
    { kind: 'path', role: 'leader', d: `M${x} 79v86` },
    ...setupGuide.falseSignal.map((text, line): Shape => {
      return { kind: 'text', role: 'note', x: x + shift, y: 45 + 21 * line, anchor: 'start', text }
    }),
  ]
}

function entryMark(run: SampleRun, view: ChartView, bar: number, nth: number): Shape[] {
  const tip = crisp(priceY(Math.min(...pricesAround(run, bar, 'low')))) + clearance
  const x = barCentre(view, bar)
  return [
    { kind: 'path', role: 'up', d: `M${x} ${tip}l6 ${markHeight}h-12z` },
    { kind: 'text', role: 'mark', x, y: tip + markHeight + 16.5, anchor: 'middle', text: `Entry ${nth}` },
  ]
}

function exitMark(run: SampleRun, view: ChartView, bar: number, nth: number): Shape[] {
  const tip = crisp(priceY(Math.max(...pricesAround(run, bar, 'high')))) - clearance
  const x = barCentre(view, bar)
  return [
    { kind: 'path', role: 'down', d: `M${x} ${tip}l6-${markHeight}h-12z` },
    { kind: 'text', role: 'mark', x, y: tip - markHeight - 6, anchor: 'middle', text: `Exit ${nth}` },
  ]
}

/** A mark is wider than its bar, so it keeps clear of the lines at both neighbours too. */
function pricesAround({ bars, fast, slow }: SampleRun, bar: number, end: 'high' | 'low'): number[] {
  const [from, to] = [bar - 1, bar + 2]
  return [
    ...bars.slice(bar, bar + 1).map((each) => each[end]),
    ...fast.slice(from, to),
    ...slow.slice(from, to),
  ]
}

function isInView(bar: number, { firstBar, lastBar }: ChartView): boolean {
  return bar >= firstBar && bar <= lastBar
}
