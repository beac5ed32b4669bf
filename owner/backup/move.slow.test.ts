import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { type SharedPostgresServer, sharedPostgresServer } from '#rigs/database/postgres-server.ts'
import { running } from '#rigs/owner/backed-up-list.ts'
import { ownerNow, ownerOf } from '#rigs/owner/owner-commands.ts'
import { subscribe } from '#rigs/owner/owner-terminal.ts'
import { addPeople, addresses } from '#rigs/server/people.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { readSecret } from '#server/database/settings.ts'
import { addDailyCounts } from '#server/statistics/daily-counts.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { tablesOf } from './between-engines.ts'

describe.skipIf(!findPostgresPrograms())('a move to the other engine', () => {
  let postgres: SharedPostgresServer
  beforeAll(async () => {
    postgres = (await sharedPostgresServer())!
  })
  afterAll(() => postgres.destroy())

  async function open(url: string): Promise<Database> {
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    return database
  }

  /** A stopped server's file with rows in every table, and many subscribers and counts. */
  async function source() {
    const file = join(temporaryFolder(), 'source.db')
    await running(file, async (database) => {
      await migrate(database, ownerMigrations)
      await subscribe(database, 'Ada+tag@example.com', 'sent')
      await subscribe(database, 'bounced@example.com', 'failed')
      await addPeople(database, addresses(1_100))
      await database.transaction(async (transaction) => {
        await readSecret(transaction)
        await addDailyCounts(
          transaction,
          Array.from({ length: 700 }, (_, index) => ({
            day: '2026-01-01',
            event: 'came-from' as const,
            detail: `source-${index}`,
            count: index + 1,
          })),
        )
      })
      await database.script(rowsInOtherTables)
    })
    const tables = tablesIn(file)
    const before = await running(file, (database) => everything(database, tables))
    return { file, tables, before }
  }

  async function at(url: string, work: (database: Database) => Promise<void>): Promise<void> {
    const database = await openDatabase(url)
    await work(database).finally(() => database.close())
  }

  const moveTo = (target: string, file: string) => ownerOf(target)('restore', '--moved', file)

  test('to PostgreSQL copies every row of every table, and new rows get new numbers', async () => {
    const { file, tables, before } = await source()
    for (const table of tables) expect(before[table], table).not.toEqual([])
    const target = await postgres.newDatabase()
    expect(await moveTo(target, file)).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^Everything moves: 1,102 people,[^]* holds all of /),
    })
    const there = await open(target)
    expect(await everything(there, tables)).toEqual(before)
    expect(await addPeople(there, ['new@b.co'])).toEqual([1_103])
  })

  test('back to SQLite copies every row of every table', async () => {
    const { file, tables, before } = await source()
    const target = await postgres.newDatabase()
    await moveTo(target, file)
    const backup = join(temporaryFolder(), 'backup.db')
    await ownerOf(target)('backup', backup)
    const there = join(temporaryFolder(), 'there.db')
    expect(await moveTo(`file:${there}`, backup)).toMatchObject({ code: 0 })
    expect(await running(there, (database) => everything(database, tables))).toEqual(before)
  })

  test('does not bring back the number of somebody erased, there and back', async () => {
    const { file } = await source()
    await running(file, (database) =>
      database.transaction((transaction) => eraseSubscriber(transaction, 1_102, ownerNow)),
    )
    const target = await postgres.newDatabase()
    expect(await moveTo(target, file)).toMatchObject({ code: 0 })
    const backup = join(temporaryFolder(), 'backup.db')
    expect(await ownerOf(target)('backup', backup)).toMatchObject({ code: 0 })
    expect(await addPeople(await open(target), ['new@b.co'])).toEqual([1_103])
    const back = join(temporaryFolder(), 'back.db')
    expect(await moveTo(`file:${back}`, backup)).toMatchObject({ code: 0 })
    await running(back, async (database) => {
      expect(await addPeople(database, ['new@b.co'])).toEqual([1_103])
    })
  })

  test.each([
    ['that breaks off', "raise exception 'broken off'", /broken off/],
    ['whose rows differ', "new.value := 'another'; return new", /settings differs after the copy/],
  ])('%s leaves the target empty, and the next one starts again', async (_, fault, why) => {
    const { tables, before, file } = await source()
    const target = await postgres.newDatabase()
    await at(target, async (database) => {
      await migrate(database, ownerMigrations)
      await database.script(`create function test() returns trigger language plpgsql as $$ begin ${fault}; end $$;
      create trigger test before insert on settings for each row execute function test()`)
    })
    expect(await moveTo(target, file)).toMatchObject({
      code: 1,
      aside: expect.stringMatching(why),
    })
    await at(target, async (database) => {
      expect(Object.values(await everything(database, tables)).flat()).toEqual([])
      await database.script('drop trigger test on settings')
    })
    expect(await moveTo(target, file)).toMatchObject({ code: 0 })
    expect(await everything(await open(target), tables)).toEqual(before)
  })

  test('is refused where data is, which stays unchanged', async () => {
    const { file, tables } = await source()
    const target = await postgres.newDatabase()
    const there = await open(target)
    await migrate(there, ownerMigrations)
    await subscribe(there, 'theirs@example.com')
    const held = await everything(there, tables)
    expect(await moveTo(target, file)).toMatchObject({
      code: 1,
      aside: expect.stringContaining('The database holds data already'),
    })
    expect(await everything(there, tables)).toEqual(held)
  })
})

