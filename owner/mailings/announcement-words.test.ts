import { expect, test } from 'vitest'
import { isUnderWay, shownState } from './announcement-words.ts'

test.each([
  { state: 'running', pausedWhy: null, shown: 'running' },
  { state: 'paused', pausedWhy: null, shown: 'paused' },
  { state: 'paused', pausedWhy: '4 of the last 60 came back', shown: 'paused-automatically' },
  { state: 'done', pausedWhy: 'ended by a restore', shown: 'done' },
] as const)('$state, paused because of $pausedWhy, is shown as $shown', (announcement) => {
  expect(shownState(announcement)).toBe(announcement.shown)
})

test.each(['starting', 'running', 'paused', 'paused-automatically'] as const)(
  'an announcement that is %s is under way',
  (state) => {
    expect(isUnderWay({ state })).toBe(true)
  },
)

test.each(['done', 'cancelled'] as const)('an announcement that is %s is not', (state) => {
  expect(isUnderWay({ state })).toBe(false)
})
