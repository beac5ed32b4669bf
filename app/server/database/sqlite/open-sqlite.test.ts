import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openForTest, testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { act, linkOf, newSubscriber, testApp } from '#rigs/server/test-app.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { type Database, Unavailable } from '../database.ts'
import { writeSetting } from '../settings.ts'
import { openSqlite } from './open-sqlite.ts'

test('transactions that wait at the same moment share one commit, which is synced before any is answered', async () => {
  const { file, database } = await openFile()
  const before = commitsIn(file)
  await Promise.all(Array.from({ length: 60 }, (_, index) => set(database, `n${index}`)))
  expect(commitsIn(file) - before).toBe(1)
  await set(database, 'alone')
  expect(commitsIn(file) - before).toBe(2)
  const pragmas = await database.transaction((transaction) =>
    transaction.row(sql`select s.synchronous, j.journal_mode, f.foreign_keys, d.secure_delete
      from pragma_synchronous s, pragma_journal_mode j, pragma_foreign_keys f, pragma_secure_delete d`),
  )
  expect(pragmas).toEqual({
    synchronous: 2,
    journal_mode: 'wal',
    foreign_keys: 1,
    secure_delete: 1,
  })
})

test('while another process writes, transactions wait, and reads are answered at once', async () => {
  const { file, database } = await openFile()
  const release = await holdWriteLock(file)
  let hasCommitted = false
  const writing = set(database, 'a').then(() => (hasCommitted = true))
  const script = database.script('create table t (a)')
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise(setImmediate)
    expect(await database.rows(sql`select name from settings`)).toEqual([])
  }
  expect(hasCommitted).toBe(false)
  await release()
  await Promise.all([writing, script])
  expect(await database.rows(sql`select name from settings`)).toEqual([{ name: 'a' }])
})

test('a process that writes for too long makes the file unavailable, until it ends', async () => {
  const { file, database } = await openFile()
  const release = await holdWriteLock(file)
  const refused = expect(set(database, 'a')).rejects.toBeInstanceOf(Unavailable)
  let time = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 1_000)) // each look at the clock takes a second
  await refused
  vi.restoreAllMocks()
  await release()
  await set(database, 'b')
  expect(await database.rows(sql`select name from settings`)).toEqual([{ name: 'b' }])
})

test.skipIf(testsRunOnPostgres)(
  'on a full disk sign-ups get 503 and nothing is half stored, pages are served, and it recovers',
  async () => {
    const app = await testApp()
    expect((await app.signUp('before@example.com')).status).toBe(200)
    const { database } = app.context
    const limit = (pages: number) => database.script(`pragma max_page_count = ${pages}`)
    await limit(1) // SQLite sets it to the pages that there are
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => app.signUp(`n${index}@example.com`)),
    )
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]!.headers.get('retry-after')).toBe('30')
    expect(answers.filter(({ status }) => status !== 503 && status !== 200)).toEqual([])
    expect((await fetch(app.url)).status).toBe(200)
    const stored = await app.database.rows<{ many: number }>(sql`
    select count(*) as many from subscribers s where exists (select 1 from deliveries where subscriber = s.id)
    union all select count(*) from subscribers`)
    const accepted = answers.length - refused.length + 1
    expect(stored.map(({ many }) => many)).toEqual([accepted, accepted])
    await limit(1_000_000)
    expect((await app.signUp('after@example.com')).status).toBe(200)
  },
)

test.skipIf(testsRunOnPostgres)(
  'what a visitor does, and its mail, read no table from end to end',
  async () => {
    const app = await testApp()
    await linkOf(app, (await newSubscriber(app)).address) // prepares what this test itself asks
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
    const { receipt } = await (await app.signUp('ada@example.com')).json()
    await expect.poll(() => app.mailer.addresses()).toEqual(['ada@example.com'])
    await app.inject(`/receipts/${receipt}`)
    await app.inject(await linkOf(app, 'ada@example.com'))
    for (const action of ['announcements', 'unsubscribe', 'block', 'unblock', 'erase']) {
      await act(app, 'ada@example.com', action)
    }
    await app.stopServer()
    const texts = prepare.mock.calls.map(([text]) => text)
    vi.restoreAllMocks()
    const plans = texts.map((text) =>
      app.database.rows<{ detail: string }>(sql`explain query plan ${raw(text)}`),
    )
    const steps = (await Promise.all(plans)).flat().map(({ detail }) => detail)
    const scans = steps.filter((step) => step.startsWith('SCAN'))
    // The mails that a claim has chosen, and a select without a table.
    expect(new Set(scans)).toEqual(new Set(['SCAN due', 'SCAN CONSTANT ROW']))
  },
)

