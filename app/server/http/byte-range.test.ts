import { expect, test } from 'vitest'
import { readByteRange } from './byte-range.ts'

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=3-', { first: 3, last: 9 }],
  ['bytes=3-99', { first: 3, last: 9 }],
  ['bytes=-4', { first: 6, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
  ['Bytes= 1-2', { first: 1, last: 2 }],
])('of ten bytes, %s is a part', (header, range) => {
  expect(readByteRange(header, 10)).toEqual(range)
})

test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0', 'bytes=99999999999999999999-'])(
  'of ten bytes, %s is none there is',
  (header) => {
    expect(readByteRange(header, 10)).toBe('unsatisfiable')
  },
)

test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=5-2',
  'bytes=a-b',
  'bytes=1-2,4-5',
  'lines=1-2',
  'bytes=1.5-2',
])('%s asks for the whole', (header) => {
  expect(readByteRange(header, 10)).toBeUndefined()
})
