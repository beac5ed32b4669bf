import { expect, test } from 'vitest'
import { openTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import { addDailyCounts, type DailyCount, dayOf, readDailyCounts } from './daily-counts.ts'

function signedUp(day: string, count: number, detail = 'hero'): DailyCount {
  return { day, event: 'signed-up', detail, count }
}

test('counts add up by day, event and detail', async () => {
  const { query } = await openTemporaryDatabase()
  await addDailyCounts(query, [signedUp('2026-01-05', 2), signedUp('2026-01-05', 1, 'closing')])
  await addDailyCounts(query, [signedUp('2026-01-06', 4), signedUp('2026-01-05', 3)])
  await addDailyCounts(query, [])
  expect(await readDailyCounts(query, '2026-01-05')).toEqual([
    signedUp('2026-01-05', 1, 'closing'),
    signedUp('2026-01-05', 5),
    signedUp('2026-01-06', 4),
  ])
  expect(await readDailyCounts(query, '2026-01-06')).toEqual([signedUp('2026-01-06', 4)])
})

test('a day begins and ends at midnight UTC', () => {
  const midnight = Date.UTC(2026, 0, 6)
  expect([midnight - 1, midnight].map(dayOf)).toEqual(['2026-01-05', '2026-01-06'])
})
