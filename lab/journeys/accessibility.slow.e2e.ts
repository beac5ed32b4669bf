import { expect, test } from 'vitest'
import { startJourney } from './journey.ts'
import { expectAccessible, otherVisits, named } from './page-states.ts'

const journey = startJourney()

test.each(named(otherVisits))(
  'axe finds no violation: %s, light and wide, dark and narrow',
  (_, visit) => expectAccessible(journey, visit),
)

test('a phone that shows the page at twice its size has no button wider than its screen', async () => {
  const page = await journey.visit('/', { viewport: { width: 195, height: 422 } })
  const ends = await page
    .locator('.button, .badge, .signature')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
  expect(Math.max(...ends)).toBeLessThanOrEqual(195)
})
