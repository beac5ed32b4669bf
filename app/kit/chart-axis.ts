import type { SampleRun } from './crossover-run.ts'
import { barLeft, chartSize, crisp, plotRight, priceY, type ChartView } from './chart-scale.ts'
import type { Shape } from './chart-shape.ts'

const gridPrices = [114, 112, 110, 108, 106, 104, 102, 100]
const barsPerGridLine = 10
const tagHalfHeight = 10
const tagNotch = 5
/** From the axis line to its values; and from a line through a text's middle to its base. */
const axisPadding = 11
const toBaseline = 4.5

export function gridShapes(view: ChartView): Shape[] {
  const right = plotRight(view)
  const across = gridPrices.map((price) => `M0 ${crisp(priceY(price))}h${right}`)
  const down = gridBars(view).map((bar) => `M${barLeft(view, bar) + 0.5} 0v${chartSize.plotHeight}`)
  return [{ kind: 'path', role: 'rule', d: [...across, ...down].join('') }]
}

/** The axis and its values; a value that a tag would touch is left out. */
export function axisShapes(view: ChartView, tags: readonly Tag[]): Shape[] {
  const right = plotRight(view)
  const { plotHeight, height, axisWidth } = chartSize
  const line = `M0 ${plotHeight + 0.5}h${right + axisWidth}M${right + 0.5} 0v${height}`
  const free = gridPrices.filter((price) => tags.every((tag) => Math.abs(tag.y - crisp(priceY(price))) >= 20))
  const timeY = plotHeight + 21
  return [
    { kind: 'path', role: 'rule', d: line },
    ...gridBars(view).map((bar): Shape => valueAt(barLeft(view, bar) + 0.5, timeY, String(bar), 'middle')),
    valueAt(right + axisPadding, timeY, 'bar'),
    ...free.map((price): Shape =>
      valueAt(right + axisPadding, crisp(priceY(price)) + toBaseline, price.toFixed(2)),
    ),
    ...tags.flatMap((tag) => drawnTag(tag, right)),
  ]
}

export interface Tag {
  readonly role: 'tag-ink' | 'tag-fast' | 'tag-slow'
  readonly price: number
  readonly y: number
}

/** Last close and both averages at the last bar. */
export function tagShapes(run: SampleRun, view: ChartView): Tag[] {
  const tag = (role: Tag['role'], price = 0): Tag => ({ role, price, y: crisp(priceY(price)) })
  return [
    tag('tag-ink', run.bars[view.lastBar]?.close),
    tag('tag-fast', run.fast[view.lastBar]),
    tag('tag-slow', run.slow[view.lastBar]),
  ]
}

function drawnTag({ role, price, y }: Tag, right: number): Shape[] {
  const half = tagHalfHeight
  const edge = `l${tagNotch}-${half}h${chartSize.axisWidth}v${2 * half}h-${chartSize.axisWidth}z`
  return [
    { kind: 'path', role, d: `M${right - tagNotch} ${y}${edge}` },
    {
      kind: 'text',
      role: 'tag',
      x: right + axisPadding,
      y: y + toBaseline,
      anchor: 'start',
      text: price.toFixed(2),
    },
  ]
}

function valueAt(x: number, y: number, text: string, anchor: 'start' | 'middle' = 'start'): Shape {
  return { kind: 'text', role: 'value', x, y, anchor, text }
}

/** Every tenth bar inside the view; the line stands where the bar begins. */
function gridBars({ firstBar, lastBar }: ChartView): number[] {
  const first = Math.floor(firstBar / barsPerGridLine + 1) * barsPerGridLine
  const count = Math.max(0, Math.ceil((lastBar + 1 - first) / barsPerGridLine))
  return Array.from({ length: count }, (_, line) => first + line * barsPerGridLine)
}
