import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { clockToleranceMs } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { dropEndedLimits } from '../database/limit-windows.ts'
import { countHandOver, type CountedMails, handOversOfHour, readHourOfMail } from './hand-overs.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The beginning of a minute. */
const noon = Date.UTC(2026, 5, 1, 12)

test('the hour counts all mail, and beside it the mail above priority 0', async () => {
  const { database } = await temporaryDatabase()
  for (const priority of [0, 0, 1, 9]) await handOver(database, noon, { priority })
  expect(await countOfHour(database, 'mails', noon)).toBe(4)
  expect(await countOfHour(database, 'mails-above-0', noon)).toBe(2)
})

test('a mail counts until its whole minute is more than an hour ago', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon + 30_000)
  const lastCounted = noon + hourMs + minuteMs - 1
  expect(await countOfHour(database, 'mails', lastCounted)).toBe(1)
  expect(await countOfHour(database, 'mails', lastCounted + 1)).toBe(0)
})

test('cleaning keeps a minute that still counts', async () => {
  const { database } = await temporaryDatabase()
  for (const priority of [0, 9]) await handOver(database, noon, { priority })
  const lastCounted = noon + hourMs + minuteMs - 1
  await dropEndedLimits(database, lastCounted)
  expect(await countOfHour(database, 'mails', lastCounted)).toBe(2)
  expect(await countOfHour(database, 'mails-above-0', lastCounted)).toBe(1)
})

test('what a clock counted that was further ahead than tolerated is left out', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon + clockToleranceMs)
  await handOver(database, noon + clockToleranceMs + minuteMs)
  expect(await countOfHour(database, 'mails', noon)).toBe(1)
})

test('below the limit there is room now', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon, { times: 2 })
  expect(await readHourOfMail(database, noon, 3)).toEqual({ used: 2, roomAt: noon })
})

test('at the limit there is room once the oldest minute has left the hour', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon, { times: 2 })
  await handOver(database, noon + 10 * minuteMs, { times: 2 })
  const now = noon + 20 * minuteMs
  expect(await readHourOfMail(database, now, 4)).toEqual({
    used: 4,
    roomAt: noon + minuteMs + hourMs,
  })
})

test('above the limit there is room once enough minutes have left the hour', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon, { times: 2 })
  await handOver(database, noon + 10 * minuteMs, { times: 2 })
  const now = noon + 20 * minuteMs
  expect(await readHourOfMail(database, now, 2)).toEqual({
    used: 4,
    roomAt: noon + 11 * minuteMs + hourMs,
  })
})

test('the room of the hour is that of all mail, whatever its priority', async () => {
  const { database } = await temporaryDatabase()
  await handOver(database, noon, { priority: 9, times: 3 })
  expect(await readHourOfMail(database, noon, 10)).toMatchObject({ used: 3 })
})

async function handOver(
  database: Database,
  now: number,
  { priority = 0, times = 1 }: { priority?: number; times?: number } = {},
): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await database.transaction((transaction) => countHandOver(transaction, priority, now))
  }
}

async function countOfHour(
  database: Database,
  counted: CountedMails,
  now: number,
): Promise<number | undefined> {
  const row = await database.row<{ mails: number }>(
    sql`select ${handOversOfHour(counted, now)} as mails`,
  )
  return row?.mails
}
