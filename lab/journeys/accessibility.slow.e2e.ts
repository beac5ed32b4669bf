import { expect, test } from 'vitest'
import { startJourney } from './journey.ts'
import { expectAccessible, states } from './page-states.ts'

const journey = startJourney()
test.each(Object.keys(states))(
  'axe finds no violation: %s, light and wide, dark and narrow',
  (name) => expectAccessible(journey, name),
)

test('a phone that shows the page at twice its size has no button wider than its screen', async () => {
  const page = await journey.visit('/', { viewport: { width: 195, height: 422 } })
  const ends = await page
    .locator('.button, .badge, .signature')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
  expect(Math.max(...ends)).toBeLessThanOrEqual(195)
})

test('no width from 320 to 1920 px scrolls sideways', async () => {
  for (const path of ['/', '/nowhere']) {
    const page = await journey.visit(path)
    for (let width = 320; width <= 1920; width += 80) {
      await page.setViewportSize({ width, height: 900 })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        `${path} at ${width} px`,
      ).toBe(width)
    }
  }
})
