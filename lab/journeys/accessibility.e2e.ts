import { test } from 'vitest'
import { startJourney } from './journey.ts'
import { expectAccessible } from './page-states.ts'

const journey = startJourney()

test.each([
  'landing',
  'success toast and note',
  'error toast',
  'personal page, every step open',
  'not found',
])('axe finds no violation: %s, light and wide, dark and narrow', (name) =>
  expectAccessible(journey, name),
)
