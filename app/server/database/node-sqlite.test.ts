import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './node-sqlite.ts'

test('scrubbing waits for its turn while somebody else writes, and empties the log of writes', async () => {
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

test('what is deleted is overwritten', async () => {
  const { file, database } = await openFile()
  await database.query.insertInto('settings').values({ name: 'a', value: 'marker-of-ours' }).execute()
  await database.scrub(['marker-of-ours'])
  expect(readFileSync(file).toString('latin1')).toContain('marker-of-ours')
  await database.query.deleteFrom('settings').execute()
  await database.scrub(['marker-of-ours'])
  expect(readFileSync(file).toString('latin1')).not.toContain('marker-of-ours')
})

test('what stays where a row was moved from is overwritten too', { timeout: 20_000 }, async () => {
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

test('a commit is on the disk before it is told: every one is synced, in a log beside the file', async () => {
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

async function pragma({ query }: ReturnType<typeof openSqlite>, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(query)
  return rows[0]?.[name]
}
