import { setupGuide } from '#content/setup-guide.ts'
import type { PathRole, TextRole } from './chart-paint.ts'
import { sampleRun, type Bar, type SampleRun } from './sample-run.ts'

/** Coordinates in chart units: 1 px on the page at full size, y downwards. `d` is an SVG path. */
export type Shape =
  | { readonly role: PathRole; readonly d: string }
  | {
      readonly role: TextRole
      readonly x: number
      readonly y: number
      readonly text: string
      readonly anchor?: 'middle'
    }

export interface ChartOptions {
  /** First bar drawn, 0 to 119. */
  readonly firstBar?: number
  /** For the 404 page: cut after bar 100, with a dashed line where the price stops and no tags on the axis. */
  readonly stopsShort?: boolean
  /** Candles and axis only, without the script's averages and trades. */
  readonly pricesOnly?: boolean
}

const barWidth = 11
const plotHeight = 332
const axisWidth = 72
const topPrice = 116
const unitsPerPrice = 18.5
const lastBar = 119
/** The last bar of the 404 page's chart. */
const stopBar = 100

export const chartHeight = 364

/** The bars a drawing shows, first and last included. */
interface View {
  readonly first: number
  readonly last: number
}

/** The sample run as shapes in painting order. */
export function chartShapes(options: ChartOptions = {}): { width: number; shapes: Shape[] } {
  const { firstBar = 0, stopsShort = false, pricesOnly = false } = options
  const run = sampleRun()
  const view = { first: firstBar, last: lastBar }
  const drawn = stopsShort ? { ...view, last: stopBar } : view
  const tags = pricesOnly || stopsShort ? [] : priceTags(run, drawn)
  return {
    width: left(view, lastBar + 1) + axisWidth,
    shapes: [
      grid(view),
      ...candles(run.bars, drawn),
      ...(pricesOnly ? [] : [average('slow', run.slow, drawn), average('fast', run.fast, drawn)]),
      ...axis(view, tags),
      ...(pricesOnly ? [] : [openPositions(run, drawn), ...marks(run, drawn)]),
      ...(pricesOnly || stopsShort ? [] : falseSignalNote(drawn)),
      ...(stopsShort ? [stopLine(drawn)] : []),
    ],
  }
}

/** The horizontal centre of a bar, where its wick stands. It ends in .5, so a 1 px line is crisp. */
export function barCentre(firstBar: number, bar: number): number {
  return (bar - firstBar) * barWidth + barWidth / 2
}

/** Every even price falls on a whole pixel shifted by half of one, where its grid line is. */
export function priceY(price: number): number {
  return (topPrice - price) * unitsPerPrice + 0.5
}

function left({ first }: View, bar: number): number {
  return (bar - first) * barWidth
}

/** The nearest whole pixel shifted by half of one. */
function crisp(y: number): number {
  return Math.round(y - 0.5) + 0.5
}

const gridPrices = [114, 112, 110, 108, 106, 104, 102, 100]

function grid(view: View): Shape {
  const across = gridPrices.map((price) => `M0 ${crisp(priceY(price))}h${left(view, lastBar + 1)}`)
  const down = gridBars(view).map((bar) => `M${left(view, bar) + 0.5} 0v${plotHeight}`)
  return { role: 'rule', d: [...across, ...down].join('') }
}

/** Every tenth bar inside the view. The line stands where the bar begins. */
function gridBars({ first }: View): number[] {
  return Array.from({ length: 12 }, (_, line) => 10 * line).filter((bar) => bar > first)
}

/** Wicks, then rising bars hollow, then falling bars solid: one path each. */
function candles(bars: readonly Bar[], view: View): Shape[] {
  const wicks = new RelativePath()
  const hollow = new RelativePath()
  const solid = new RelativePath()
  for (const [index, bar] of inView(bars, view)) {
    const centre = barCentre(view.first, index)
    const [high, low] = [Math.round(priceY(bar.high)), Math.round(priceY(bar.low))]
    const top = Math.round(priceY(Math.max(bar.open, bar.close)))
    const height = Math.max(1, Math.round(priceY(Math.min(bar.open, bar.close))) - top)
    wicks.stroke(centre, high, low - high)
    if (bar.close >= bar.open) hollow.box(centre - 3, top + 0.5, 6, Math.max(1, height - 1))
    else solid.stroke(centre, top, height)
  }
  return [
    { role: 'wick', d: wicks.d },
    { role: 'hollow', d: hollow.d },
    { role: 'solid', d: solid.d },
  ]
}

function average(role: 'fast' | 'slow', averages: readonly number[], view: View): Shape {
  const ys = inView(averages, view).map(([, price]) => Math.round(priceY(price) * 10) / 10)
  const steps = ys.slice(1).map((y, step) => pair(barWidth, y - (ys[step] ?? y)))
  return { role, d: `M${pair(barCentre(view.first, view.first), ys[0] ?? 0)}l${steps.join(' ')}` }
}

function inView<T>(series: readonly T[], { first, last }: View): [number, T][] {
  return [...series.entries()].slice(first, last + 1)
}

