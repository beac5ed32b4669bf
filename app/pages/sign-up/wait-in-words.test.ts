import { expect, test } from 'vitest'
import { waitInWords } from './wait-in-words.ts'

test.each([
  [900_000, '15 minutes'],
  [899_001, '15 minutes'],
  [840_000, '14 minutes'],
  [61_000, '2 minutes'],
  [60_000, '60 seconds'],
  [1_001, '2 seconds'],
  [1_000, '1 second'],
  [1, '1 second'],
])('%i ms are %s, never too few', (ms, words) => {
  expect(waitInWords(ms)).toBe(words)
})
