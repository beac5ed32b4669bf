import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { countInBars, signUpsInTime } from './bars.ts'
import { periodsOf } from './statistics.ts'

const dayMs = 24 * 60 * 60_000
const now = Date.UTC(2026, 10, 28, 12)

test.each([
  { days: 7, span: 1, bars: 7 },
  { days: 28, span: 1, bars: 28 },
  { days: 90, span: 7, bars: 13 },
  { days: 365, span: 14, bars: 27 },
])('$days days are $bars bars of $span days, and the newest ends today', async (expected) => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const { period } = periodsOf(expected.days, now)
  const at = { firstDay: now - 500 * dayMs, period, now }
  const { bars } = await signUpsInTime(database, [], at)
  expect(bars).toMatchObject({ unit: 'days', span: expected.span })
  expect(bars?.starts).toHaveLength(expected.bars)
  expect(bars!.starts.at(-1)! + expected.span * dayMs).toBe(Date.UTC(2026, 10, 29))
})

test('a count is in the bar of its time, and one from before the first bar in none', () => {
  const bars = { unit: 'days' as const, span: 7, starts: [7 * dayMs, 14 * dayMs] }
  const counts = [6, 7, 13, 14, 20, 21].map((day) => ({
    at: day * dayMs,
    name: `${day}`,
    count: 1,
  }))
  expect(countInBars(bars, counts)).toEqual([2, 2])
  expect(countInBars(bars, counts, '13')).toEqual([1, 0])
})