interface PriceTag {
  readonly role: 'tag-ink' | 'tag-fast' | 'tag-slow'
  readonly price: number
  readonly y: number
}

/** From the axis line to its values, and from a line through a text's middle to its base. */
const axisPadding = 11
const toBaseline = 4.5

/** Last close and both averages at the last bar. */
function priceTags({ bars, fast, slow }: SampleRun, { last }: View): PriceTag[] {
  const tag = (role: PriceTag['role'], price = 0): PriceTag => ({ role, price, y: crisp(priceY(price)) })
  return [tag('tag-ink', bars[last]?.close), tag('tag-fast', fast[last]), tag('tag-slow', slow[last])]
}

/** The axis and its values. A value that a tag would touch is left out. */
function axis(view: View, tags: readonly PriceTag[]): Shape[] {
  const right = left(view, lastBar + 1)
  const free = gridPrices.filter((price) => tags.every((tag) => Math.abs(tag.y - crisp(priceY(price))) >= 20))
  const timeY = plotHeight + 21
  const valueX = right + axisPadding
  return [
    { role: 'rule', d: `M0 ${plotHeight + 0.5}h${right + axisWidth}M${right + 0.5} 0v${chartHeight}` },
    ...gridBars(view).map((bar): Shape => {
      return { role: 'value', anchor: 'middle', x: left(view, bar) + 0.5, y: timeY, text: String(bar) }
    }),
    { role: 'value', x: valueX, y: timeY, text: 'bar' },
    ...free.map((price): Shape => {
      return { role: 'value', x: valueX, y: crisp(priceY(price)) + toBaseline, text: price.toFixed(2) }
    }),
    ...tags.flatMap(({ role, price, y }): Shape[] => [
      { role, d: `M${right - 5} ${y}l5-10h${axisWidth}v20h-${axisWidth}z` },
      { role: 'tag', x: valueX, y: y + toBaseline, text: price.toFixed(2) },
    ]),
  ]
}

/** A strip above the time axis while a position is open. */
function openPositions({ trades }: SampleRun, view: View): Shape {
  const stripHeight = 5
  const right = left(view, view.last + 1)
  const strips = trades.flatMap(({ entryBar, exitBar = Number.POSITIVE_INFINITY }) => {
    const from = Math.max(0, barCentre(view.first, entryBar))
    const width = Math.min(right, barCentre(view.first, exitBar)) - from
    return width > 0 ? [`M${from} ${plotHeight - stripHeight}h${width}v${stripHeight}h-${width}z`] : []
  })
  return { role: 'up', d: strips.join('') }
}

/** A triangle and a label at each fill: ▲ below the bar for an entry, ▼ above it for an exit. */
function marks(run: SampleRun, view: View): Shape[] {
  const isShown = (bar = -1) => bar >= view.first && bar <= view.last
  return run.trades.flatMap(({ entryBar, exitBar = -1 }, index) => [
    ...(isShown(entryBar) ? mark(run, view, 'up', entryBar, `Entry ${index + 1}`) : []),
    ...(isShown(exitBar) ? mark(run, view, 'down', exitBar, `Exit ${index + 1}`) : []),
  ])
}

const clearance = 8
const markHeight = 10

function mark(run: SampleRun, view: View, role: 'up' | 'down', bar: number, text: string): Shape[] {
  const isEntry = role === 'up'
  const price = isEntry
    ? Math.min(...pricesAround(run, bar, 'low'))
    : Math.max(...pricesAround(run, bar, 'high'))
  const away = isEntry ? 1 : -1
  const tip = crisp(priceY(price)) + away * clearance
  const base = tip + away * markHeight
  const x = barCentre(view.first, bar)
  return [
    { role, d: `M${x} ${tip}l${pair(6, base - tip)}h-12z` },
    { role: 'mark', anchor: 'middle', x, y: isEntry ? base + 16.5 : base - 6, text },
  ]
}

/** A mark is wider than its bar, so it keeps clear of the lines at both neighbours too. */
function pricesAround({ bars, fast, slow }: SampleRun, bar: number, end: 'high' | 'low'): number[] {
  const averages = [fast, slow].flatMap((line) => line.slice(bar - 1, bar + 2))
  return [...bars.slice(bar, bar + 1).map((each) => each[end]), ...averages]
}

/** Trade 2, which is a loss. */
function falseSignalNote(view: View): Shape[] {
  const leaderX = barCentre(view.first, 82)
  return [
    { role: 'leader', d: `M${leaderX} 79v86` },
    ...setupGuide.falseSignal.map((text, line): Shape => {
      return { role: 'note', x: leaderX - 62.5, y: 45 + 21 * line, text }
    }),
  ]
}

function stopLine(view: View): Shape {
  return { role: 'stop', d: `M${barCentre(view.first, view.last + 1)} 0v${plotHeight}` }
}

/** A number as short as a path takes it: 0.5 as .5. */
function short(value: number): string {
  return (Math.round(value * 10) / 10).toString().replace(/^(-?)0\./, '$1.')
}

/** Two numbers in a path; a minus sign is a separator too. */
function pair(x: number, y: number): string {
  const second = short(y)
  return short(x) + (second.startsWith('-') ? '' : ' ') + second
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
