import { expect, test } from 'vitest'
import { nextWaitMs } from './retry-schedule.ts'

test('each failure has its wait, and after the last there is none', () => {
  expect([1, 2, 3, 4].map((failures) => nextWaitMs([60, 300, 1800], failures))).toEqual([
    60_000,
    300_000,
    1_800_000,
    undefined,
  ])
})
