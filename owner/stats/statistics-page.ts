import { brand } from '#content/brand.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import {
  aboutDays,
  aboutShares,
  comparison,
  countText,
  daysText,
  headline,
  shareText,
  timeOfDay,
} from './in-words.ts'
import { signUpChart } from './page-chart.ts'
import { pageStyle } from './page-style.ts'
import { type Row, type Section, sectionsOf } from './sections.ts'
import type { Statistics } from './statistics.ts'

/** One page that needs nothing else: no script, no request, and nobody's address. */
export function statisticsPage(statistics: Statistics): string {
  const { period } = statistics
  const { way, counted, current } = sectionsOf(statistics)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${headline(statistics)} · ${escapeHtml(brand.name)}</title>
<style>${pageStyle()}</style>
</head>
<body>
<div class="sheet">
${masthead}
<main>
<section class="hero">
${priceLine(countText(period.signUps), `<p class="badge">${daysText(period)}</p>`)}
<h1>${headline(statistics)}</h1>
<p class="lede">${comparison(statistics)}</p>
<p class="about">${aboutDays(statistics)}</p>
${period.signUps > 0 ? signUpChart(statistics) : ''}
</section>
<section class="part way">
<h2>${way.title}</h2>
${list(way)}
${way.rows.length > 0 ? `<p class="about">${aboutShares}</p>` : ''}
</section>
${counted.every(({ rows }) => rows.length === 0) ? '' : `<div class="part parts">${counted.map(card).join('')}</div>`}
<section class="closing now">
${priceLine(timeOfDay(statistics))}
<h2>What stands now</h2>
<div class="parts">${current.map(card).join('')}</div>
</section>
</main>
<footer class="footer">
<p>${escapeHtml(brand.name)}</p>
<div class="disclaimer"><p>Counts only: no address of anybody is on this page. Written on ${daysText({ from: period.to, to: period.to })} at ${timeOfDay(statistics)} UTC.</p></div>
</footer>
</div>
</body>
</html>
`
}

const masthead = `<header class="masthead"><p class="brand"><svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true"><path class="slow-line" d="M1 5c10 0 15 9 28 9"/><path class="fast-line" d="M1 18C14 18 16 2 29 2"/></svg>${escapeHtml(brand.name)}</p><p class="tagline">Statistics</p></header>`

function priceLine(tag: string, before = ''): string {
  return `<div class="price-line">${before}<span class="dashes"></span><span class="tag" aria-hidden="true">${tag}</span></div>`
}

function card(section: Section): string {
  return `<section class="card"><h3>${section.title}</h3>${list(section)}</section>`
}

function list({ rows, remark }: Section): string {
  const said = remark === undefined ? '' : `<p class="remark">${remark}</p>`
  return (rows.length === 0 ? '' : `<dl class="rows">${rows.map(item).join('')}</dl>`) + said
}

/** The bar says nothing that the share does not. */
function item({ label, count, of, note }: Row): string {
  const share = of === undefined ? undefined : shareText(count, of)
  const facts = [share, note].filter(Boolean).map((fact) => `<dd class="fact">${escapeHtml(fact!)}</dd>`)
  return `<div class="row"><dt>${escapeHtml(label)}</dt><dd class="count">${countText(count)}</dd>${facts.join('')}${share === undefined ? '' : bar(count / of!)}</div>`
}

function bar(part: number): string {
  return `<dd class="bar" aria-hidden="true"><svg><rect width="${Math.min(100, Math.round(part * 1000) / 10)}%" height="100%"/></svg></dd>`
}
