import type { Colour, Colours } from '#content/palette.ts'
import { filled, labels, looks, path } from './looks.ts'
import { falseSignalNote, tradesAndMarks } from './marks.ts'
import { sampleRun, type SampleRun } from './sample-run.ts'
import { barWidth, centre, crispY, left, plotHeight, priceY, type View } from './scale.ts'
import { asMarkup, svg, type SvgElement } from './svg.ts'

interface ChartOptions {
  /** First bar drawn, 0 to 119. */
  readonly firstBar?: number
  /**
   * For the 404 page: cut after bar 100, with a dashed line where the price stops and no tags on
   * the axis.
   */
  readonly stopsShort?: boolean
  /** Candles and axis, without averages and trades, which are a run of our script. */
  readonly pricesOnly?: boolean
  /** Two lines above a trade that loses. */
  readonly falseSignal?: readonly string[]
  /** In chart units: the box cuts the drawing off there, and no name of a mark begins before it. */
  readonly namesFrom?: number
}

/** The sample chart as markup: see chartElement. */
export function drawChart(options: ChartOptions = {}, run: SampleRun = sampleRun): string {
  return asMarkup(chartElement(options, run))
}

/**
 * The sample chart as an SVG element. Given a narrower box of full height it shows fewer bars: it
 * is cut at the left, never stretched.
 */
export function chartElement(options: ChartOptions, run: SampleRun): SvgElement {
  const { width, height, parts } = chartParts(options, run)
  const attributes = {
    class: 'chart',
    role: 'img',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'xMaxYMin slice',
  }
  return svg('svg', attributes, ...titleAndDescription(options, run), ...parts)
}

function titleAndDescription({ stopsShort = false }: ChartOptions, run: SampleRun): SvgElement[] {
  const title = 'Price chart with two moving averages. Illustration on sample data.'
  const stops = 'The price and both averages stop at a dashed line after bar 100.'
  return [svg('title', {}, title), svg('desc', {}, stopsShort ? stops : describeTrades(run))]
}

export function describeTrades({ lengths: { fast, slow }, trades }: SampleRun): string {
  const sentences = trades.map(({ entryPrice, exitPrice }, index) => {
    const exit = exitPrice === undefined ? 'still open' : `exit at ${exitPrice.toFixed(2)}`
    const loss = exitPrice !== undefined && exitPrice < entryPrice ? ', a loss' : ''
    return `Trade ${index + 1}: entry at ${entryPrice.toFixed(2)}, ${exit}${loss}.`
  })
  return [
    `EMA ${fast} crosses EMA ${slow} up at each entry and down at each exit.`,
    ...sentences,
  ].join(' ')
}

const chartHeight = 364
const axisWidth = 72
const gridPrices = [114, 112, 110, 108, 106, 104, 102, 100]
/** The last bar of the 404 page's chart. */
const stopBar = 100

/** The inside of a drawing of that size. */
interface ChartMarkup {
  readonly width: number
  readonly height: number
  /** Elements of SVG in painting order. */
  readonly markup: string
}

export function chartMarkup(options: ChartOptions, run: SampleRun = sampleRun): ChartMarkup {
  const { width, height, parts } = chartParts(options, run)
  return { width, height, markup: parts.map(asMarkup).join('') }
}

function chartParts(options: ChartOptions, run: SampleRun) {
  const { firstBar = 0, stopsShort = false, pricesOnly = false } = options
  const { falseSignal = [], namesFrom } = options
  const barCount = run.bars.length
  const view = { first: firstBar, last: stopsShort ? stopBar : barCount - 1 }
  const axisX = left(view, barCount)
  // A length of 1 lets the page draw the line once by its dash offset.
  const average = (name: 'fast' | 'slow') =>
    path({ class: `c-${name}`, pathLength: 1, ...looks[name] }, averageLine(run[name], view))
  const { wicks, hollow, solid } = candles(run, view)
  const parts = [
    path(looks.rule, grid(view, axisX)),
    path(looks.wick, wicks),
    path(looks.hollow, hollow),
    path(looks.solid, solid),
    ...(pricesOnly ? [] : [average('slow'), average('fast')]),
    ...axis(view, axisX, pricesOnly || stopsShort ? [] : priceTags(run)),
    ...(pricesOnly ? [] : tradesAndMarks(run, view, namesFrom)),
    ...(pricesOnly || stopsShort ? [] : falseSignalNote(falseSignal, run, view)),
    ...(stopsShort ? [path(looks.stop, `M${centre(view, stopBar + 1)} 0v${plotHeight}`)] : []),
  ]
  return { width: axisX + axisWidth, height: chartHeight, parts }
}

/** A drawing for outside a page, where custom properties have no values. */
export function withValues(drawn: string, colours: Colours): string {
  const values: Record<string, string> = { ...colours, mono: 'Cousine', text: 'Besley' }
  return drawn.replaceAll(/var\(--(\w+)\)/g, (_, name: string) => values[name] ?? name)
}

function grid(view: View, axisX: number): string {
  const across = gridPrices.map((price) => `M0 ${crispY(price)}h${axisX}`)
  return [
    ...across,
    ...gridBars(view).map((bar) => `M${left(view, bar) + 0.5} 0v${plotHeight}`),
  ].join('')
}

