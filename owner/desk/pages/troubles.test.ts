import { expect, test } from 'vitest'
import type { Today } from '../contract.ts'
import { share, spanOf } from './format.ts'
import { troublesOf } from './troubles.ts'

const reason = {
  code: 'smtp 535 to AUTH',
  words: 'The mail server refuses our password.',
  advice: '',
  helps: 'owner',
}
const at = Date.UTC(2026, 0, 2)
const stuck = { kind: 'stuck', since: at - 42 * 60_000, reason }

/** The fields that troublesOf reads. */
function today(changes: object): Today {
  const well = {
    at,
    mail: { trouble: null },
    waiting: { count: 0 },
    disk: null,
    announcement: null,
    alarms: [],
  }
  return { ...well, ...changes } as unknown as Today // the other fields are not read
}

test('a day without troubles has none', () => {
  expect(troublesOf(today({}))).toEqual([])
})

test('mail comes before the disk, the disk before a paused announcement, alarms last', () => {
  const all = today({
    mail: { trouble: stuck },
    waiting: { count: 214 },
    disk: { freeBytes: 3e8, isLow: true },
    announcement: { version: '1.2.0', state: 'paused-automatically' },
    alarms: [{ kind: 'no-sign-ups', since: '2026-01-01', usual: 12 }],
  })
  const headings = [
    'Mail is stuck.',
    'The disk is nearly full.',
    'The announcement of 1.2.0 has paused automatically.',
    'There are no sign-ups.',
  ]
  expect(troublesOf(all).map(({ heading }) => heading)).toEqual(headings)
})

test('stuck mail is shown with its time, its reason, how many wait, and what is safe', () => {
  const [trouble] = troublesOf(today({ mail: { trouble: stuck }, waiting: { count: 214 } }))
  expect(trouble?.text).toBe(
    'None has gone out for 42 minutes. The mail server refuses our password. 214 people wait. Nothing is lost, and sign-ups are still taken.',
  )
})

test.each([
  [417, 419, 0, '>99 %'],
  [419, 419, 1, '100 %'],
  [0, 419, 1, '0 %'],
  [5, 0, 0, '–'],
  [6, 5, 0, '–'],
  [1, 419, 0, '<1 %'],
  [419, 4812, 1, '8.7 %'],
])('%i of %i with %i digits are %s', (part, all, digits, percent) => {
  expect(share(part, all, digits)).toBe(percent)
})

test.each([
  [20_000, '1 minute'],
  [42 * 60_000, '42 minutes'],
  [3 * 3_600_000, '3 hours'],
  [49 * 3_600_000, '2 days'],
])('%i ms are %s', (ms, span) => {
  expect(spanOf(ms)).toBe(span)
})
