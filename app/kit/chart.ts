import { paintAttributes, type PathRole, type TextRole } from './chart-paint.ts'
import { chartHeight, chartShapes, type ChartOptions, type Shape } from './chart-shapes.ts'
import { sampleRun } from './sample-run.ts'

/**
 * The sample chart as an SVG element. Colours, weights and faces come from the page's CSS, one class per role: see
 * `chartStyle`. Given a narrower box of full height it shows fewer bars: it is cut at the left, never stretched.
 */
export function drawChart(options: ChartOptions = {}): string {
  const { width, shapes } = chartShapes(options)
  const box = `width="${width}" height="${chartHeight}" viewBox="0 0 ${width} ${chartHeight}" preserveAspectRatio="xMaxYMin slice"`
  const markup = printShapes(shapes, (role) => `class="c-${role}"`)
  return `<svg class="chart" role="img" ${box}>${titleAndDescription(options)}${markup}</svg>`
}

/** The shapes of the same chart for a drawing without a style sheet: `fill="var(--ink)"`. */
export function paintedChart(options: ChartOptions): { width: number; height: number; markup: string } {
  const { width, shapes } = chartShapes(options)
  return { width, height: chartHeight, markup: printShapes(shapes, paintAttributes) }
}

type Look = (role: PathRole | TextRole) => string

function titleAndDescription({ pricesOnly = false, stopsShort = false, firstBar = 0 }: ChartOptions): string {
  if (pricesOnly) return '<title>Price chart. Illustration on sample data.</title>'
  const title = 'Price chart with two moving averages. Illustration on sample data.'
  const stops = 'The price and both averages stop at a dashed line after bar 100.'
  return `<title>${title}</title><desc>${stopsShort ? stops : describeTrades(firstBar)}</desc>`
}

function describeTrades(firstBar: number): string {
  const trades = sampleRun().trades.flatMap(({ entryBar, entryPrice, exitPrice = Number.NaN }, index) => {
    const loss = exitPrice < entryPrice ? ', a loss' : ''
    const prices = `entry at ${entryPrice.toFixed(2)}, exit at ${exitPrice.toFixed(2)}${loss}`
    return entryBar < firstBar ? [] : [`Trade ${index + 1}: ${prices}.`]
  })
  return ['EMA 9 crosses EMA 21 up at each entry and down at each exit.', ...trades].join(' ')
}

/** Neighbours of one role and anchor share an element, which takes their look once. */
function printShapes(shapes: readonly Shape[], look: Look): string {
  const groups: [Shape, ...Shape[]][] = []
  for (const shape of shapes) {
    const last = groups.at(-1)
    if (last && groupKey(last[0]) === groupKey(shape)) last.push(shape)
    else groups.push([shape])
  }
  return groups.map((group) => printGroup(group, look)).join('')
}

function groupKey(shape: Shape): string {
  return 'd' in shape ? shape.role : `${shape.role} ${shape.anchor}`
}

function printGroup(group: readonly [Shape, ...Shape[]], look: Look): string {
  const [first] = group
  if ('d' in first) {
    const d = group.map((shape) => ('d' in shape ? shape.d : '')).join('')
    // A length of 1 lets the page draw the line once by its dash offset.
    const length = first.role === 'fast' || first.role === 'slow' ? ' pathLength="1"' : ''
    return `<path ${look(first.role)}${length} d="${d}"/>`
  }
  const texts = group.map((shape) => {
    return 'd' in shape ? '' : `<text x="${shape.x}" y="${shape.y}">${shape.text}</text>`
  })
  const anchor = first.anchor ? ` text-anchor="${first.anchor}"` : ''
  return `<g ${look(first.role)}${anchor}>${texts.join('')}</g>`
}
