import { expect, test } from 'vitest'
import { isCheapToParse } from './json-cost.ts'

const nested = (depth: number, value = '1') => '['.repeat(depth) + value + ']'.repeat(depth)

test.each([
  ['ten deep', nested(10)],
  ['objects and lists', `{"a":${nested(8, '{"b":1}')}}`],
  ['brackets in a text', JSON.stringify('['.repeat(1_000))],
  [
    'quotes and backslashes in a text',
    JSON.stringify({ a: '\\"[[[[[[[[[[[\\', b: '\\\\[[[[[[[[[[[' }),
  ],
  ['many neighbours', JSON.stringify(Array.from({ length: 1_000 }, () => [[1], { a: 'b' }]))],
  ['a large text', JSON.stringify('x'.repeat(1_000_000))],
  ['a text that nothing closes, which the parser refuses', '{"a'],
])('%s is taken', (_, json) => {
  expect(isCheapToParse(json)).toBe(true)
})

test.each([
  ['eleven deep', nested(11)],
  ['objects eleven deep', '{"a":'.repeat(11)],
  ['millions deep', '['.repeat(4_000_000)],
  ['deep behind a text that ends in a backslash', `["\\\\",${nested(10)}]`],
  ['millions of numbers', `[${'0,'.repeat(2_000_000)}0]`],
  ['millions of empty objects', '{}'.repeat(1_000_000)],
])('%s is refused', (_, json) => {
  expect(isCheapToParse(json)).toBe(false)
})

test('a text of backslashes is looked through once', () => {
  expect(isCheapToParse(`["${'\\'.repeat(2_000_000)}"]`)).toBe(true)
})
