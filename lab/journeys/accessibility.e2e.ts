import { test } from 'vitest'
import { startJourney } from './journey.ts'
import { expectAccessible, mainVisits, named } from './page-states.ts'

const journey = startJourney()

test.each(named(mainVisits))(
  'axe finds no violation: %s, light and wide, dark and narrow',
  (_, visit) => expectAccessible(journey, visit),
)
