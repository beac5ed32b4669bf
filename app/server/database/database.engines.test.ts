import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  makeTemporaryDatabase,
  openForTest,
  temporaryDatabase,
} from '#rigs/database/temporary-database.ts'
import { explainFault } from '../start/explain-fault.ts'
import type { Database, Transaction } from './database.ts'
import { appliedMigrations, migrate, openDatabase, siteMigrations } from './open-database.ts'
import { deleteSetting, readSecret, readSetting, writeSetting } from './settings.ts'

const namesIn = async (database: Database) =>
  (await database.rows<{ name: string }>(sql`select name from settings order by name`)).map(
    ({ name }) => name,
  )
const add = (name: string) => (transaction: Transaction) => writeSetting(transaction, name, '')

test('a transaction reads what it wrote, and others see it once it is committed', async () => {
  const { database } = await temporaryDatabase()
  const seen = await database.transaction(async (transaction) => {
    await add('a')(transaction)
    const inside = await transaction.row<{ value: string }>(
      sql`select value from settings where name = 'a'`,
    )
    return { inside, outside: namesIn(database) }
  })
  expect(seen.inside).toEqual({ value: '' })
  expect(await namesIn(database)).toEqual(['a'])
})

test('of transactions that wait together one that fails leaves nothing, and the others commit', async () => {
  const { database } = await temporaryDatabase()
  const outcomes = await Promise.allSettled(
    ['a', 'refused', 'b', 'invalid', 'c'].map((name) =>
      database.transaction(async (transaction) => {
        await add(name)(transaction)
        if (name === 'refused') throw new Error('refused')
        if (name === 'invalid') {
          await transaction.run(sql`insert into settings (name, value) values ('x', null)`)
        }
        return name
      }),
    ),
  )
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([
    'a',
    'failed',
    'b',
    'failed',
    'c',
  ])
  expect(outcomes[1]).toMatchObject({ reason: new Error('refused') })
  expect(await namesIn(database)).toEqual(['a', 'b', 'c'])
})

test('a change tells how many rows it changed, and a number is a number', async () => {
  const { database } = await temporaryDatabase()
  const changed = await database.transaction(async (transaction) => {
    for (const name of ['a', 'b', 'c']) await add(name)(transaction)
    return transaction.run(sql`update settings set value = 'x' where name <> 'a'`)
  })
  expect(changed).toBe(2)
  expect(await database.row(sql`select count(*) as many from settings`)).toEqual({ many: 3 })
  expect(await database.row(sql`select name from settings where name = 'none'`)).toBeUndefined()
})

test('transactions with the same lock follow each other, whatever they do between', async () => {
  const { url } = await temporary()
  const databases = await Promise.all([openForTest(url), openForTest(url)])
  await databases[0].transaction((transaction) => writeSetting(transaction, 'count', '0'))
  const count = (database: Database) =>
    database.transaction(async (transaction) => {
      await transaction.lock('count')
      const before = Number(await readSetting(transaction, 'count'))
      await writeSetting(transaction, 'count', String(before + 1))
    })
  await Promise.all(Array.from({ length: 40 }, (_, index) => count(databases[index % 2]!)))
  expect(await readSetting(databases[0], 'count')).toBe('40')
})

test('several instances migrate an empty database at the same moment', async () => {
  const { url } = await temporary()
  const databases = await Promise.all(Array.from({ length: 5 }, () => openForTest(url)))
  await Promise.all(databases.map((one) => migrate(one)))
  expect([...(await appliedMigrations(databases[0]!))]).toEqual(
    siteMigrations.map(({ name }) => name),
  )
})

test('a migration that fails leaves nothing behind', async () => {
  const { url } = await temporary()
  const database = await openForTest(url)
  await database.transaction((transaction) => transaction.run(sql`delete from migrations`))
  await expect(migrate(database)).rejects.toThrow(/already exists/)
  expect([...(await appliedMigrations(database))]).toEqual([])
})

