import type { Colour, Colours } from '#content/palette.ts'
import { escapeHtml } from '#site/text/escape-html.ts'
import { exampleTrade, sampleRun, type SampleRun } from './sample-run.ts'

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
}

const mono = 'font-family="var(--mono)" font-size="13"'
const stroked = (colour: Colour) => `fill="none" stroke="var(--${colour})"`

/**
 * The looks of the parts, for the pages, the guide and the picture of shared links. Colours and
 * faces are custom properties.
 */
const looks = {
  rule: stroked('rule'),
  wick: stroked('ink2'),
  hollow: 'fill="var(--paper)" stroke="var(--ink2)"',
  solid: `${stroked('ink2')} stroke-width="7"`,
  // Fast is the thin line and slow the heavy one, so they read without colour.
  slow: `${stroked('slow')} stroke-width="3.5" stroke-linejoin="round"`,
  fast: `${stroked('fast')} stroke-width="2" stroke-linejoin="round"`,
  leader: stroked('ink'),
  stop: `${stroked('ink')} stroke-dasharray="4"`,
  value: `${mono} fill="var(--ink2)"`,
  tag: `${mono} fill="var(--paper)"`,
  // With an edge around the letters, below them.
  mark: `${mono} fill="var(--ink)" stroke="var(--paper)" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`,
  note: 'font-family="var(--text)" font-size="15" fill="var(--ink)"',
}

/**
 * The sample chart as an SVG element. Given a narrower box of full height it shows fewer bars: it
 * is cut at the left, never stretched.
 */
export function drawChart(options: ChartOptions = {}, run: SampleRun = sampleRun): string {
  const { width, height, markup } = chartMarkup(options, run)
  const box = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMaxYMin slice"`
  return `<svg class="chart" role="img" ${box}>${titleAndDescription(options, run)}${markup}</svg>`
}

