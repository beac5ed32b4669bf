import { expect, test } from 'vitest'
import { describeRest } from './mail-lists.ts'

test('a list of 200 of 12,000 waiting mails does not promise to unfold 12,000', () => {
  expect(describeRest({ folded: 195, listed: 200, waiting: 12_000 })).toBe(
    'The 200 that have waited longest, of 12,000',
  )
})

test('a list of all waiting mail says how many more a press unfolds', () => {
  expect(describeRest({ folded: 12, listed: 17, waiting: 17 })).toBe('12 more')
})