test('beyond 10,000 waiting transactions further ones are refused', async () => {
  const { database } = await openFile()
  const nothing = () => database.transaction(async () => 'done')
  const waiting = Array.from({ length: 10_000 }, nothing)
  await expect(nothing()).rejects.toBeInstanceOf(Unavailable)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']))
})

test('a long log is copied into the file, and starts over', async () => {
  const { file, database } = await openFile()
  await set(database, 'big', 'x'.repeat(5_000_000))
  const startsOver = () => readFileSync(`${file}-wal`).readUInt32BE(12) // sqlite.org/fileformat.html, 4.1
  const before = startsOver()
  let writes = 0
  await expect
    .poll(async () => {
      await set(database, `small ${(writes += 1)}`)
      return startsOver()
    })
    .toBeGreaterThan(before)
  expect(statSync(file).size).toBeGreaterThan(5_000_000)
})

test('what was deleted is cleared while others read and write', async () => {
  const { file, database } = await openFile()
  await set(database, 'a', 'marker-of-ours')
  await database.transaction((transaction) => transaction.run(sql`delete from settings`))
  const reader = new DatabaseSync(file)
  reader.exec('begin; select * from settings')
  expect(await database.clearDeleted()).toBe(false)
  reader.close()
  const [isCleared] = await Promise.all([database.clearDeleted(), set(database, 'b')])
  expect(isCleared).toBe(true)
  expect(readFileSync(file).includes('marker-of-ours')).toBe(false)
})

test('a large file is cleared without a vacuum, which would hold up sign-ups', async () => {
  const { file, database } = await openFile()
  const pad = 'x'.repeat(4_000_000)
  for (const name of ['a', 'b', 'c', 'd', 'stays']) await set(database, name, pad)
  const size = () => statSync(file).size
  await expect.poll(size).toBeGreaterThan(16 * 1024 * 1024)
  await database.transaction((transaction) =>
    transaction.run(sql`delete from settings where name <> 'stays'`),
  )
  expect(database.leavesTraces()).toBe(true)
  expect(await database.clearDeleted()).toBe(true)
  expect(size()).toBeGreaterThan(16 * 1024 * 1024)
  expect(statSync(`${file}-wal`).size).toBe(0)
})

test('a small file leaves no traces: a vacuum makes it smaller', async () => {
  const { file, database } = await openFile()
  await set(database, 'a', 'x'.repeat(4_000_000))
  await database.transaction((transaction) => transaction.run(sql`delete from settings`))
  expect(database.leavesTraces()).toBe(false)
  expect(await database.clearDeleted()).toBe(true)
  expect(statSync(file).size).toBeLessThan(1_000_000)
})

test('a folder that cannot be read for a while ends nothing, and what follows is stored', async () => {
  const folder = join(temporaryFolder(), 'data')
  mkdirSync(folder)
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const database = await openForTest(`file:${join(folder, 'test.db')}`)
  await set(database, 'a')
  renameSync(folder, `${folder}.away`)
  symlinkSync(folder, folder) // a circle: to read it is a fault of the system
  vi.advanceTimersByTime(1_000) // the log is looked at twice a second
  expect(await database.clearDeleted()).toBe(false)
  rmSync(folder)
  renameSync(`${folder}.away`, folder)
  await set(database, 'b')
  expect(await database.clearDeleted()).toBe(true)
  expect(await database.ownerReads.rows(sql`select name from settings order by name`)).toEqual([
    { name: 'a' },
    { name: 'b' },
  ])
})