function titleAndDescription({ stopsShort = false }: ChartOptions, run: SampleRun) {
  const title = 'Price chart with two moving averages. Illustration on sample data.'
  const stops = 'The price and both averages stop at a dashed line after bar 100.'
  return `<title>${title}</title><desc>${stopsShort ? stops : describeTrades(run)}</desc>`
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

// Lengths are in chart units: 1 px on the page at full size, y downwards.
const barWidth = 11
const plotHeight = 332
const chartHeight = 364
const axisWidth = 72
const topPrice = 116
const unitsPerPrice = 18.5
const gridPrices = [114, 112, 110, 108, 106, 104, 102, 100]
/** The last bar of the 404 page's chart. */
const stopBar = 100

/** The bars that are drawn, the first and the last included. */
interface View {
  readonly first: number
  readonly last: number
}

/** The inside of a drawing of that size. */
interface ChartMarkup {
  readonly width: number
  readonly height: number
  /** Elements of SVG in painting order. */
  readonly markup: string
}

export function chartMarkup(options: ChartOptions, run: SampleRun = sampleRun): ChartMarkup {
  const { firstBar = 0, stopsShort = false, pricesOnly = false, falseSignal = [] } = options
  const barCount = run.bars.length
  const view = { first: firstBar, last: stopsShort ? stopBar : barCount - 1 }
  const axisX = left(view, barCount)
  // A length of 1 lets the page draw the line once by its dash offset.
  const average = (name: 'fast' | 'slow') =>
    path(`class="c-${name}" pathLength="1" ${looks[name]}`, averageLine(run[name], view))
  const { wicks, hollow, solid } = candles(run, view)
  const markup = [
    path(looks.rule, grid(view, axisX)),
    path(looks.wick, wicks),
    path(looks.hollow, hollow),
    path(looks.solid, solid),
    pricesOnly ? '' : average('slow') + average('fast'),
    axis(view, axisX, pricesOnly || stopsShort ? [] : priceTags(run)),
    pricesOnly ? '' : tradesAndMarks(run, view),
    pricesOnly || stopsShort ? '' : falseSignalNote(falseSignal, run, view),
    stopsShort ? path(looks.stop, `M${centre(view, stopBar + 1)} 0v${plotHeight}`) : '',
  ]
  return { width: axisX + axisWidth, height: chartHeight, markup: markup.join('') }
}

function path(look: string, d: string): string {
  return `<path ${look} d="${d}"/>`
}

const filled = (colour: Colour) => `fill="var(--${colour})"`

type Label = { x: number; y: number; text: string }

function labels(look: string, texts: readonly Label[]): string {
  if (texts.length === 0) return ''
  const words = texts.map(({ x, y, text }) => `<text x="${x}" y="${y}">${escapeHtml(text)}</text>`)
  return `<g ${look}>${words.join('')}</g>`
}

const centred = ' text-anchor="middle"'

/** A drawing for outside a page, where custom properties have no values. */
export function withValues(svg: string, colours: Colours): string {
  const values: Record<string, string> = { ...colours, mono: 'Cousine', text: 'Besley' }
  return svg.replaceAll(/var\(--(\w+)\)/g, (_, name: string) => values[name] ?? name)
}

function left({ first }: View, bar: number): number {
  return (bar - first) * barWidth
}

/** Where the wick of a bar stands. It ends in .5, so a 1 px line is crisp. */
function centre(view: View, bar: number): number {
  return left(view, bar) + barWidth / 2
}

/** Every even price falls on a whole pixel shifted by half of one, where its grid line is. */
function priceY(price: number): number {
  return (topPrice - price) * unitsPerPrice + 0.5
}

/** The nearest whole pixel shifted by half of one. */
function crispY(price: number): number {
  return Math.round(priceY(price) - 0.5) + 0.5
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

type PriceTag = { colour: Colour; price: number }

/** Last close and both averages at the last bar. */
function priceTags({ bars, fast, slow }: SampleRun): PriceTag[] {
  return [
    { colour: 'ink', price: bars.at(-1)?.close ?? 0 },
    { colour: 'fast', price: fast.at(-1) ?? 0 },
    { colour: 'slow', price: slow.at(-1) ?? 0 },
  ]
}

/** The axis and its values. A value that a tag would touch is left out. */
function axis(view: View, axisX: number, tags: readonly PriceTag[]): string {
  const isFree = (price: number) =>
    tags.every((tag) => Math.abs(crispY(tag.price) - crispY(price)) >= 20)
  const barsY = plotHeight + 21
  // In the middle of the axis: on a phone the letters are larger, and would touch its end.
  const x = axisX + 35
  const atPrice = (price: number) => ({ x, y: crispY(price) + 4.5, text: price.toFixed(2) })
  const bars = gridBars(view).map((bar) => ({
    x: left(view, bar) + 0.5,
    y: barsY,
    text: String(bar),
  }))
  const taggedPrices = tags.map(({ price }) => atPrice(price))
  const plates = tags.map(({ colour, price }) =>
    path(filled(colour), `M${axisX - 5} ${crispY(price)}l5-10h${axisWidth}v20h-${axisWidth}z`),
  )
  return [
    path(looks.rule, `M0 ${plotHeight + 0.5}h${axisX + axisWidth}M${axisX + 0.5} 0v${chartHeight}`),
    labels(looks.value + centred, bars),
    labels(looks.value + centred, [
      { x, y: barsY, text: 'bar' },
      ...gridPrices.filter(isFree).map(atPrice),
    ]),
    ...plates,
    labels(looks.tag + centred, taggedPrices),
  ].join('')
}

/**
 * A strip above the time axis while a position is open; ▲ below the bar of an entry, ▼ above that
 * of an exit.
 */
function tradesAndMarks(run: SampleRun, view: View): string {
  const isShown = (bar: number) => bar >= view.first && bar <= view.last
  const right = left(view, view.last + 1)
  const names: Label[] = []
  let up = ''
  let triangles = ''
  let down = ''
  for (const [index, { entryBar, exitBar = run.bars.length }] of run.trades.entries()) {
    const from = Math.max(0, centre(view, entryBar))
    const width = Math.min(right, centre(view, exitBar)) - from
    if (width > 0) up += `M${from} ${plotHeight - 5}h${width}v5h-${width}z`
    if (isShown(entryBar)) {
      const x = centre(view, entryBar)
      const y = crispY(Math.min(...pricesAround(run, entryBar, 'low'))) + 8
      triangles += `M${x} ${y}l6 10h-12z`
      names.push({ x, y: y + 26.5, text: `Entry ${index + 1}` })
    }
    if (isShown(exitBar)) {
      const x = centre(view, exitBar)
      const y = crispY(Math.max(...pricesAround(run, exitBar, 'high'))) - 8
      down += `M${x} ${y}l6-10h-12z`
      names.push({ x, y: y - 16, text: `Exit ${index + 1}` })
    }
  }
  return (
    path(filled('up'), up + triangles) +
    path(filled('down'), down) +
    labels(looks.mark + centred, names)
  )
}

/** A mark is wider than its bar, so it keeps clear of the lines at both neighbours too. */
function pricesAround({ bars, fast, slow }: SampleRun, bar: number, end: 'high' | 'low'): number[] {
  const averages = [fast, slow].flatMap((line) => line.slice(bar - 1, bar + 2))
  return [...bars.slice(bar, bar + 1).map((each) => each[end]), ...averages]
}

/** Above a trade that loses, if there is one. */
function falseSignalNote(words: readonly string[], run: SampleRun, view: View): string {
  const trade = exampleTrade(run)
  if (words.length === 0 || !trade?.isLoss || trade.entryBar < view.first) return ''
  const x = centre(view, Math.round((trade.entryBar + trade.exitBar) / 2))
  const lines = words.map((text, line) => ({
    x: x - 62.5,
    y: 45 + 21 * line,
    text,
  }))
  // It ends above the name of the exit.
  return path(looks.leader, `M${x} 79v38`) + labels(looks.note, lines)
}
