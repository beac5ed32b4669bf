import { expect, test } from 'vitest'
import { filterOf, peoplePicks } from './people-picks.ts'

const everyone = { text: '', who: 'everyone', days: '', campaign: '' } as const
const now = Date.UTC(2026, 0, 12, 7)

test.each([
  ['everyone', undefined, false],
  ['active', 'active', false],
  ['wants-news', 'active', true],
  ['blocked', 'blocked', false],
] as const)('of the choice %s people in the state %s are found', (who, state, isConsented) => {
  expect(filterOf({ ...everyone, who }, now)).toMatchObject({ state, isConsented })
})

test.each([
  ['', undefined],
  ['7', Date.UTC(2026, 0, 6)],
  ['28', Date.UTC(2025, 11, 16)],
] as const)('the last %j days begin with a whole day, and today is one of them', (days, since) => {
  expect(filterOf({ ...everyone, days }, now).since).toBe(since)
})

test('without a choice any campaign and any day count', () => {
  expect(filterOf(peoplePicks.parse(everyone), now)).toMatchObject({
    campaign: undefined,
    since: undefined,
    text: '',
  })
  expect(filterOf({ ...everyone, campaign: 'none' }, now).campaign).toBe('none')
})
