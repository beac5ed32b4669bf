import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { migrate } from './open-database.ts'
import { openSqlite } from './sqlite.ts'

test('a scrub waits for an open transaction, and empties the write-ahead log', async () => {
  const { file, database } = await openFile()
  const write = database.query.transaction().execute(async (transaction) => {
    const scrubbed = database.scrub([]).then(() => 'scrubbed')
    await transaction.insertInto('settings').values({ name: 'a', value: 'b' }).execute()
    await transaction.insertInto('settings').values({ name: 'c', value: 'd' }).execute()
    return { scrubbed }
  })
  expect(await (await write).scrubbed).toBe('scrubbed')
  expect(statSync(`${file}-wal`).size).toBe(0)
})

test('deleted rows are overwritten in the file', async () => {
  const { file, database } = await openFile()
  await database.query.insertInto('settings').values({ name: 'a', value: 'marker-of-ours' }).execute()
  await database.scrub(['marker-of-ours'])
  expect(readFileSync(file).toString('latin1')).toContain('marker-of-ours')
  await database.query.deleteFrom('settings').execute()
  await database.scrub(['marker-of-ours'])
  expect(readFileSync(file).toString('latin1')).not.toContain('marker-of-ours')
})

test('copies of deleted rows that a page split left behind are overwritten', async () => {
  const { file, database } = await openFile()
  const markers = Array.from({ length: 3_000 }, (_, index) => `marker-${(index * 7919) % 3_000}-of-ours`)
  const gone = markers.slice(0, 1_500)
  await database.query.transaction().execute(async (transaction) => {
    for (const name of markers) await transaction.insertInto('settings').values({ name, value: '' }).execute()
    for (const name of gone) await transaction.deleteFrom('settings').where('name', '=', name).execute()
  })
  await database.scrub([])
  const left = gone.find((marker) => readFileSync(file).includes(marker))
  expect(left, 'SQLite leaves some').toBeDefined()
  await database.scrub(['another', left ?? ''])
  expect(gone.filter((marker) => readFileSync(file).includes(marker))).toEqual([])
})

test('a scrub is not proved while another process reads old rows, and is proved afterwards', async () => {
  const { file, database } = await openFile()
  await database.query.insertInto('settings').values({ name: 'a', value: 'marker-of-ours' }).execute()
  const reader = new DatabaseSync(file)
  reader.exec('begin; select * from settings')
  await database.query.deleteFrom('settings').where('name', '=', 'a').execute()
  expect(await database.scrub(['marker-of-ours'])).toBe(false)
  expect(readFileSync(`${file}-wal`).includes('marker-of-ours')).toBe(true)
  reader.exec('commit')
  reader.close()
  expect(await database.scrub(['marker-of-ours'])).toBe(true)
  for (const path of [file, `${file}-wal`]) expect(readFileSync(path).includes('marker-of-ours')).toBe(false)
})

test('after a scrub another process still finds the file in use', async () => {
  const { file, database } = await openFile()
  const take = `const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(process.argv[1], { timeout: 0 }).exec('pragma locking_mode = exclusive; begin exclusive')`
  for (const traces of [['a trace'], ['another']]) {
    expect(await database.scrub(traces)).toBe(true)
    const { stderr } = spawnSync(process.execPath, ['-e', take, file], { encoding: 'utf8' })
    expect(stderr).toContain('database is locked')
  }
})

test('a thread copies the write-ahead log into the file, after which the log starts over', async () => {
  const { file, database } = await openFile()
  const write = (name: string, bytes: number) =>
    database.query
      .insertInto('settings')
      .values({ name, value: 'x'.repeat(bytes) })
      .execute()
  const timesStartedOver = () => readFileSync(`${file}-wal`).readUInt32BE(12) // sqlite.org/fileformat.html, 4.1
  await write('big', 5_000_000)
  const before = timesStartedOver()
  let writes = 0
  await vi.waitFor(
    async () => {
      await write(`small ${(writes += 1)}`, 10)
      expect(timesStartedOver()).toBeGreaterThan(before)
    },
    { timeout: 30_000 },
  )
  expect(statSync(file).size).toBeGreaterThan(5_000_000)
})

