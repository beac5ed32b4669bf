import { describe, expect, test } from 'vitest'
import { canBringBrowser } from '../rigs/browser.ts'
import { hydrate, startJourney } from './journey.ts'

const journey = startJourney()
const phone = { viewport: { width: 412, height: 823 } }

// A picture that waits for its turn is asked for with the first frame, which shows without it.
test.each(['/', '/nowhere'])('%s fetches nothing that its first paint waits for', async (path) => {
  const page = await journey.open(phone)
  await page.goto(path)
  const paints = () =>
    page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
  await expect.poll(paints).toBe(1) // a gesture before that would fetch the scripts
  await hydrate(page)
  await page.locator('html.besley').waitFor()
  const { painted, fetched } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-paint')[0]?.startTime ?? Infinity,
    fetched: performance
      .getEntriesByType('resource')
      .filter((entry) => (entry as PerformanceResourceTiming).initiatorType !== 'img')
      .map(({ name, startTime }) => ({ name, startTime })),
  }))
  expect(await page.locator('img:not([loading=lazy])').count()).toBe(0)
  expect(fetched.map(({ name }) => name).join('\n')).toMatch(/besley-/)
  for (const { name, startTime } of fetched) expect(startTime, name).toBeGreaterThanOrEqual(painted)
})

describe.skipIf(!canBringBrowser)('with the stand-in font of the browser that npm brings', () => {
  test.each([320, 390, 412, 768, 1280, 1440])(
    'at %i px nothing moves when the font comes',
    async (width) => {
      const page = await journey.open({ viewport: { width, height: 900 } })
      await page.goto('/')
      await page.locator('html.besley').waitFor()
      await page.locator('form[novalidate]').first().waitFor()
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
                sum += entry.value
              }
            }).observe({ type: 'layout-shift', buffered: true })
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))))
          }),
      )
      expect(shift).toBeLessThan(0.01)
    },
  )
})

test('a hydrated page is laid out to its end', async () => {
  const page = await journey.visit('/', phone)
  const contentVisibility = await page
    .locator('.later')
    .evaluateAll((sections) =>
      sections.map((section) => getComputedStyle(section).contentVisibility),
    )
  expect(contentVisibility).toEqual(['visible', 'visible', 'visible', 'visible'])
})

test('without JavaScript the page is laid out to its end, in its own font', async () => {
  const page = await journey.open({ ...phone, javaScriptEnabled: false })
  const [font] = await Promise.all([page.waitForResponse(/besley-/), page.goto('/')])
  expect(font.ok()).toBe(true)
  const { height = 0 } = (await page.locator('.closing').boundingBox()) ?? {}
  expect(height).toBeGreaterThan(300)
})
