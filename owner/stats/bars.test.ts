import { expect, test } from 'vitest'
import { daysEnding, everyDay } from '#server/statistics/days.ts'
import { aboutBars, barsOf, namingStep } from './bars.ts'

const days = (number: number) =>
  everyDay(daysEnding('2026-12-31', number)).map((day, index) => ({ day, count: index + 1 }))

test.each([
  [1, 1, 'Each bar is 1 day.'],
  [66, 66, 'Each bar is 1 day.'],
  [67, 34, 'Each bar is 2 days, the first 1.'],
  [132, 66, 'Each bar is 2 days.'],
  [366, 53, 'Each bar is 7 days, the first 2.'],
])('%i days are %i bars', (number, expected, words) => {
  const bars = barsOf(days(number))
  expect(bars).toHaveLength(expected)
  expect(aboutBars(bars)).toBe(words)
  expect(bars.flatMap(everyDay)).toEqual(days(number).map(({ day }) => day))
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe((number * (number + 1)) / 2)
})

test('at most five bars are named', () => {
  for (let number = 1; number <= 66; number++) expect(Math.ceil(number / namingStep(number))).toBeLessThan(6)
})
