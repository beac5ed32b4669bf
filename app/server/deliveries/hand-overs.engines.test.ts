import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import type { Database } from '../database/database.ts'
import {
  countHandOver,
  dropOldMinutes,
  forgetFutureMinutes,
  handOversOfHour,
  readHourOfMail,
} from './hand-overs.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The beginning of a minute. */
const noon = Date.UTC(2026, 5, 1, 12)

test('the hour counts every mail that was handed over', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon, 4)
  expect(await countOfHour(database, noon)).toBe(4)
})

test('a mail counts until its whole minute is more than an hour ago, and cleaning keeps it until then', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon + 30_000)
  const lastCounted = noon + hourMs + minuteMs - 1
  await database.transaction((transaction) => dropOldMinutes(transaction, lastCounted))
  expect(await countOfHour(database, lastCounted)).toBe(1)
  expect(await countOfHour(database, lastCounted + 1)).toBe(0)
  await database.transaction((transaction) => dropOldMinutes(transaction, lastCounted + 1))
  expect(await database.rows(sql`select mails from mail_minutes`)).toEqual([])
})

test('what was counted while the clock was ahead is forgotten, and the minute to come is not', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon + minuteMs, 2)
  await handOver(database, noon + 2 * minuteMs, 3)
  await database.transaction((transaction) => transaction.run(forgetFutureMinutes(noon)))
  expect(await database.rows(sql`select mails from mail_minutes`)).toEqual([{ mails: 2 }])
})

test('below the limit there is room now', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon, 2)
  expect(await readHourOfMail(database, noon, 3)).toEqual({ used: 2, roomAt: noon })
})

test('at the limit there is room once the oldest minute has left the hour', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon, 2)
  await handOver(database, noon + 10 * minuteMs, 2)
  const now = noon + 20 * minuteMs
  expect(await readHourOfMail(database, now, 4)).toEqual({
    used: 4,
    roomAt: noon + minuteMs + hourMs,
  })
})

test('above the limit there is room once enough minutes have left the hour', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon, 2)
  await handOver(database, noon + 10 * minuteMs, 2)
  const now = noon + 20 * minuteMs
  expect(await readHourOfMail(database, now, 2)).toEqual({
    used: 4,
    roomAt: noon + 11 * minuteMs + hourMs,
  })
})

async function handOver(database: Database, now: number, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await database.transaction((transaction) => countHandOver(transaction, now))
  }
}

async function countOfHour(database: Database, now: number): Promise<number | undefined> {
  const row = await database.row<{ mails: number }>(sql`select ${handOversOfHour(now)} as mails`)
  return row?.mails
}
