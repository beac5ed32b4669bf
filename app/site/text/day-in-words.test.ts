import { expect, test } from 'vitest'
import { dayInWords } from './day-in-words.ts'

test.each([
  ['en', '5 December 2026'],
  ['en-US', 'December 5, 2026'],
  ['fr', '5 décembre 2026'],
])('in %s a day is %s', (language, words) => {
  expect(dayInWords('2026-12-05', language)).toBe(words)
})

test('a day is that of UTC', () => {
  expect(dayInWords(Date.UTC(2026, 11, 5, 23, 59))).toBe('5 December 2026')
})
