import { expect, test } from 'vitest'
import { fill } from './fill.ts'

test('each name gets its value, wherever and however often it stands', () => {
  expect(fill('{a} and {b}, {a}', { a: 'one', b: 'two' })).toBe('one and two, one')
})

test('a value is put in as it is, with braces and dollar signs', () => {
  expect(fill('[{a}]', { a: '{b} $& $1' })).toBe('[{b} $& $1]')
})

test('a name without a value stops the build, and is named with its text', () => {
  expect(() => fill('On since {dya}.', { day: 'today' })).toThrow(
    'There is no value for {dya} in "On since {dya}."',
  )
})

test('names of TradingView, and braces that hold no name, stay as they are', () => {
  const text = '{{ticker}} {{strategy.order.price}} { x } {} {"a": 1}'
  expect(fill(text, { ticker: 'wrong' })).toBe(text)
})
