import { recordFlow } from '#server/deliveries/mail-state.ts'
import { readFileSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'
import { ownerNow } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { writeSetting } from '#server/database/settings.ts'

const minuteMs = 60_000

async function subscribedTo(outcome: 'queued' | 'sent', due_at = ownerNow) {
  const { database, url } = await openOwnerTerminal()
  await subscribe(database, 'ada@example.com', outcome)
  const run = (query: Sql) => database.transaction((transaction) => transaction.run(query))
  await run(sql`update deliveries set due_at = ${due_at}, queued_at = ${due_at}`)
  const ask = () =>
    askDoctor({ environment: { DATABASE_URL: url }, outside: { now: () => ownerNow } })
  return { database, ask, run }
}

test('stuck mail is wrong, mail that was just queued is not', async () => {
  const { said: fresh } = await (await subscribedTo('queued')).ask()
  expect(fresh('mail.stuck')).toBe('fine Email is being delivered.')
  const { said, code } = await (await subscribedTo('queued', ownerNow - 6 * minuteMs)).ask()
  expect(said('mail.stuck')).toBe('error Mail is stuck.')
  expect(code).toBe(1)
})

test('mail that goes out late is an error, with how late it is', async () => {
  const { database, ask } = await subscribedTo('queued', ownerNow - 40 * minuteMs)
  await database.transaction((transaction) =>
    recordFlow(transaction, { kind: 'sent', ms: 1 }, { now: ownerNow - minuteMs, nextTryMs: 0 }),
  )
  expect((await ask()).of('mail.late')).toMatchObject([
    {
      severity: 'error',
      what: 'Mail is late.',
      why: expect.stringContaining('the oldest has been due for 40 minutes.'),
    },
  ])
})

test('a database of a newer version is wrong', async () => {
  const { run, ask } = await subscribedTo('sent')
  await run(sql`insert into migrations values ('9999-later')`)
  expect((await ask()).said('database.answers')).toMatch(
    /^error The database is from a newer version of this program, which has the migration 9999-later:/,
  )
})

test('traces of an erasure are a warning once they are over an hour old', async () => {
  const { database, ask } = await subscribedTo('sent')
  const erasedBefore = (minutes: number) =>
    database.transaction((transaction) =>
      writeSetting(transaction, 'erased-uncleared', String(ownerNow - minutes * minuteMs)),
    )
  await erasedBefore(60)
  expect((await ask()).said('database.traces')).toMatch(/^fine /)
  await erasedBefore(61)
  expect((await ask()).said('database.traces')).toMatch(
    /^warning Traces of erased .* for 61 minutes\.$/,
  )
})

test('a database server that does not answer is wrong, and its password is not shown', async () => {
  const { conditions, said } = await askDoctor({
    environment: { DATABASE_URL: 'postgres://user:secret@127.0.0.1:2/db' },
  })
  expect(said('database.answers')).toBe(
    'error The database does not answer: it cannot be reached (ECONNREFUSED).',
  )
  expect(JSON.stringify(conditions)).not.toContain('secret')
})

describe.skipIf(testsRunOnPostgres)('the files of SQLite', () => {
  test('a file that is not our database is wrong', async () => {
    const file = join(temporaryFolder(), 'notes.db')
    writeFileSync(file, 'no database at all, but long enough to be taken for one'.repeat(100))
    const { said, code } = await askDoctor({ environment: { DATABASE_URL: `file:${file}` } })
    expect(said('database.integrity')).toBe(
      'error The database file cannot be used: it is not a SQLite database.',
    )
    expect(code).toBe(1)
  })

  test('a damaged file is wrong, with advice', async () => {
    const { file = '', database } = await openOwnerTerminal()
    await database.clearDeleted()
    const damaged = join(temporaryFolder(), 'damaged.db')
    writeFileSync(damaged, readFileSync(file).fill(0xff, 2 * 4096))
    const { of } = await askDoctor({ environment: { DATABASE_URL: `file:${damaged}` } })
    expect(of('database.integrity')).toMatchObject([
      { severity: 'error', advice: 'Restore the newest backup.' },
    ])
  })

  test('an unreadable file is not called damaged', async () => {
    const { of } = await askDoctor({ environment: { DATABASE_URL: `file:${temporaryFolder()}` } })
    expect(of('database.integrity')).toEqual([])
    expect(of('database.answers')).toMatchObject([
      { severity: 'error', what: expect.stringMatching(/^The database reports an error: /) },
    ])
  })

  test('room for less than two copies of the file is an error', async () => {
    const file = join(temporaryFolder(), 'notes.db')
    writeFileSync(file, 'no database at all')
    const { bavail, bsize } = statfsSync(file)
    truncateSync(file, bavail * bsize) // a hole, which takes no room
    const { said } = await askDoctor({ environment: { DATABASE_URL: `file:${file}` } })
    expect(said('database.disk')).toBe('error The disk is nearly full.')
  })
})