test('concurrent scrubs are all proved', async () => {
  const { database } = await openFile()
  expect(await Promise.all([database.scrub(['a-1']), database.scrub('unknown'), database.scrub([])])).toEqual(
    Array.from({ length: 3 }, () => true),
  )
})

test('a failed scrub rejects, and the next one works', async () => {
  const { file, database } = await openFile()
  await database.scrub([])
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  await expect(database.scrub([])).rejects.toThrow(/unable to open|is a directory|disk I\/O/)
  rmdirSync(file)
  renameSync(`${file}.away`, file)
  expect(await database.scrub([])).toBe(true)
})

describe('while another process holds the write lock', () => {
  test('a transaction waits without blocking the event loop, and reads are answered at once', async () => {
    const { file, database } = await openFile()
    const release = await holdWriteLock(file)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    let hasCommitted = false
    const commit = database.query
      .transaction()
      .execute((transaction) =>
        transaction.insertInto('settings').values({ name: 'a', value: 'b' }).execute(),
      )
      .then(() => (hasCommitted = true))
    const single = database.query.insertInto('settings').values({ name: 'c', value: 'd' }).execute()
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await database.query.selectFrom('settings').selectAll().execute()).toEqual([])
      await sleep(5)
    }
    delay.disable()
    expect(hasCommitted).toBe(false)
    expect(delay.max / 1e6).toBeLessThan(1_000) // busy_timeout would block it until the release
    await release()
    await Promise.all([commit, single])
    expect(await database.query.selectFrom('settings').selectAll().execute()).toHaveLength(2)
  })

  test('a migration script waits as well', async () => {
    const { file, database } = await openFile()
    const release = await holdWriteLock(file)
    const script = database.runScript('begin immediate; create table t (a); commit')
    await sleep(20)
    await release()
    await script
  })
})

test('a failed transaction lets the next one begin', async () => {
  const { database } = await openFile()
  const failed = database.query.transaction().execute(async (transaction) => {
    await transaction.insertInto('settings').values({ name: 'a', value: 'b' }).execute()
    throw new Error('refused')
  })
  const next = database.query
    .transaction()
    .execute((transaction) => transaction.selectFrom('settings').selectAll().execute())
  await expect(failed).rejects.toThrow('refused')
  expect(await next).toEqual([])
})

test('a query outside of a transaction waits until the open one ends', async () => {
  const { database } = await openFile()
  const order: string[] = []
  const transaction = database.query.transaction().execute(async (open) => {
    for (const name of ['a', 'b', 'c']) {
      await open.insertInto('settings').values({ name, value: '' }).execute()
      order.push(name)
    }
  })
  const read = async () =>
    order.push(`read ${(await database.query.selectFrom('settings').selectAll().execute()).length}`)
  await Promise.all([transaction, read(), read()])
  expect(order).toEqual(['a', 'b', 'c', 'read 3', 'read 3'])
})

test('every commit is synced to the write-ahead log before it returns', async () => {
  const { file, database } = await openFile()
  expect(await pragma(database, 'synchronous')).toBe(2)
  expect(new DatabaseSync(file).prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(await pragma(database, 'foreign_keys')).toBe(1)
})

async function openFile() {
  const file = join(temporaryFolder(), 'test.db')
  const database = openSqlite(file)
  onTestFinished(() => database.close())
  await migrate(database)
  return { file, database }
}

/** Returns what releases the lock again. */
async function holdWriteLock(file: string): Promise<() => Promise<void>> {
  const script = `
    const file = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    file.exec('begin immediate')
    process.stdout.write('locked')
    process.stdin.once('data', () => { file.exec('commit'); process.exit() })`
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.write('release')
    await once(child, 'exit')
  }
}

async function pragma({ query }: ReturnType<typeof openSqlite>, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(query)
  return rows[0]?.[name]
}

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a folder that cannot be written is named, with the user it must belong to',
  () => {
    const folder = join(temporaryFolder(), 'data')
    mkdirSync(folder, { mode: 0o500 })
    expect(() => openSqlite(join(folder, 'bot.db'))).toThrow(
      `The folder ${folder} cannot be written: it must belong to the user`,
    )
  },
)
