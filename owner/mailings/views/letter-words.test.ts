import { expect, test } from 'vitest'
import { stateWords } from './letter-words.ts'

const letter = { state: 'done', startsAt: 0, pausedWhy: null, sent: 0, failed: 0 } as const

test.each([
  ['was sent', { sent: 2 }],
  ['was sent', { failed: 1 }],
  ['had nobody left to go to', {}],
  ['was cancelled', { state: 'cancelled' }],
  ['is going out', { state: 'sending' }],
  ['is paused', { state: 'paused' }],
  ['has paused: 3 of 40 came back', { state: 'paused', pausedWhy: '3 of 40 came back' }],
] as const)('a letter %s: %j', (words, changed) => {
  expect(stateWords({ ...letter, ...changed })).toBe(words)
})
