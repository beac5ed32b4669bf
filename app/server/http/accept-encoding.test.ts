import { expect, test } from 'vitest'
import { chooseCoding } from './accept-encoding.ts'
import type { Coding } from './compress.ts'

const all = new Map<Coding, true>([
  ['gzip', true],
  ['zstd', true],
  ['br', true],
])

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['zstd, gzip', 'zstd'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'zstd'],
  ['*', 'br'],
  ['gzip ; q=0.3', 'gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
])('%s gets %s', (header, coding) => {
  expect(chooseCoding(header, all)).toBe(coding)
})

test.each([
  undefined,
  '',
  'identity',
  'deflate',
  'gzip;q=0',
  'br;q=0, gzip;q=0.0, zstd;q=0.000',
  '*;q=0',
  'identity, gzip;q=0.5',
  'gzip;q=nonsense',
  ',;,',
])('%s gets the bytes as they are', (header) => {
  expect(chooseCoding(header, all)).toBeUndefined()
})

test('a coding that is not at hand is passed over', () => {
  expect(chooseCoding('br, gzip', new Map([['gzip', true]]))).toBe('gzip')
  expect(chooseCoding('br', new Map())).toBeUndefined()
})
