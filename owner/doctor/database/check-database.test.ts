import { readFileSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'
import { openOwnerTerminal, ownerNow, subscribe } from '#rigs/owner/owner-terminal.ts'
import { addPendingScrub } from '#server/subscribers/erase-subscribers.ts'
import { addDailyCounts, dayOf } from '#server/statistics/daily-counts.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const atOwnerNow = { now: () => ownerNow }
const minuteMs = 60_000

async function subscribedTo(outcome: 'queued' | 'failed' | 'sent', due_at = ownerNow) {
  const { database, url } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com', outcome)
  await database.query.updateTable('deliveries').set({ due_at, queued_at: due_at }).execute()
  const ask = (outside = atOwnerNow) => askDoctor({ environment: { DATABASE_URL: url }, outside })
  return { database, ask }
}

test('stuck mail is wrong, mail that was just queued is not', async () => {
  expect((await (await subscribedTo('queued')).ask()).said('database.stuck-mail')).toBe(
    'ok No mail is stuck.',
  )
  const { said, code } = await (await subscribedTo('queued', ownerNow - 6 * minuteMs)).ask()
  expect(said('database.stuck-mail')).toBe('wrong Mail has been waiting for 6 minutes.')
  expect(code).toBe(1)
})

test('a database of a newer version is a finding to look at', async () => {
  const { database, ask } = await subscribedTo('sent')
  await sql`insert into migrations values ('9999-later')`.execute(database.query)
  const said = (await ask()).said('database.answers')
  await sql`delete from migrations where name = '9999-later'`.execute(database.query)
  expect(said).toMatch(/^look .* is of a newer version of this program\.$/)
})

test('mail that goes out late is a finding to look at', async () => {
  const { database, ask } = await subscribedTo('queued', ownerNow - 40 * minuteMs)
  const value = JSON.stringify({ left: 0, movedAt: ownerNow - minuteMs })
  await database.query.insertInto('settings').values({ name: 'mail-flow', value }).execute()
  expect((await ask()).said('database.stuck-mail')).toBe(
    'look Mail goes out, but some has been due for 40 minutes.',
  )
})

test('deliveries that could not be recorded at once are a finding to look at', async () => {
  const { database, ask } = await subscribedTo('sent')
  expect((await ask()).said('database.recording')).toMatch(/^ok /)
  const day = dayOf(ownerNow)
  await addDailyCounts(database.query, [{ day, event: 'record-failed', detail: '', count: 3 }])
  expect((await ask()).said('database.recording')).toBe(
    'look Since yesterday 3 tries to record a delivery failed.',
  )
})

test('traces of an erasure are a finding to look at once they are over an hour old', async () => {
  const { database, ask } = await subscribedTo('sent')
  const { name } = await addPendingScrub(database.query, ownerNow - 60 * minuteMs)
  expect((await ask()).said('database.traces')).toMatch(/^ok /)
  await database.query
    .updateTable('settings')
    .set({ value: String(ownerNow - 61 * minuteMs) })
    .where('name', '=', name)
    .execute()
  const { said, code } = await ask()
  expect(said('database.traces')).toBe(
    'look Traces of erased subscribers have been left in the database files for 61 minutes.',
  )
  expect(code).toBe(0)
})

test('failed deliveries are a finding to look at, by reason', async () => {
  const { said } = await (await subscribedTo('failed')).ask()
  expect(said('database.failures')).toBe('look 1 delivery of the last 24 hours failed: smtp 550 to RCPT TO.')
})

test('a delivery that failed after a day of retries counts from its last try', async () => {
  const { database, ask } = await subscribedTo('failed')
  const { query } = database
  await query
    .updateTable('deliveries')
    .set({ queued_at: ownerNow - 33 * 60 * minuteMs })
    .execute()
  for (let index = 0; index < 20; index++) {
    const id = await subscribe(database, `visitor-${index}@example.com`)
    const last_fault = `smtp 4${Math.floor(index / 2)}`
    await query.updateTable('deliveries').set({ last_fault }).where('id', '=', id).execute()
  }
  const { said } = await ask()
  expect(said('database.failures')).toBe('look 1 delivery of the last 24 hours failed: smtp 550 to RCPT TO.')
  await query
    .updateTable('deliveries')
    .set({ finished_at: ownerNow - 25 * 60 * minuteMs })
    .where('state', '=', 'failed')
    .execute()
  expect((await ask()).said('database.failures')).toBe('ok No delivery failed in the last 24 hours.')
})

test('a delivery from the future means that clocks differ', async () => {
  const { ask } = await subscribedTo('sent')
  expect((await ask()).said('database.times')).toMatch(/^ok /)
  const { said } = await ask({ now: () => ownerNow - minuteMs })
  expect(said('database.times')).toMatch(/^wrong The newest delivery is dated 60 s ahead/)
})

test.skipIf(testsRunOnPostgres)('a file that is not our database is wrong (SQLite has files)', async () => {
  const file = join(temporaryFolder(), 'notes.db')
  writeFileSync(file, 'no database at all, but long enough to be taken for one'.repeat(100))
  const { said, code } = await askDoctor({ environment: { DATABASE_URL: `file:${file}` } })
  expect(said('database.integrity')).toBe(
    'wrong The database file cannot be used: it is not a SQLite database.',
  )
  expect(said('database.disk')).toMatch(/MB are free beside the database/)
  expect(code).toBe(1)
})

test.skipIf(testsRunOnPostgres)(
  'room for less than two copies of the file is worth a look (SQLite has files)',
  async () => {
    const file = join(temporaryFolder(), 'notes.db')
    writeFileSync(file, 'no database at all')
    const { bavail, bsize } = statfsSync(file)
    truncateSync(file, bavail * bsize) // a hole, which takes no room
    const { said } = await askDoctor({ environment: { DATABASE_URL: `file:${file}` } })
    expect(said('database.disk')).toMatch(/^look [\d,]+ MB are free beside the database/)
  },
)

test.skipIf(testsRunOnPostgres)('a damaged file is wrong, with advice (SQLite has files)', async () => {
  const { file = '', database } = await openOwnerTerminal()
  await sql`pragma wal_checkpoint(truncate)`.execute(database.query)
  const bytes = readFileSync(file)
  const damaged = join(temporaryFolder(), 'damaged.db')
  writeFileSync(damaged, bytes.fill(0xff, 2 * 4096))
  const { of } = await askDoctor({ environment: { DATABASE_URL: `file:${damaged}` } })
  expect(of('database.integrity')).toMatchObject([{ state: 'wrong', advice: 'Restore the newest backup.' }])
})

test.skipIf(testsRunOnPostgres)('an unreadable file is not called damaged (SQLite has files)', async () => {
  const { of } = await askDoctor({ environment: { DATABASE_URL: `file:${temporaryFolder()}` } })
  expect(of('database.integrity')).toEqual([])
  expect(of('database.answers')).toMatchObject([
    {
      state: 'wrong',
      what: expect.stringMatching(/^The database reports an error: /),
      advice: expect.stringMatching(/^Check the path in DATABASE_URL and that this user may read /),
    },
  ])
})

test('a database server that does not answer is wrong, and its password is not shown', async () => {
  const { findings, said } = await askDoctor({
    environment: { DATABASE_URL: 'postgres://user:secret@127.0.0.1:2/db' },
  })
  expect(said('database.answers')).toMatch(/^wrong .*ECONNREFUSED/)
  expect(JSON.stringify(findings)).not.toContain('secret')
})
