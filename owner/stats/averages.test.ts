import { expect, test } from 'vitest'
import { counted, statisticsOf } from '#rigs/test-statistics.ts'
import { averagesOf } from './averages.ts'
import { everyDay } from '#server/statistics/days.ts'

const signUps = (from: string, to: string, count: number) =>
  everyDay({ from, to }).map((day) => counted(day, 'signed-up', 'hero', count))

test('of the same number every day both averages are that number, and today is left out', () => {
  const { period, before } = statisticsOf(signUps('2025-11-01', '2026-01-01', 5))
  const { fast, slow } = averagesOf(period, before)
  expect([...new Set(fast), ...new Set(slow)]).toEqual([5, 5])
  expect([fast.length, slow.length]).toEqual([27, 27])
})

test('the fast one follows a rise sooner, each by its share', () => {
  const { period, before } = statisticsOf([
    ...signUps('2025-11-01', '2025-12-31', 4),
    ...signUps('2026-01-01', '2026-01-01', 14),
  ])
  const { fast, slow } = averagesOf(period, before)
  expect(fast.at(-1)).toBeCloseTo(4 + (10 * 2) / 10)
  expect(slow.at(-1)).toBeCloseTo(4 + (10 * 2) / 22)
})

test('of too few days there is no average', () => {
  const { period, before } = statisticsOf(signUps('2025-11-01', '2026-01-01', 5), 9)
  expect(averagesOf(period, before)).toEqual({ fast: [], slow: [] })
})
