import { expect, test } from 'vitest'
import { counted, statisticsOf } from '#rigs/test-statistics.ts'
import { comparison, daysText, headline, shareText, shortDay, waitText } from './in-words.ts'

test.each([
  [1, 3, '33 %'],
  [3, 3, '100 %'],
  [4, 3, '133 %'],
  [0, 3, '0 %'],
  [1, 1_000, '<1 %'],
  [999, 1_000, '>99 %'],
  [0, 0, undefined],
  [5, 0, undefined],
])('%i of %i is %s', (count, of, words) => {
  expect(shareText(count, of)).toBe(words)
})

const signedUp = (today: number, yesterday: number, days: number) => {
  const counts = [counted('2026-01-02', 'signed-up', 'hero', today)]
  const before = counted(days === 1 ? '2026-01-01' : '2025-12-31', 'signed-up', 'hero', yesterday)
  return statisticsOf([...counts, before], days)
}

test.each([
  [5, 2, 2, '5 sign-ups in 2 days', '3 more than the 2 in the 2 days before.'],
  [1, 1_200, 2, '1 sign-up in 2 days', '1,199 fewer than the 1,200 in the 2 days before.'],
  [2, 2, 1, '2 sign-ups today', 'As many as yesterday.'],
  [2, 0, 1, '2 sign-ups today', 'There were none yesterday.'],
  [0, 1, 1, 'Nobody signed up today', 'There was 1 yesterday.'],
  [0, 4, 2, 'Nobody signed up in 2 days', 'There were 4 in the 2 days before.'],
  [0, 0, 2, 'Nobody signed up in 2 days', 'Nor in the 2 days before.'],
])('%i sign-ups after %i, of %i days', (now, before, days, first, second) => {
  const statistics = signedUp(now, before, days)
  expect([headline(statistics), comparison(statistics)]).toEqual([first, second])
})

test('days are named in one way wherever the server stands', () => {
  expect(shortDay('2026-09-05')).toBe('5 Sep')
  expect(daysText({ from: '2026-01-02', to: '2026-01-02' })).toBe('2 January 2026')
  expect(daysText({ from: '2026-01-02', to: '2026-02-01' })).toBe('2 January to 1 February 2026')
  expect(daysText({ from: '2025-12-31', to: '2026-01-02' })).toBe('31 December 2025 to 2 January 2026')
})

test.each([
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [7_200, '2 hours'],
  [172_800, '2 days'],
])('%i s are %s', (seconds, words) => {
  expect(waitText(seconds)).toBe(words)
})
