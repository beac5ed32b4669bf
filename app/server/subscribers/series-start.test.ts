import { expect, test } from 'vitest'
import { seriesStart } from './series-start.ts'

test.each([
  ['2026-03-01T10:05Z', '2026-03-01T10:00Z', '2026-03-01T10:00Z'],
  ['2026-03-05T10:05Z', '2026-03-01T08:00Z', '2026-03-05T08:00Z'],
  ['2026-03-05T23:00Z', '2026-03-01T01:00Z', '2026-03-06T01:00Z'],
  ['2026-03-05T01:00Z', '2026-03-01T23:00Z', '2026-03-04T23:00Z'],
  ['2026-03-05T13:00Z', '2026-03-01T01:00Z', '2026-03-06T01:00Z'],
  ['2026-03-01T10:00Z', '2026-03-09T09:00Z', '2026-03-01T09:00Z'],
])(
  'whoever agreed at %s and signed up at %s is in the series from %s',
  (agreed, signedUp, from) => {
    expect(seriesStart(Date.parse(agreed), Date.parse(signedUp))).toBe(Date.parse(from))
  },
)
