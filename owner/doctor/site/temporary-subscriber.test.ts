import { expect, test } from 'vitest'
import { openTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import type { Database } from '#server/database/database.ts'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { readErasedCount } from '#server/subscribers/erase-subscribers.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { eraseLeftBehind, withTemporarySubscriber } from './temporary-subscriber.ts'

const start = Date.UTC(2026, 0, 1)
const minuteMs = 60_000

test('maintenance erases the temporary subscriber of a killed doctor, nobody else, and counts nobody', async () => {
  const database = await openTemporaryDatabase()
  await signUp(database, 'ada@example.com')
  const { promise: isThere, resolve } = Promise.withResolvers<void>()
  void withTemporarySubscriber(database, start, 'files', () => (resolve(), new Promise<never>(() => {})))
  await isThere
  await eraseLeftBehind(database.query, start + 5 * minuteMs) // the doctor may still be at work
  expect(await addresses(database)).toHaveLength(2)
  await eraseLeftBehind(database.query, start + 60 * minuteMs)
  expect(await addresses(database)).toEqual(['ada@example.com'])
  expect(await readErasedCount(database.query)).toBe(0)
  expect(await readDailyCounts(database.query, '')).toEqual([])
})

test('a doctor does not take the temporary subscriber of another doctor', async () => {
  const database = await openTemporaryDatabase()
  await withTemporarySubscriber(database, start, 'files', async () => {
    const second = withTemporarySubscriber(database, start, 'files', async () => {})
    await expect(second).rejects.toThrow('Another doctor tries the links now')
    expect(await addresses(database)).toEqual(['files@doctor.invalid'])
  })
  expect(await addresses(database)).toEqual([])
})

async function signUp(database: Database, email: string): Promise<void> {
  await enrol(database.query, [{ identity: email, address: email, abuse_key: null }], start)
}

async function addresses({ query }: Database): Promise<string[]> {
  const rows = await query.selectFrom('subscribers').select('address').orderBy('address').execute()
  return rows.map(({ address }) => address)
}
