import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeTemporaryDatabase, testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { keepTemplate } from '../deliveries/mail-templates.ts'
import { readDailyCounts } from '../statistics/daily-counts.ts'
import { type Database, isDatabaseFault } from './database.ts'
import { migrate, openDatabase } from './open-database.ts'

const firstMigration = '0001-first'
const lastMs = Date.UTC(2025, 11, 31, 23, 59, 59, 999)
const newYear = lastMs + 1

test('a server that starts on the database of a newer version warns of it', async () => {
  const { database, databaseUrl, log } = await testApp()
  const warning = 'the database is of a newer version of this program'
  await sql`insert into migrations values ('9999-later')`.execute(database.query)
  const older = await testApp({ databaseUrl })
  await expect.poll(older.log).toContain(warning)
  expect(log()).not.toContain(warning)
  await sql`delete from migrations where name = '9999-later'`.execute(database.query)
})

test('migrating an older database fills the daily counts from its rows', async () => {
  const database = await openAsOfBefore()
  await addSubscriber(database, 'ada@example.com', lastMs, { state: 'sent', finished_at: newYear })
  await addSubscriber(database, 'bob@example.com', newYear, { state: 'failed', finished_at: newYear })
  await addSubscriber(database, 'cleo@example.com', newYear, { state: 'sent', finished_at: newYear })
  await addSubscriber(database, 'dan@example.com', newYear, { state: 'queued', finished_at: null })
  await addSubscriber(database, 'eve@example.com', newYear, { state: 'cancelled', finished_at: newYear })
  await migrate(database)
  const counts = await readDailyCounts(database.query, '')
  expect(counts.map(({ day, event, detail, count }) => [day, event, detail, count])).toEqual([
    ['2025-12-31', 'signed-up', 'unknown', 1],
    ['2026-01-01', 'delivered', '', 2],
    ['2026-01-01', 'failed', '', 1],
    ['2026-01-01', 'signed-up', 'unknown', 4],
  ])
})

test('the daily counts are filled once, however often a server starts', async () => {
  const database = await openAsOfBefore()
  await addSubscriber(database, 'ada@example.com', newYear, { state: 'sent', finished_at: newYear })
  await migrate(database)
  await migrate(database)
  const counts = await readDailyCounts(database.query, '')
  expect(counts.map(({ event, count }) => [event, count])).toEqual([
    ['delivered', 1],
    ['signed-up', 1],
  ])
})

/** With the tables of the first migration and no others. */
async function openAsOfBefore(): Promise<Database> {
  const { url, remove } = await makeTemporaryDatabase()
  onTestFinished(remove)
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  if (testsRunOnPostgres) await database.runScript('drop schema public cascade; create schema public')
  const script = readFileSync(
    join(import.meta.dirname, 'migrations', firstMigration, `${database.engine}.sql`),
    'utf8',
  )
  await database.runScript(
    `${script}; create table migrations (name text primary key); insert into migrations values ('${firstMigration}')`,
  )
  return database
}

async function addSubscriber(
  { query }: Database,
  email: string,
  signedUpAt: number,
  delivery: { state: 'queued' | 'sent' | 'failed' | 'cancelled'; finished_at: number | null },
): Promise<void> {
  const template = await keepTemplate(query, {
    subject: 's',
    html: 'h',
    text: 't',
    from: 'a@b.co',
    replyTo: 'a@b.co',
    publicUrl: 'https://b.co',
  })
  const { id } = await query
    .insertInto('subscribers')
    .values({ identity: email, address: email, state: 'active', signed_up_at: signedUpAt, last_mailed_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await query
    .insertInto('deliveries')
    .values({ ...delivery, subscriber: id, message_id: `<${email}>`, template, due_at: 0, queued_at: 0 })
    .execute()
}

describe.skipIf(!testsRunOnPostgres)('a PostgreSQL with several servers in its URL', () => {
  test('is reached while the first of them is away', async () => {
    const database = await openWith((host) => `/away,${host}`)
    await migrate(database)
    expect((await sql<{ one: number }>`select 1 as one`.execute(database.query)).rows).toEqual([{ one: 1 }])
  })

  test('is not written to while each of them is a standby, and that counts as an error of the database', async () => {
    const database = await openWith(
      (host) => `${host},${host}`,
      '&options=-c default_transaction_read_only=on',
    )
    const asked = sql`select 1`.execute(database.query)
    await expect(asked).rejects.toSatisfy(isDatabaseFault)
    await expect(asked).rejects.toThrow('standby')
  })
})

async function openWith(hosts: (host: string) => string, more = '') {
  const { url, remove } = await makeTemporaryDatabase()
  onTestFinished(remove)
  const host = new URL(url).searchParams.get('host')!
  const database = await openDatabase(url.replace(/host=.*/, `host=${hosts(host)}${more}`))
  onTestFinished(() => database.close())
  return database
}