test.each([
  ['9999-later', /^The database is from a newer .* 9999-later:[^.]*$/],
  ['0001-first', /^The database is from before version 1\.0\.0: .*"subscribers export"/],
])(
  'a database with the migration %s stops a start in one sentence, and is not migrated',
  async (name, sentence) => {
    const { database } = await temporaryDatabase()
    await database.script(`insert into migrations values ('${name}')`)
    const before = await appliedMigrations(database)
    const fault = await migrate(database).catch((thrown: unknown) => thrown)
    expect(explainFault(fault, { host: 'localhost', port: 1 })).toMatch(sentence)
    expect(await appliedMigrations(database)).toEqual(before)
    await database.script(`delete from migrations where name = '${name}'`)
  },
)

test('settings are written over and deleted; the secret is made once for all instances', async () => {
  const { url } = await temporary()
  const [one, other] = await Promise.all([openForTest(url), openForTest(url)])
  const secrets = await Promise.all(
    [one, other].map((database) => database.transaction(readSecret)),
  )
  expect(secrets[0]).toMatch(/^[\w-]{43}$/)
  expect(secrets[1]).toBe(secrets[0])
  await one.transaction(async (transaction) => {
    await writeSetting(transaction, 'a', '1')
    await writeSetting(transaction, 'a', '2')
  })
  expect(await readSetting(other, 'a')).toBe('2')
  await one.transaction((transaction) => deleteSetting(transaction, 'a'))
  expect(await readSetting(other, 'a')).toBeUndefined()
})

/** Takes a processor of either engine for a good part of a second. */
const slowRead = sql`
  with recursive c(x) as (select 1 union all select x + 1 from c where x < 1000000)
  select count(*) as many from c, (select 1 union all select 2) as twice`

describe("the owner's reads", () => {
  test('hold up no read and no transaction of a visitor', async () => {
    const database = await opened()
    onTestFinished(() => database.close())
    const finished: string[] = []
    const owner = database.ownerReads.row(slowRead).then((row) => {
      finished.push('owner')
      return row
    })
    await database.rows(sql`select name from settings`)
    finished.push('read')
    await database.transaction(add('a'))
    finished.push('transaction')
    expect(await owner).toEqual({ many: 2_000_000 })
    expect(finished).toEqual(['read', 'transaction', 'owner'])
  })

  test('see what is committed, as the reads of a visitor do', async () => {
    const database = await opened()
    onTestFinished(() => database.close())
    const names = sql`select name from settings where name in (${'a'}, ${'b'}) order by name`
    expect(await database.ownerReads.row(names)).toBeUndefined()
    for (const name of ['b', 'a']) await database.transaction(add(name))
    expect(await database.ownerReads.rows(names)).toEqual([{ name: 'a' }, { name: 'b' }])
    expect(await database.ownerReads.row(names)).toEqual({ name: 'a' })
  })

  test('report a fault to the one who asked, and go on', async () => {
    const database = await opened()
    onTestFinished(() => database.close())
    const [wrong, right] = await Promise.allSettled([
      database.ownerReads.rows(sql`select nonsense from settings`),
      database.ownerReads.row(sql`select 1 as one`),
    ])
    expect(wrong).toMatchObject({ reason: { message: expect.stringContaining('nonsense') } })
    expect(right).toMatchObject({ value: { one: 1 } })
  })

  test('end with the database', async () => {
    const database = await opened()
    expect(await database.ownerReads.row(sql`select 1 as one`)).toEqual({ one: 1 })
    await database.close()
    await expect(database.ownerReads.row(sql`select 1 as one`)).rejects.toThrow()
  })
})

/** Opens it as a server does. */
async function opened() {
  const database = await openDatabase((await temporary()).url)
  await migrate(database)
  return database
}

async function temporary() {
  const made = await makeTemporaryDatabase()
  onTestFinished(made.remove)
  return made
}
