import { expect, test } from 'vitest'
import { resendInWords } from './resend-time.ts'

test.each([
  [3_600_000, '60 minutes'],
  [900_000, '15 minutes'],
  [899_001, '15 minutes'],
  [840_000, '14 minutes'],
  [61_000, '2 minutes'],
  [60_000, '60 seconds'],
  [1_001, '2 seconds'],
  [1_000, '1 second'],
  [1, '1 second'],
])('a wait of %i ms is "%s", rounded up', (ms, words) => {
  expect(resendInWords(5 + ms, 5)).toBe(`. We can send it again in ${words}.`)
})

const sundayMorning = new Date(2026, 10, 22, 9, 30).getTime()

test.each([
  [new Date(2026, 10, 22, 14, 4, 1), '14:05'],
  [new Date(2026, 10, 22, 14, 5), '14:05'],
  [new Date(2026, 10, 23, 8, 5), '08:05 on Monday'],
])('a wait until %s is told as the time "%s"', (time, words) => {
  expect(resendInWords(time.getTime(), sundayMorning)).toBe(`. The next one is possible at ${words}.`)
})