test.skipIf(testsRunOnPostgres)(
  'a stop beside a lock that another process holds answers what has arrived, and ends',
  async () => {
    const app = await testApp({ databaseLimits: { lockMs: 300 } })
    await holdWriteLock(app.databaseFile!)
    const arrived = once(app.server, 'request')
    const answer = app.signUp('ada@example.com')
    await arrived
    await app.stopServer()
    expect((await answer).status).toBe(503)
  },
)

test('closing does not wait for a lock that another process holds', async () => {
  const { file } = await openFile()
  const database = openSqlite(file)
  await holdWriteLock(file)
  const refused = expect(set(database, 'a')).rejects.toBeInstanceOf(Unavailable)
  const looks = vi.spyOn(performance, 'now').mockReturnValue(0) // no time passes
  await database.close()
  await refused
  looks.mockRestore()
})

describe.skipIf(process.platform === 'win32')('for a user who may not write', () => {
  test('a folder is named, with the user it must belong to', () => {
    const folder = join(openToAll(temporaryFolder()), 'data')
    mkdirSync(folder, { mode: 0o555 })
    expect(openAsAnother(join(folder, 'bot.db'))).toMatch(
      /^EACCES The folder .*\/data cannot be written: it must belong to the user \d+ \(chown .*\)\.\n$/,
    )
  })

  test('a file is named, with the user it must belong to', async () => {
    const file = join(openToAll(temporaryFolder()), 'bot.db')
    await openSqlite(file).close()
    chmodSync(file, 0o444)
    expect(openAsAnother(file)).toMatch(
      /^EACCES The file .*\/bot\.db cannot be written: it must belong to the user \d+ \(chown .*\)\.\n$/,
    )
  })
})

test('of the folders only data/ is made: another one that does not exist is named', async () => {
  const folder = temporaryFolder()
  const slip = join(folder, 'dta')
  expect(() => openSqlite(join(slip, 'bot.db'))).toThrow(
    `The folder ${slip} of DATABASE_URL does not exist.`,
  )
  await openSqlite(join(folder, 'data/bot.db')).close()
  expect(existsSync(slip)).toBe(false)
})

test('a folder in the place of the file is named', () => {
  const folder = temporaryFolder()
  expect(() => openSqlite(folder)).toThrow(`DATABASE_URL names the folder ${folder}.`)
})

async function openFile() {
  const file = join(temporaryFolder(), 'test.db')
  return { file, database: await openForTest(`file:${file}`) }
}

function openToAll(folder: string): string {
  chmodSync(folder, 0o777)
  return folder
}

/**
 * Opens it as this user, or as nobody if this is root, who may write everything. The process
 * changes its user once it has loaded the modules: this folder may be closed to others.
 */
function openAsAnother(file: string): string {
  const program = `
    import { openSqlite } from '#server/database/sqlite/open-sqlite.ts'
    const nobody = 65_534
    if (process.getuid() === 0) {
      process.setgid(nobody)
      process.setuid(nobody)
    }
    try {
      openSqlite(process.argv[1])
    } catch (fault) {
      console.log(fault.code, fault.message)
    }`
  const words = ['--input-type=module', '--eval', program, file]
  return spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout
}

function set(database: Database, name: string, value = ''): Promise<void> {
  return database.transaction((transaction) => writeSetting(transaction, name, value))
}

/**
 * Frames of the log that end a transaction name the size of the database
 * (sqlite.org/fileformat.html, 4.2).
 */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const headerBytes = 32
  const frameHeaderBytes = 24
  const pageBytes = log.readUInt32BE(8)
  let commits = 0
  for (let at = headerBytes; at < log.length; at += frameHeaderBytes + pageBytes) {
    if (log.readUInt32BE(at + 4) !== 0) commits += 1
  }
  return commits
}

/** Returns what releases the lock again. */
async function holdWriteLock(file: string): Promise<() => Promise<void>> {
  const script = `
    const file = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    file.exec('begin immediate')
    process.stdout.write('locked')
    process.stdin.once('data', () => { file.exec('commit'); process.exit() })`
  const child = spawn(process.execPath, ['-e', script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.write('release')
    await once(child, 'exit')
  }
}
