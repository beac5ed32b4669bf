import { expect, test } from 'vitest'
import { firstRelease } from './announcement-consent.ts'

const releases = [
  { version: '1.2.0', date: '2026-12-31', changes: [] },
  { version: '1.1.0', date: '2026-11-22', changes: [] },
  { version: '1.0.0', date: '2026-11-21', changes: [] },
]

test.each([
  ['2026-11-21T23:59:59.999Z', '1.0.0'],
  ['2026-11-22T00:00:00Z', '1.1.0'],
  ['2026-12-30T12:00:00Z', '1.1.0'],
  ['2026-12-31T00:00:00Z', '1.2.0'],
  ['2026-01-01T00:00:00Z', '1.0.0'],
])('who signed up at %s came with version %s', (time, version) => {
  expect(firstRelease(releases, Date.parse(time))?.version).toBe(version)
})

test('without releases nobody came with a version', () => {
  expect(firstRelease([], 0)).toBeUndefined()
})
