import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { type Database, openDatabase } from '#server/database/open-database.ts'
import { readSecret } from '#server/database/secret.ts'
import { addToWindows } from '#server/limits/limit-windows.ts'
import { enqueue } from '#server/outbox/outbox.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { ownerNow, ownerOf, subscribe } from '#testing/owner-terminal.ts'
import { findPostgresPrograms } from '#testing/postgres-programs.ts'
import { type PostgresServer, startPostgresServer } from '#testing/postgres-server.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { movedTableNames } from './moved-tables.ts'

describe.skipIf(!findPostgresPrograms())('moving to PostgreSQL', { timeout: 30_000 }, () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = (await startPostgresServer())!
  }, 60_000)
  afterAll(() => postgres.destroy())

  async function open(url: string): Promise<Database> {
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    return database
  }

  /** A stopped server's file with something in every table, and more than one page of subscribers. */
  async function source() {
    const url = `file:${join(temporaryFolder(), 'source.db')}`
    const database = await openDatabase(url)
    await migrate(database)
    await readSecret(database.query)
    await addToWindows(database.query, [{ name: 'a-network', amount: 7 }], 1_000, ownerNow)
    await subscribe(database, 'Ada+tag@example.com', 'sent')
    await subscribe(database, 'bounced@example.com', 'failed')
    const many = Array.from({ length: 4_100 }, (_, index) => `visitor-${index}@example.com`)
    await enrol(
      database.query,
      many.map((email) => ({ identity: email, address: email, abuse_key: null })),
      ownerNow,
    )
    await database.query
      .updateTable('subscribers')
      .set({ token: 'the-link-in-the-mail' })
      .where('id', '=', 1)
      .execute()
    const before = await everything(database)
    await database.close()
    return { url, before, owner: ownerOf(url) }
  }

  test('every table is moved', async () => {
    const { before } = await source()
    const database = await open(await postgres.newDatabase())
    await migrate(database)
    const tables = await database.query.introspection.getTables()
    const names = tables.map(({ name }) => name).filter((name) => name !== 'migrations')
    expect(names.toSorted()).toEqual(movedTableNames.toSorted())
    expect(Object.values(before).every((rows) => rows.length > 0)).toBe(true)
  })

  test('all rows arrive as they were, the source keeps them, and new ones get new numbers', async () => {
    const { url, before, owner } = await source()
    const target = await postgres.newDatabase()
    const moved = await owner('move-to', target)
    expect(moved).toMatchObject({ code: 0, printed: expect.stringMatching(/^Moved in /) })
    expect(moved.aside).toContain('subscribers    4102 rows, same count and checksum on both sides')
    const [there, here] = [await open(target), await open(url)]
    expect(await everything(there)).toEqual(before)
    expect(await everything(here)).toEqual(before)
    const [fresh] = await enrol(
      there.query,
      [{ identity: 'new@b.co', address: 'new@b.co', abuse_key: null }],
      ownerNow,
    )
    const template = before.mail_templates[0]!.hash
    await enqueue(there.query, [{ subscriber: fresh!.id, message_id: '<m>' }], template, ownerNow)
    expect(fresh!.id).toBe(4_103)
  })

  test('a move that broke off is finished by the next', async () => {
    const { before, owner } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await owner('move-to', target)
    // As if it had stopped half-way: the mark is still there, and only some of the rows.
    const { value } = await there.query
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'secret')
      .executeTakeFirstOrThrow()
    await there.query.deleteFrom('subscribers').where('id', '>', 1_000).execute()
    await there.query
      .insertInto('settings')
      .values({ name: 'moving-from', value: hash('sha256', value, 'base64url') })
      .execute()
    expect(await owner('move-to', target)).toMatchObject({ code: 0 })
    expect(await everything(there)).toEqual(before)
  })

  test('a target that holds other data is refused, and left as it is', async () => {
    const { owner } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await migrate(there)
    await subscribe(there, 'theirs@example.com')
    const held = await everything(there)
    expect(await owner('move-to', target)).toMatchObject({
      code: 1,
      aside: expect.stringContaining('The target holds other data'),
    })
    expect(await everything(there)).toEqual(held)
  })

  test('nothing is moved twice: who was erased since would be back', async () => {
    const { owner } = await source()
    const target = await postgres.newDatabase()
    await owner('move-to', target)
    expect(await owner('move-to', target)).toMatchObject({ code: 1 })
  })

  test('rows that differ in the end are found', async () => {
    const { owner, url } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await migrate(there)
    const secret = await withSource(url, ({ query }) => readSecret(query))
    const moving = { name: 'moving-from', value: hash('sha256', secret, 'base64url') }
    await there.query
      .insertInto('settings')
      .values([moving, { name: 'secret', value: 'another' }])
      .execute()
    expect(await owner('move-to', target)).toMatchObject({
      code: 1,
      aside: expect.stringContaining('settings differs'),
    })
  })

  test('under a running server nothing is moved', async () => {
    const { url, owner } = await source()
    const server = await open(url)
    await server.query.selectFrom('settings').selectAll().execute()
    const target = await postgres.newDatabase()
    expect((await owner('move-to', target)).aside).toBe(
      'A server is using the database: stop it first. Nothing was copied.\n',
    )
    expect(existsSync(url.slice('file:'.length))).toBe(true)
  })
})

async function withSource<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function everything({ query }: Database) {
  return {
    settings: await query.selectFrom('settings').selectAll().orderBy('name').execute(),
    mail_templates: await query.selectFrom('mail_templates').selectAll().execute(),
    subscribers: await query.selectFrom('subscribers').selectAll().orderBy('id').execute(),
    deliveries: await query.selectFrom('deliveries').selectAll().orderBy('id').execute(),
    limit_windows: await query.selectFrom('limit_windows').selectAll().execute(),
  }
}
