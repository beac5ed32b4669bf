import { test } from 'vitest'
import { startJourney } from './journey.ts'
import { expectAccessible, mainStates } from './page-states.ts'

const journey = startJourney()

test.each(mainStates)('axe finds no violation: %s, light and wide, dark and narrow', (name) =>
  expectAccessible(journey, name),
)
