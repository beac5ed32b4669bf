import { expect, test } from 'vitest'
import { holdUpMs, longestSpreadMs, spread } from './waits.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const mail = { progress: 'mail-begun', ageMs: 0, firstMs: minuteMs, isAlone: false } as const

test.each([
  [{}, minuteMs],
  [{ ageMs: 10 * minuteMs }, 5 * minuteMs],
  [{ ageMs: 48 * hourMs }, 25 * minuteMs],
  [{ ageMs: 48 * hourMs, isAlone: true }, 20 * hourMs],
  [{ ageMs: 2 * hourMs, progress: 'body-sent' as const }, 2 * hourMs],
  [{ ageMs: 99 * hourMs, progress: 'body-sent' as const }, 20 * hourMs],
  [{ ageMs: 99 * hourMs, progress: 'connecting' as const }, 0],
])('a mail that was held up %o waits %i ms', (held, ms) => {
  expect(holdUpMs({ ...mail, ...held })).toBe(ms)
})

test('waits are spread by a fifth', () => {
  expect([0, 0.5, 0.999].map((random) => spread(10_000, () => random))).toEqual([
    10_000, 11_000, 11_998,
  ])
  expect(longestSpreadMs(10_000)).toBe(12_000)
})
