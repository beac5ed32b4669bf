import { aboutBars, type Bar, barsOf, isGrouped, namingStep } from './bars.ts'
import { averagesOf, lengths } from './averages.ts'
import { countText, daysText, shortDay } from './in-words.ts'
import type { Statistics } from './statistics.ts'

// As on the landing page a bar is 7 wide, and the next one 4 further on. Here the drawing is stretched to the page.
const slot = 11
const thickness = 7
const leastSlots = 14
/** So a place in it is a percentage, too. */
const height = 100

/** Sign-ups a day: the bars, the script's two averages, and every figure in a table below. */
export function signUpChart({ period, before }: Statistics): string {
  const bars = barsOf(period.signUpsByDay)
  const averages = averagesOf(period, before)
  return `<figure class="figure">
${legend(bars, averages.fast.length > 0)}
<div class="plot-window">${plot(bars, averages)}</div>
${table(bars)}
</figure>`
}

interface Scale {
  x(index: number): number
  y(count: number): number
}

function plot(bars: readonly Bar[], { fast, slow }: { fast: number[]; slow: number[] }): string {
  const top = Math.max(1, ...bars.map(({ count }) => count))
  const slots = Math.max(leastSlots, bars.length)
  const width = slots * slot
  const scale: Scale = {
    x: (index) => (slots - bars.length + index + 0.5) * slot,
    y: (count) => rounded(height - (count / top) * height),
  }
  const ticks = ticksTo(top).map((count) => ({ words: countText(count), y: scale.y(count) }))
  const names = bars
    .map(({ from }, index) => ({ words: shortDay(from), x: scale.x(index) }))
    .filter((_, index) => index % namingStep(slots) === 0)
  const grid = [...ticks.map(({ y }) => `M0 ${y}H${width}`), ...names.map(({ x }) => `M${x} 0V${height}`)]
  return `<div class="plot">
<svg role="img" aria-label="${description(bars)}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
<path class="grid-line" d="${grid.join('')}"/>${drawnBars(bars, scale)}${line('slow', slow, scale)}${line('fast', fast, scale)}
</svg>
${ticks.map(({ words, y }) => `<span class="tick" style="top:${y}%">${words}</span>`).join('')}
</div>
<div class="bar-names">${names.map(({ words, x }) => `<span style="left:${rounded((x / width) * 100)}%">${words}</span>`).join('')}</div>`
}

function drawnBars(bars: readonly Bar[], { x, y }: Scale): string {
  const drawn = bars.map(({ count }, index) => {
    const kind = index === bars.length - 1 ? 'up-bar' : 'down-bar'
    const box = `x="${x(index) - thickness / 2}" y="${y(count)}" width="${thickness}" height="${rounded(height - y(count))}"`
    return count === 0 ? '' : `<rect class="${kind}" ${box}/>`
  })
  return drawn.join('')
}

function line(kind: 'fast' | 'slow', values: readonly number[], { x, y }: Scale): string {
  if (values.length === 0) return ''
  const points = values.map((value, index) => `${x(index)} ${y(value)}`)
  return `<path class="${kind}-line" d="M${points.join('L')}"/>`
}

function legend(bars: readonly Bar[], withAverages: boolean): string {
  const keys = [
    key('<path class="down-bar" d="M0 0h7v14H0z"/>', isGrouped(bars) ? 'sign-ups' : 'sign-ups of a day', 7),
    key('<path class="up-bar" d="M.5.5h6v13h-6z"/>', 'not over yet', 7),
    ...(withAverages
      ? (['fast', 'slow'] as const).map((kind) =>
          key(`<path class="${kind}-line" d="M0 7h22"/>`, `EMA ${lengths[kind]} ${kind}`, 22),
        )
      : []),
  ]
  const aside = isGrouped(bars) ? `<span class="sample">${aboutBars(bars)}</span>` : ''
  return `<figcaption class="legend">${keys.join('')}${aside}</figcaption>`
}

function key(drawing: string, words: string, width: number): string {
  return `<span class="key"><svg width="${width}" height="14" aria-hidden="true">${drawing}</svg><span>${words}</span></span>`
}

function description(bars: readonly Bar[]): string {
  const counts = bars.map(({ count }) => count)
  const range = `between ${countText(Math.min(...counts))} and ${countText(Math.max(...counts))}`
  return `Bar chart of sign-ups, ${bars.length} bars ${range}. The table below has every figure.`
}

function table(bars: readonly Bar[]): string {
  const rows = bars.map(
    (bar) => `<tr><th scope="row">${daysText(bar)}</th><td>${countText(bar.count)}</td></tr>`,
  )
  return `<details class="figures"><summary>All figures of this chart</summary><table>
<thead><tr><th scope="col">Day</th><th scope="col">Sign-ups</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>`
}

/** At most five round numbers, 0 among them. */
function ticksTo(top: number): number[] {
  const power = 10 ** Math.floor(Math.log10(top))
  const step =
    [0.2, 0.5, 1, 2, 5].map((factor) => factor * power).find((size) => size >= 1 && top / size < 5) ?? power
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
