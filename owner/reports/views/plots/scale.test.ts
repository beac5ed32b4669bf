import { expect, test } from 'vitest'
import { scaleFor } from './scale.ts'

test('days of the same order have an even scale up to above the highest', () => {
  expect(scaleFor([3, 8, 0, 17])).toEqual({ kind: 'linear', ticks: [0, 5, 10, 15, 20] })
})

test('one day far above the others makes the scale logarithmic, so that all can be read', () => {
  const days = [...Array<number>(27).fill(12), 4_210]
  expect(scaleFor(days)).toEqual({ kind: 'logarithmic', ticks: [0, 10, 100, 1_000, 5_000] })
})

test.each([
  { values: [], ticks: [0, 1] },
  { values: [0, 0, 1], ticks: [0, 1] },
])('without sign-ups the scale ends at 1: $values', ({ values, ticks }) => {
  expect(scaleFor(values)).toEqual({ kind: 'linear', ticks })
})
