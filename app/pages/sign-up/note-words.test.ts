import { expect, test } from 'vitest'
import { noteText } from '#content/pages/note.ts'
import { fillIn, resendInWords } from './note-words.ts'

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
  expect(resendInWords(noteText, 5 + ms, 5)).toBe(`We can send it again in ${words}.`)
})

const sundayMorning = new Date(2026, 10, 22, 9, 30).getTime()

test.each([
  [new Date(2026, 10, 22, 14, 4, 1), 'at 14:05'],
  [new Date(2026, 10, 22, 14, 5), 'at 14:05'],
  [new Date(2026, 10, 23, 8, 5), 'tomorrow at 08:05'],
])('a wait until %s is told as the time "%s"', (time, words) => {
  expect(resendInWords(noteText, time.getTime(), sundayMorning)).toBe(`The next one can leave ${words}.`)
})

test('values stand in the places of their names', () => {
  const filled = fillIn('{address} left us at {time}.', { address: 'a@b', time: '12:03' })
  expect(filled).toEqual(['', 'a@b', ' left us at ', '12:03', '.'])
})