const rowsInOtherTables = `
  insert into wordings values ('w', '{}');
  insert into limits values ('a-domain', 7, 1);
  insert into networks values ('a-network', 7, 1, 8, 2, 9, 3);
  insert into mail_minutes values (1, 7);
  insert into relay (id, last_hand_over_at) values (1, 7);
  insert into test_addresses (subscriber, key, ends_at) values (1, 'a-key', 9);
  insert into test_arrivals (subscriber, at, content_type, from_tradingview, message, verdict)
    values (1, 2, 'text/plain', 1, 'buy', '{}');
  insert into desk_sessions values ('h', 'Firefox', 1, 1);
  insert into desk_secrets values ('h', 'code', 'v', 3, 1);
  insert into desk_passkeys values ('p', 'k', 0, 'Laptop', 1, null);
  insert into desk_audit (at, act, about) values (1, 'person-erased', '7');
  insert into webhook_events (message_id, type, subscriber, occurred_at, state, due_at) values ('m', 'joined', 1, 1, 'queued', 1);
  insert into webhook_told values (1);
  insert into erased_subscribers values (7);
  insert into taken_off (subscriber, marked_at, marked_as, state) values (1, 1, 'undeliverable', 'active');
  insert into letter_pictures values ('hash-2x1.png', 'iVBORw==', 1);
  insert into page_versions (state, revision, changed_at, about, difference, files, last_changes) values ('draft', 1, 1, '', '{}', '{}', '{}');
  insert into content_files values ('a-hash', 4, 1);
  insert into content_file_parts values ('a-hash', 0, 'JVBERg==');
  insert into owner_jobs (kind, about, state, total, done, counts, started_at) values ('import', '', 'stopped', 2, 1, '{}', 1);
  insert into owner_job_pieces values (1, 0, '[1]');
  insert into imported_people values (1, 1);
  insert into mailing_hours values (1, 1);
  insert into mailings (name, audience, state, template, changed_at, starts_at, resumed_at)
    select 'news', 'everyone', 'sending', hash, 9, 9, 9 from mail_templates limit 1`

function tablesIn(path: string): string[] {
  using file = new DatabaseSync(path, { readOnly: true })
  return tablesOf(file)
}

async function everything(
  reader: Reader,
  tables: readonly string[],
): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await reader.rows<object>(sql`select * from ${raw(table)}`)
    all[table] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return all
}
