import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { isMigrated, migrate, openDatabase } from '#server/database/open-database.ts'
import { readSecret } from '#server/database/settings.ts'
import { addToWindows } from '#server/sign-up/limit-windows.ts'
import { enqueue } from '#server/deliveries/deliveries.ts'
import { addDailyCounts } from '#server/statistics/daily-counts.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { ownerNow, ownerOf, subscribe } from '#rigs/owner/owner-terminal.ts'
import { findPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { type PostgresServer, startPostgresServer } from '#rigs/database/postgres-server.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { startAnnouncement } from '../announcements/announcements.ts'
import { createTriggers } from '../webhooks/triggers.ts'
import { movedTables } from './move-to.ts'

describe.skipIf(!findPostgresPrograms())('moving to PostgreSQL', () => {
  let postgres: PostgresServer
  beforeAll(async () => {
    postgres = (await startPostgresServer())!
  })
  afterAll(() => postgres.destroy())

  async function open(url: string): Promise<Database> {
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    return database
  }

  /** A stopped server's file with rows in every table, and more than a page of subscribers and counts. */
  async function source() {
    const url = `file:${join(temporaryFolder(), 'source.db')}`
    const database = await openDatabase(url)
    await migrate(database)
    await createTriggers(database)
    await readSecret(database.query)
    await addToWindows(database.query, [{ name: 'a-network', amount: 7 }], 1_000, ownerNow)
    await addDailyCounts(database.query, countsOfDays())
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
    const release = { version: '1.1.0', date: '2026-01-01', changes: [] }
    const template = { subject: '', html: '', text: '', from: '', replyTo: '', publicUrl: '' }
    await startAnnouncement(database, { release, to: 'consented', template }, ownerNow)
    const before = await everything(database)
    await database.close()
    return { url, before, owner: ownerOf(url) }
  }

  test('every table is moved', async () => {
    const { before } = await source()
    const database = await open(await postgres.newDatabase())
    await migrate(database)
    const tables = await database.query.introspection.getTables()
    const names = tables.map(({ name }) => name).filter((name) => name !== 'migrations' && name !== 'locks')
    expect(names.toSorted()).toEqual(movedTables.toSorted())
    expect(Object.values(before).every((rows) => rows.length > 0)).toBe(true)
  })

  test('all rows are copied unchanged, the source keeps them, and new rows get new numbers', async () => {
    const { url, before, owner } = await source()
    const target = await postgres.newDatabase()
    const moved = await owner('move-to', target)
    expect(moved).toMatchObject({ code: 0, printed: expect.stringMatching(/^Moved in /) })
    expect(moved.aside).toContain('subscribers    4102 rows, the same on both sides')
    expect(moved.aside).toContain('daily_counts   2100 rows, the same on both sides')
    const [there, here] = [await open(target), await open(url)]
    expect(await everything(there)).toEqual(before)
    expect(await everything(here)).toEqual(before)
    const [fresh] = await enrol(
      there.query,
      [{ identity: 'new@b.co', address: 'new@b.co', abuse_key: null }],
      ownerNow,
    )
    const template = before.mail_templates[0]!.hash
    await enqueue(there.query, [fresh!.id], { template, senderDomain: 'b.co', now: ownerNow })
    expect(fresh!.id).toBe(4_103)
  })

  test('the target can be given as TARGET_DATABASE_URL, which keeps its password out of ps', async () => {
    const { url, before } = await source()
    const target = await postgres.newDatabase()
    expect(await ownerOf(url, { TARGET_DATABASE_URL: target })('move-to')).toMatchObject({ code: 0 })
    expect(await everything(await open(target))).toEqual(before)
  })

  test('a webhook of a server that was started on the target gets no event about moved people', async () => {
    const { before, owner } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await migrate(there)
    await createTriggers(there)
    expect(await owner('move-to', target)).toMatchObject({ code: 0 })
    expect(await everything(there)).toEqual(before)
  })

  test('an interrupted move leaves the target empty, and the next one starts again', async () => {
    const { before, owner } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await migrate(there)
    await there.runScript(triggerOn('webhook_events', "raise exception 'broken off'"))
    expect(await owner('move-to', target)).toMatchObject({ code: 1 })
    expect(Object.values(await everything(there)).flat()).toEqual([])
    await there.runScript('drop trigger test on webhook_events')
    expect(await owner('move-to', target)).toMatchObject({ code: 0 })
    expect(await everything(there)).toEqual(before)
  })

  test('a target with other data is refused and left unchanged', async () => {
    const { owner } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await migrate(there)
    await createTriggers(there)
    await subscribe(there, 'theirs@example.com')
    const held = await everything(there)
    expect(await owner('move-to', target)).toMatchObject({
      code: 1,
      aside: expect.stringContaining('The target holds other data'),
    })
    expect(await everything(there)).toEqual(held)
    await subscribe(there, 'later@example.com')
    const events = there.query.selectFrom('webhook_events').select('type').where('subscriber', '=', 2)
    expect(await events.execute()).toEqual([{ type: 'subscriber.joined' }])
  })

  test('a target with data of an older version is not brought up to date', async () => {
    const { owner } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await migrate(there, ['0001-first'])
    await readSecret(there.query)
    expect(await owner('move-to', target)).toMatchObject({
      code: 1,
      aside: expect.stringContaining('The target holds other data (in settings)'),
    })
    expect(await isMigrated(there)).toBe(false)
  })

  test('a finished move is not repeated, which would bring erased people back', async () => {
    const { owner } = await source()
    const target = await postgres.newDatabase()
    await owner('move-to', target)
    expect(await owner('move-to', target)).toMatchObject({ code: 1 })
  })

  test('rows that differ after the copy are found, and nothing is copied', async () => {
    const { owner } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await migrate(there)
    await there.runScript(triggerOn('settings', "new.value := 'another'; return new"))
    expect(await owner('move-to', target)).toMatchObject({
      code: 1,
      aside: expect.stringContaining('settings differs'),
    })
    expect(Object.values(await everything(there)).flat()).toEqual([])
  })

  test('a database of an older version is not moved before the server has migrated it', async () => {
    const { owner, url } = await source()
    await withSource(url, ({ runScript }) =>
      runScript("drop table daily_counts; delete from migrations where name like '0002%'"),
    )
    expect(await owner('move-to', await postgres.newDatabase())).toMatchObject({
      code: 1,
      aside: expect.stringContaining('of another version: start the server once'),
    })
  })

  test('nothing is moved while a server runs', async () => {
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

function triggerOn(table: string, statements: string): string {
  return `create function test() returns trigger language plpgsql as $$ begin ${statements}; end $$;
    create trigger test before insert on ${table} for each row execute function test()`
}

/** A page of 2,000 rows ends in the middle of a day. */
function countsOfDays() {
  const details = Array.from({ length: 350 }, (_, index) => `source-${index}`)
  const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06']
  const kinds = days.flatMap((day) => details.map((detail) => ({ day, detail })))
  return kinds.map((kind, index) => ({ ...kind, event: 'came-from' as const, count: index + 1 }))
}

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
    announcements: await query.selectFrom('announcements').selectAll().execute(),
    deliveries: await query.selectFrom('deliveries').selectAll().orderBy('id').execute(),
    limit_windows: await query.selectFrom('limit_windows').selectAll().execute(),
    daily_counts: await query.selectFrom('daily_counts').selectAll().orderBy('count').execute(),
    webhook_events: await query.selectFrom('webhook_events').selectAll().orderBy('id').execute(),
  }
}
