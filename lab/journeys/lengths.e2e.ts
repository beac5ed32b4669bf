import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { landingPage } from '#content/pages/landing-page.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { drawChart } from '#site/chart/chart.ts'
import { countTrades, runScript } from '#site/chart/sample-run.ts'
import { fill } from '#site/text/fill.ts'
import { complaintsOf, startJourney, violations } from './journey.ts'

const journey = startJourney()
const { tryLengths } = landingPage

function openFields(page: Page) {
  return page.getByRole('button', { name: tryLengths.button }).click()
}

test('chart, legend, counts and message follow the lengths that a visitor tries, from what one press fetched', async () => {
  // Wide enough for all of the chart.
  const page = await journey.visit('/', { viewport: { width: 1440, height: 900 } })
  const complaints = complaintsOf(page)
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
  await openFields(page)
  const fast = page.locator('input[type=number][name=fast]')
  await expect.poll(() => fast.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(fetched.toSorted()).toEqual([
    expect.stringMatching(/^\/assets\/try-lengths-/),
    '/lengths.json',
  ])

  await fast.press('ArrowDown')
  await page.locator('input[name=slow]').fill('34')
  const less = page.getByRole('button', { name: `${tryLengths.fast}: ${tryLengths.less}` })
  for (let presses = 0; presses < 3; presses += 1) await less.click() // 9, 8 by the key, 5
  const run = runScript({ fast: 5, slow: 34 })
  const { closed, losing, longestLosingRun, costs } = countTrades(run)
  const counts = {
    bars: '120',
    trades: String(closed),
    losing: String(losing),
    inARow: String(longestLosingRun),
    costs: costs.toFixed(2),
  }
  const status = page.locator('#lengths [role=status]')
  expect(await status.textContent()).toBe(fill(tryLengths.counts, counts))
  expect(await page.locator('#lengths pre').textContent()).toBe(run.trades.at(-1)?.exitMessage)
  const chart = await page.locator('svg.chart').evaluate((drawn) => drawn.outerHTML)
  expect(chart.replaceAll(/ style="animation: [^"]*"/g, '')).toBe(
    drawChart({}, run).replaceAll(/<(\w+)([^>]*)\/>/g, '<$1$2></$1>'),
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('input[name=slow]').fill('34')
  const names = await page.locator('svg.chart text', { hasText: /^E/ }).allTextContents()
  expect(names).toEqual(['Entry 2', 'Entry 3', 'Exit 2', 'Exit 3']) // whole ones
  for (const name of ['EMA 5', 'EMA 34']) await page.getByRole('button', { name }).waitFor()
  expect(await violations(page)).toEqual([])

  await page.locator('input[name=slow]').fill('4')
  const wrong = fill(tryLengths.wrong, { least: '2', most: '50' })
  expect(await status.textContent()).toBe(wrong)
  expect(await page.locator('svg.chart desc').textContent()).toContain('EMA 5 crosses EMA 34 up')
  expect(fetched).toHaveLength(2)
  expect(complaints).toEqual([])

  const { kit } = await journey.signUpByPost()
  await page.goto(kit)
  await page.getByText(fill(personalPage.script.triedLengths, { fast: '5', slow: '34' })).waitFor()

  await page.goto('/') // with the lengths of the script
  await openFields(page)
  await status.waitFor()
  await page.goto(kit)
  await page.locator('#copy-script').waitFor()
  expect(await page.locator('#tried-lengths').isVisible()).toBe(false)
})

test('without JavaScript nothing offers to try lengths', async () => {
  const page = await journey.visit('/', { javaScriptEnabled: false })
  expect(await page.locator('#lengths').isVisible()).toBe(false)
})
