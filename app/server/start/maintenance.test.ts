import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { deliveryStates } from '#rigs/server/rows.ts'
import { act, linkOf, type TestApp, testApp } from '#rigs/server/test-app.ts'
import { createLog } from '../log.ts'
import { clearErased, dropOld } from './maintenance.ts'
import { createRepeats } from './repeat.ts'
import { useLimit } from '../database/limit-windows.ts'
import { addDailyCounts, readDailyCounts } from '../statistics/daily-counts.ts'
import { erasedUncleared } from '../subscribers/erase-subscriber.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

describe('the clean-up of every 25 minutes', () => {
  test('drops limits that have ended, however many, and keeps open ones', async () => {
    const app = await testApp()
    const now = app.clock.now()
    await app.database.transaction(async (transaction) => {
      for (let index = 0; index < 2_500; index += 1) {
        await useLimit(transaction, `use ${index}`, 1_000, now)
      }
      await useLimit(transaction, 'open', dayMs, now)
    })
    app.clock.advance(2_000)
    await dropOld(app.context)
    expect(await app.database.rows(sql`select name from limits`)).toEqual([{ name: 'open' }])
  })

  test('keeps the counts of days for three years', async () => {
    const app = await testApp()
    const day = new Date(app.clock.now()).toISOString().slice(0, 10)
    await app.database.transaction((transaction) =>
      addDailyCounts(transaction, [{ day, event: 'delivered', detail: '', count: 1 }]),
    )
    app.clock.advance(3 * 365 * dayMs)
    await dropOld(app.context)
    expect(await readDailyCounts(app.database, '')).toHaveLength(1)
    app.clock.advance(10 * dayMs)
    await dropOld(app.context)
    expect(await readDailyCounts(app.database, '')).toEqual([])
  })

  test.skipIf(testsRunOnPostgres)('writes nothing on an instance with nothing to do', async () => {
    const first = await testApp()
    await first.signUp('ada@example.com')
    await expect.poll(() => deliveryStates(first.database)).toEqual(['sent'])
    await first.stopServer() // which writes what it counted
    const app = await testApp({ databaseUrl: first.databaseUrl })
    const maintain = async () => {
      await dropOld(app.context)
      await clearErased(app.context)
      await app.repairClocks()
    }
    await maintain() // the first may have something to drop
    const writes = writesSeen(first)
    for (let turn = 0; turn < 5; turn += 1) {
      await maintain()
      app.context.wakeDeliveries()
      await app.inject('/readyz')
    }
    expect(writes()).toBe(0)
    await app.signUp('bob@example.com')
    expect(writes()).toBeGreaterThan(0)
  })
})

test.each([
  [hourMs - 1, false],
  [hourMs, true],
])('after %i ms of a process, work that deletes by age runs: %s', async (uptimeMs, expected) => {
  const repeats = createRepeats(
    createLog('info', () => {}),
    () => uptimeMs,
  )
  let isRun = false
  repeats.addDeleting('test', hourMs, async () => void (isRun = true))
  repeats.begin()
  await repeats.stop()
  expect(isRun).toBe(expected)
})

describe.skipIf(testsRunOnPostgres)('the traces of somebody erased', () => {
  test('are gone from every file of the database after the clean-up, also copies that SQLite left', async () => {
    const app = await testApp()
    const gone = Array.from(
      { length: 1_500 },
      (_, index) => `${(index * 7919) % 1500}-gone-trace@example.com`,
    )
    const stay = Array.from(
      { length: 1_500 },
      (_, index) => `${(index * 104729) % 1500}-stays@example.com`,
    )
    const all = gone.flatMap((address, index) => [address, stay[index]!])
    await queueMails(app.database, all, { now: app.clock.now() + dayMs })
    const link = await linkOf(app, gone[0]!)
    expect(bytesOf(app)).toContain(link.slice('/kit/'.length))
    await app.change(
      sql`delete from subscribers where address like '%gone-trace%' and address <> ${gone[0]}`,
    )
    expect((await app.inject({ method: 'POST', url: `${link}/erase` })).statusCode).toBe(200)
    await clearErased(app.context)
    expect(bytesOf(app)).not.toContain('gone-trace')
    expect(bytesOf(app)).not.toContain(link.slice('/kit/'.length))
    expect(bytesOf(app)).toContain('stays@example.com')
    expect(
      await app.database.rows(sql`select 1 from settings where name = ${erasedUncleared}`),
    ).toEqual([])
  })

  test('stay while another process reads the database, which is logged, and go with a later clean-up', async () => {
    const app = await testApp()
    await app.signUp('marker-7f3a@example.com')
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
    const reader = new DatabaseSync(app.databaseFile!)
    reader.exec('begin; select * from subscribers')
    await act(app, 'marker-7f3a@example.com', 'erase')
    await clearErased(app.context)
    expect(bytesOf(app)).toContain('marker-7f3a')
    await expect.poll(() => app.log()).toContain('traces of erased subscribers are left')
    reader.close()
    await clearErased(app.context)
    expect(bytesOf(app)).not.toContain('marker-7f3a')
  })

  test('are looked for again if somebody else is erased during the clean-up', async () => {
    const app = await testApp()
    for (const name of ['ada', 'bob']) await app.signUp(`${name}@example.com`)
    await act(app, 'ada@example.com', 'erase')
    const clearDeleted = async () => {
      app.clock.advance(1)
      await act(app, 'bob@example.com', 'erase')
      return true
    }
    await clearErased({ ...app.context, database: { ...app.context.database, clearDeleted } })
    expect(
      await app.database.rows(sql`select 1 from settings where name = ${erasedUncleared}`),
    ).toHaveLength(1)
  })
})

/** The bytes of the database and of the files beside it (-wal, -shm). */
function bytesOf({ databaseFile = '' }: TestApp): string {
  const folder = dirname(databaseFile)
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('\n')
}

/** Returns what tells how many transactions of others have written since. */
function writesSeen({ databaseFile = '' }: TestApp) {
  const file = new DatabaseSync(databaseFile, { readOnly: true })
  onTestFinished(() => file.close())
  const version = () => Number(file.prepare('pragma data_version').get()?.['data_version'])
  const before = version()
  return () => version() - before
}
