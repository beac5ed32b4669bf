import type { SiteContent } from '#site/site-content.ts'
import { chartMarkup, withValues } from '#site/chart/chart.ts'
import { escapeHtml } from '#site/text/escape-html.ts'
import { mark } from './mark.ts'

const width = 1200
const height = 630
const chartY = height - 364
const axisX = width - 72

/**
 * The picture that goes with a link to the page (Open Graph), as SVG: the top of the page itself.
 */
export function shareImage({
  brand,
  landingPage,
  ourRun,
  palette,
  setupGuide,
}: SiteContent): string {
  const { hero, chart } = landingPage
  const [firstLine, secondLine] = hero.heading
  // 22 letters of full size end where the words over the chart begin.
  const shrink = Math.min(1, 22 / Math.max(firstLine.length, secondLine.length))
  const headingSize = `font-size="${Math.floor(82 * shrink)}" letter-spacing="${-2.5 * shrink}"`
  // 103 bars of 11 px reach from the axis over the left edge.
  const drawing = chartMarkup({
    firstBar: 17,
    pricesOnly: !ourRun,
    falseSignal: setupGuide.falseSignal,
  })
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="var(--paper)" />
    <g transform="translate(${axisX - 1133} ${chartY})">${drawing.markup}</g>
    <path d="M${axisX + 0.5} 0V${chartY}M0 ${chartY - 0.5}H${width}" stroke="var(--rule)" />
    <svg x="48" y="22" width="44" height="44" viewBox="0 0 32 32">${mark(palette.light)}</svg>
    ${priceLine(hero.badge, chart.sample)}
    <g fill="var(--ink)" font-family="Besley" font-weight="500">
      <text x="106" y="54" font-size="30">${escapeHtml(brand.name)}</text>
      <text x="44" y="156" ${headingSize}>${escapeHtml(firstLine)}</text>
      <text x="44" y="238" ${headingSize}>${escapeHtml(secondLine)}</text>
    </g>
  </svg>`
  return withValues(picture, palette.light)
}

function priceLine(badge: string, sample: string): string {
  return `<path d="M660 44.5H${axisX}" stroke="var(--ink)" stroke-dasharray="4 3" />
    <rect x="560.5" y="25.5" width="440" height="38" fill="var(--paper)" stroke="var(--ink)" />
    <text x="576" y="51" font-family="Besley" font-weight="600" font-size="21" fill="var(--ink)">${escapeHtml(badge)}</text>
    <rect x="${axisX}" y="25" width="72" height="39" fill="var(--ink)" />
    <g font-family="Cousine">
      <text x="${axisX + 12}" y="50" font-size="18" fill="var(--paper)">0.00</text>
      <text x="${axisX - 20}" y="246" font-size="13" fill="var(--ink2)" text-anchor="end">${escapeHtml(sample)}</text>
    </g>`
}
