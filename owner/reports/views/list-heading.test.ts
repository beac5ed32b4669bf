import { expect, test } from 'vitest'
import { headingOfList } from './list-heading.ts'

test.each([
  [0, 0, 'Nobody is on your list yet'],
  [1, 0, '1 person on your list'],
  [1, 1, '1 person, 1 wants to hear more'],
  [12_345, 12, '12,345 people, 12 want to hear more'],
])('%i on the list, of whom %i want news: %s', (active, wantNews, heading) => {
  expect(headingOfList({ active, wantNews })).toBe(heading)
})