/** Every tenth bar inside the view. The line stands where the bar begins. */
function gridBars({ first }: View): number[] {
  return Array.from({ length: 12 }, (_, line) => 10 * line).filter((bar) => bar > first)
}

/**
 * Wicks, rising bars and falling bars: one path each. Relative moves, because absolute ones take
 * half as many bytes again, and the chart is in the first packets of the page.
 */
function candles({ bars }: SampleRun, view: View) {
  const wicks = new RelativePath()
  const hollow = new RelativePath()
  const solid = new RelativePath()
  for (const [index, { open, high, low, close }] of bars.entries()) {
    if (index < view.first || index > view.last) continue
    const x = centre(view, index)
    const highest = Math.round(priceY(high))
    const wick = Math.round(priceY(low)) - highest
    const top = Math.round(priceY(Math.max(open, close)))
    const height = Math.max(1, Math.round(priceY(Math.min(open, close))) - top)
    wicks.add(x, highest, `v${wick}`, wick)
    if (close >= open) hollow.add(x - 3, top + 0.5, `h6v${Math.max(1, height - 1)}h-6z`)
    else solid.add(x, top, `v${height}`, height)
  }
  return { wicks: wicks.d, hollow: hollow.d, solid: solid.d }
}

class RelativePath {
  d = ''
  #x = 0
  #y = 0

  /** `down`: how far below its start the stroke ends. */
  add(x: number, y: number, stroke: string, down = 0): void {
    this.d += `m${x - this.#x} ${y - this.#y}${stroke}`
    this.#x = x
    this.#y = y + down
  }
}

function averageLine(averages: readonly number[], view: View): string {
  const ys = averages.slice(view.first, view.last + 1).map((price) => rounded(priceY(price)))
  const steps = ys.slice(1).map((y, step) => `${barWidth} ${rounded(y - ys[step]!)}`)
  return `M${barWidth / 2} ${rounded(ys[0] ?? 0)}l${steps.join(' ')}`
}

function rounded(value: number): number {
  return Number(value.toFixed(1))
}

/** A line through the values, from the left edge of the box to the right one. */
export function lineAcross(
  values: readonly number[],
  { width, height, top, bottom }: { width: number; height: number; top: number; bottom: number },
  decimals = 0,
): string {
  const round = (value: number) => Number(value.toFixed(decimals))
  const points = values.map((value, index) => {
    const y = ((top - value) / (top - bottom)) * height
    return `${round((index / (values.length - 1)) * width)} ${round(y)}`
  })
  return `M${points.join('L')}`
}

/** `y`: the middle of the tag, which may stand a little below its price. */
type PriceTag = { colour: Colour; price: number; y: number }

const tagHeight = 20

/** Last close and both averages at the last bar, from top to bottom. None covers another. */
function priceTags({ bars, fast, slow }: SampleRun): PriceTag[] {
  const prices: Omit<PriceTag, 'y'>[] = [
    { colour: 'ink', price: bars.at(-1)?.close ?? 0 },
    { colour: 'fast', price: fast.at(-1) ?? 0 },
    { colour: 'slow', price: slow.at(-1) ?? 0 },
  ]
  // oxlint-disable-next-line unicorn/no-array-sort -- the browsers of the page need not know toSorted
  prices.sort((one, other) => other.price - one.price)
  const tags: PriceTag[] = []
  for (const tag of prices) {
    const free = (tags.at(-1)?.y ?? -Infinity) + tagHeight
    tags.push({ ...tag, y: Math.max(crispY(tag.price), free) })
  }
  return tags
}

/** The axis and its values. A value that a tag would touch is left out. */
function axis(view: View, axisX: number, tags: readonly PriceTag[]): SvgElement[] {
  const isFree = (price: number) => tags.every(({ y }) => Math.abs(y - crispY(price)) >= tagHeight)
  const barsY = plotHeight + 21
  // In the middle of the axis: on a phone the letters are larger, and would touch its end.
  const x = axisX + 35
  const atPrice = (price: number) => ({ x, y: crispY(price) + 4.5, text: price.toFixed(2) })
  const bars = gridBars(view).map((bar) => ({
    x: left(view, bar) + 0.5,
    y: barsY,
    text: String(bar),
  }))
  const plates = tags.map(({ colour, price, y }) => {
    const tip = `M${axisX - 5} ${crispY(price)}L${axisX} ${y - tagHeight / 2}`
    return path(filled(colour), `${tip}h${axisWidth}v${tagHeight}h-${axisWidth}z`)
  })
  return [
    path(looks.rule, `M0 ${plotHeight + 0.5}h${axisX + axisWidth}M${axisX + 0.5} 0v${chartHeight}`),
    ...labels(looks.value, bars),
    ...labels(looks.value, [
      { x, y: barsY, text: 'bar' },
      ...gridPrices.filter(isFree).map(atPrice),
    ]),
    ...plates,
    ...labels(
      looks.tag,
      tags.map(({ price, y }) => ({ x, y: y + 4.5, text: price.toFixed(2) })),
    ),
  ]
}
