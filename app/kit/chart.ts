import { chartGeometry, type ChartOptions } from './chart-geometry.ts'
import type { Shape } from './chart-shape.ts'
import { sampleRun } from './crossover-run.ts'

/**
 * The sample chart as an SVG element. Colours, weights and faces come from the page's CSS, one class per role: see
 * `chartStyle`. Given a narrower box of full height it shows fewer bars: it is cut at the left, never stretched.
 */
export function drawChart(options: ChartOptions = {}): string {
  const { width, height, shapes } = chartGeometry(options)
  const box = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMaxYMin slice"`
  const words = `<title>${options.pricesOnly ? pricesTitle : chartTitle}</title>${description(options)}`
  return `<svg class="chart" role="img" ${box}>${words}${grouped(shapes).map(drawn).join('')}</svg>`
}

const chartTitle = 'Price chart with two moving averages. Illustration on sample data.'
const pricesTitle = 'Price chart. Illustration on sample data.'

function description(options: ChartOptions): string {
  return options.pricesOnly ? '' : `<desc>${describe(options)}</desc>`
}

function describe({ stopsShort = false, firstBar = 0, lastBar = 119 }: ChartOptions): string {
  if (stopsShort) return 'The price and both averages stop at a dashed line after bar 100.'
  const { trades } = sampleRun()
  const shown = trades.flatMap(({ entryBar, entryPrice, exitBar, exitPrice }, index) => {
    if (exitBar === undefined || exitPrice === undefined || entryBar < firstBar || exitBar > lastBar)
      return []
    const loss = exitPrice < entryPrice ? ', a loss' : ''
    return [`Trade ${index + 1}: entry at ${entryPrice.toFixed(2)}, exit at ${exitPrice.toFixed(2)}${loss}.`]
  })
  return ['EMA 9 crosses EMA 21 up at each entry and down at each exit.', ...shown].join(' ')
}

/** Neighbours of one role and anchor share a group, which takes their class once. */
function grouped(shapes: readonly Shape[]): Shape[][] {
  const groups: Shape[][] = []
  for (const shape of shapes) {
    const last = groups.at(-1)
    if (last?.[0] && groupKey(last[0]) === groupKey(shape)) last.push(shape)
    else groups.push([shape])
  }
  return groups
}

function groupKey(shape: Shape): string {
  return shape.kind === 'path' ? `path ${shape.role}` : `text ${shape.role} ${shape.anchor}`
}

function drawn(group: readonly Shape[]): string {
  const [first] = group
  if (first === undefined) return ''
  if (first.kind === 'path') return drawnPath(first.role, group)
  const texts = group.map((shape) => {
    return shape.kind === 'text' ? `<text x="${shape.x}" y="${shape.y}">${shape.text}</text>` : ''
  })
  const anchor = first.anchor === 'middle' ? ' text-anchor="middle"' : ''
  return `<g class="c-${first.role}"${anchor}>${texts.join('')}</g>`
}

function drawnPath(role: string, group: readonly Shape[]): string {
  const d = group.map((shape) => (shape.kind === 'path' ? shape.d : '')).join('')
  // A length of 1 lets the page draw the line once by its dash offset.
  const length = role === 'fast' || role === 'slow' ? ' pathLength="1"' : ''
  return `<path class="c-${role}"${length} d="${d}"/>`
}
