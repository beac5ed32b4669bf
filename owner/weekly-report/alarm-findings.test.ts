import { expect, test } from 'vitest'
import { dayOf } from '#server/statistics/daily-counts.ts'
import { findUnusualSignUps } from './alarm-findings.ts'

const weeks = (number: number, week: readonly number[]) => Array.from({ length: number }, () => week).flat()
const steady = weeks(4, [40, 44, 36, 41, 39, 43, 38])
const withSundays = weeks(4, [60, 63, 58, 61, 60, 30, 9])
const lively = weeks(4, [20, 60, 40, 10, 70, 30, 50])
const small = weeks(4, [3, 2, 4, 3, 1, 3, 2])

test.each([
  ['a day like the others', [...steady, 41], undefined],
  ['a day at the upper edge', [...steady, 60], undefined],
  ['a flood', [...steady, 61], { kind: 'many-sign-ups', count: 61, low: 22, high: 60 }],
  ['a day at the lower edge', [...steady, 22], undefined],
  ['hardly anybody', [...steady, 21], { kind: 'few-sign-ups', count: 21, low: 22, high: 60 }],
  ['nobody at all', [...steady, 0], { kind: 'no-sign-ups', usual: 40 }],
  ['a Sunday as quiet as all of them', [...withSundays, ...withSundays.slice(0, 6), 9], undefined],
  ['a Monday as quiet as a Sunday', [...withSundays, 9], { kind: 'few-sign-ups', count: 9 }],
  ['a flood, although there was one three weeks ago', [...steady.with(3, 900), 900], 'many-sign-ups'],
  ['a strong day of a site whose days differ much', [...lively, 110], undefined],
  ['a flood there', [...lively, 140], { kind: 'many-sign-ups' }],
  [
    'what was usual before the 28 days',
    [...weeks(3, steady), ...weeks(28, [10]), 40],
    { kind: 'many-sign-ups' },
  ],
  ['20 more than usual on a small site', [...small, 23], undefined],
  ['more than that', [...small, 24], { kind: 'many-sign-ups', count: 24, low: 0 }],
  ['a quiet day of a small site', [...small, 0], undefined],
  ['four of them, when about ten were to be expected', [...small, 0, 0, 0, 0], { kind: 'no-sign-ups' }],
  ['a site on which nobody signs up anyway', weeks(7, [0, 0, 0, 0, 0, 0, 0]), undefined],
  ['a flood on the 14th day, with too little history', [...steady.slice(0, 13), 500], undefined],
  ['a flood on the 15th', [...steady.slice(0, 14), 500], { kind: 'many-sign-ups', count: 500 }],
  ['the first day', [500], undefined],
  ['no day at all', [], undefined],
])('%s', (_what, counts, found) => {
  const unusual = findUnusualSignUps(
    counts.map((count, index) => ({ day: dayOf(Date.UTC(2026, 0, 5 + index)), count })),
  )
  if (found === undefined) expect(unusual).toBeUndefined()
  else expect(unusual).toMatchObject(typeof found === 'string' ? { kind: found } : found)
})
