import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { counted, hostileText, statisticsOf } from '#rigs/test-statistics.ts'
import { pageStyle } from './page-style.ts'
import { statisticsPage } from './statistics-page.ts'

const today = '2026-01-02'
const counts = [
  counted('2025-12-20', 'signed-up', 'hero', 1_200),
  counted(today, 'signed-up', 'closing', 34),
  counted(today, 'page-opened', 'person', 617),
  counted(today, 'page-opened', 'machine', 41),
]

test('the page shows the figures, and each bar of the chart in a table', () => {
  const page = statisticsPage(statisticsOf(counts))
  expect(page).toContain('<h1>1,234 sign-ups in 28 days</h1>')
  expect(page).toContain(
    '<dt>Page opened</dt><dd class="count">617</dd><dd class="fact">50 %</dd><dd class="fact">machines 41</dd>',
  )
  expect(page).toContain('<tr><th scope="row">20 December 2025</th><td>1,200</td></tr>')
  expect(page.match(/<tr><th scope="row">/g)).toHaveLength(28)
  expect(page).toContain('aria-label="Bar chart of sign-ups, 28 bars between 0 and 1,200. ')
  // Two days had sign-ups: the first bar is the highest there is, the last one is hollow, for it is not over yet.
  expect(page.match(/<rect class="\w+-bar" [^>]*>/g)).toEqual([
    expect.stringMatching(/down-bar.* y="0" width="7" height="100"/),
    expect.stringMatching(/up-bar.* y="97.17" width="7" height="2.83"/),
  ])
})

test('it has no script and asks nobody for anything', () => {
  const page = statisticsPage(statisticsOf(counts))
  expect(page).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|@import|https?:|\ssrc=|\shref=/)
  const asked = [...page.matchAll(/url\((.{0,5})/g)].map(([, begin]) => begin)
  expect(asked.every((begin) => begin === 'data:')).toBe(true)
})

test('it wears the colours of the site, and its face once the site is built', () => {
  const assets = temporaryFolder()
  expect(pageStyle(assets)).not.toContain('@font-face')
  writeFileSync(join(assets, 'besley-12345678.woff2'), 'letters')
  expect(pageStyle(assets)).toContain(
    `url(data:font/woff2;base64,${Buffer.from('letters').toString('base64')})`,
  )
  expect(pageStyle(assets)).toMatch(/--paper:#\w{6}.*@media \(prefers-color-scheme: ?dark\)/s)
})

test('what a visitor made up is shown as text', () => {
  const page = statisticsPage(
    statisticsOf([
      ...[counted(today, 'signed-up', hostileText, 2), counted(today, 'came-from', hostileText, 2)],
      counted(today, 'limit-hit', hostileText, 1),
      counted(today, 'came-from', 'ada@example.com', 1),
    ]),
  )
  expect(page.match(/<dt>&lt;img src=x onerror=alert\(1\)&gt;\?\[2J\?31m\?&amp;&quot;<\/dt>/g)).toHaveLength(
    3,
  )
  expect(page).not.toContain('<img')
  expect(page).not.toContain('ada@')
})

test('a share of less than one percent is text, too', () => {
  const page = statisticsPage(statisticsOf([...counts, counted(today, 'erased', '', 1)]))
  expect(page).toContain('<dd class="fact">&lt;1 %</dd>')
})

test('without anything counted it says so, and draws nothing', () => {
  const page = statisticsPage(statisticsOf([]))
  expect(page).toContain('<h1>Nobody signed up in 28 days</h1>')
  expect(page).toContain('Nothing was counted in these days.')
  expect(bodyOf(page)).not.toMatch(/<figure|NaN|Infinity|undefined/)
})

test.each([1, 10, 67, 366])('%i days are drawn without a gap in the figures', (days) => {
  const page = statisticsPage(statisticsOf(counts, days))
  expect(bodyOf(page)).not.toMatch(/NaN|Infinity|undefined/)
})

/** Without the style: the letters of the font can spell anything. */
function bodyOf(page: string): string {
  return page.slice(page.indexOf('<body>'))
}
