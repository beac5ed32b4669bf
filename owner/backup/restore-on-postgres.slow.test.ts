import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgresPrograms } from '#rigs/database/postgres-programs.ts'
import { type SharedPostgresServer, sharedPostgresServer } from '#rigs/database/postgres-server.ts'
import { addressesIn, signUp, statesIn } from '#rigs/owner/backed-up-list.ts'
import { ownerNow, ownerOf } from '#rigs/owner/owner-commands.ts'
import { settle } from '#rigs/owner/owner-terminal.ts'
import { pngOf } from '#rigs/server/png.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { readSecret } from '#server/database/settings.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { addPicture } from '#owner/mailings/letters/pictures.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { copyFromPostgres, replaceInPostgres } from './between-engines.ts'
import { countOf, openSqliteFile } from './sqlite-files.ts'

// The rest of a restore is the same code as on SQLite, and tested there.
describe.skipIf(!findPostgresPrograms())('a restore on PostgreSQL', () => {
  let postgres: SharedPostgresServer
  beforeAll(async () => {
    postgres = (await sharedPostgresServer())!
  })
  afterAll(() => postgres.destroy())

  /** The database of stopped servers with an unsent mail to each of `addresses`, and a backup. */
  async function backedUp(...addresses: string[]) {
    const url = await postgres.newDatabase()
    await running(url, async (database) => {
      await migrate(database, ownerMigrations)
      await database.transaction(readSecret)
      for (const address of addresses) await signUp(database, address)
    })
    const backup = join(temporaryFolder(), 'backup.db')
    const owner = ownerOf(url)
    expect(await owner('backup', backup)).toMatchObject({ code: 0 })
    return { url, backup, owner, restore: () => owner('restore', backup) }
  }

  test('keeps the list as it is: who signed up, was imported, left or was erased, and what was sent', async () => {
    const { url, owner, restore } = await backedUp('sent@example.com', 'left@x.com', 'erased@x.com')
    await running(url, async (database) => {
      await settle(database, 1, 'sent')
      await signUp(database, 'new@example.com')
      await database.transaction(async (transaction) => {
        await leaveTheList(transaction, 2, 'unsubscribed', ownerNow)
        await eraseSubscriber(transaction, 3, ownerNow)
      })
    })
    const people = join(temporaryFolder(), 'people.csv')
    writeFileSync(people, 'email\nimported@example.com')
    await owner('subscribers', 'import', people)
    const before = await states(url)
    expect((await restore()).printed).toContain(
      'signed up 1, imported 1, left or came back as undeliverable 1, erased 1, mails sent 1;',
    )
    expect(await states(url)).toEqual(before)
    await running(url, (database) => signUp(database, 'next@example.com'))
    expect(await rows(url, sql`select max(id) as id from subscribers`)).toEqual([{ id: 6 }])
  })

  test('is refused while a server uses the database', async () => {
    const { url, restore } = await backedUp('ada@example.com')
    await running(url, async (database) => {
      await database.row(sql`select 1`)
      expect(await restore()).toMatchObject({
        code: 1,
        aside: 'A server is using the database: stop it first. Nothing was changed.\n',
      })
    })
  })

  test('waits for the end of a connection', async () => {
    const { url, restore } = await backedUp('ada@example.com')
    let restoring: ReturnType<typeof restore> | undefined
    await running(url, async (database) => {
      restoring = restore()
      const look = sql`
        select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and query like '%pg_stat_activity%'`
      await expect.poll(() => database.row(look)).toBeDefined()
    })
    expect(await restoring).toMatchObject({ code: 0 })
  })

  test.each([
    [
      "insert into migrations values ('9999-later')",
      'The database is from a newer version of this program: restore into an empty one. Nothing was changed.\n',
    ],
    [
      "delete from migrations where name like '0101%'",
      'The database is from an older version of this program: start the server once to bring it up to date.\n',
    ],
  ])('is refused in a database of another version: %s', async (change, aside) => {
    const { url, backup, restore } = await backedUp('ada@example.com')
    await running(url, (database) => database.script(change))
    expect(await restore()).toEqual({ code: 1, printed: '', aside })
    expect(readdirSync(dirname(backup))).toEqual(['backup.db'])
  })

  test('is refused if a server starts while it asks', async () => {
    const { url, backup } = await backedUp('ada@example.com')
    const { restoring, server } = await askedWhileServerStarts(url, backup)
    expect(await restoring).toMatchObject({
      code: 1,
      aside: 'A server is using the database: stop it first. Nothing was changed.\n',
    })
    await server.close()
    expect(await states(url)).toEqual(['ada@example.com active queued'])
  })

  test('goes on once the server that started while it asked has ended', async () => {
    const { url, backup } = await backedUp('ada@example.com')
    const { restoring, server } = await askedWhileServerStarts(url, backup)
    const looks = sql`
      select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        and query like '%pg_stat_activity%'`
    await expect.poll(() => server.row(looks)).toBeDefined()
    await server.close()
    expect(await restoring).toMatchObject({ code: 0 })
  })

  test('leaves beside the backup what it replaced, under the name that it prints', async () => {
    const { backup, restore } = await backedUp('ada@example.com')
    const kept = `${backup}.before-restore-2026-01-02T03-04-05-000Z`
    expect((await restore()).printed).toContain(
      `\nThe database as it was is kept as ${kept}.\nThe database is the backup now; start the servers.\n`,
    )
    expect(readdirSync(dirname(backup)).toSorted()).toEqual(['backup.db', basename(kept)])
  })

  test('is undone by restoring the file that it kept', async () => {
    const { url, owner, restore } = await backedUp('ada@example.com')
    const setting = sql`select value from settings where name = 'a-setting'`
    await running(url, (database) =>
      database.script("insert into settings values ('a-setting', 'kept')"),
    )
    const { printed } = await restore()
    const kept = /kept as (.*)\.\n/.exec(printed)![1]!
    expect(existsSync(kept)).toBe(true)
    expect(await rows(url, setting)).toEqual([])
    expect(await owner('restore', kept)).toMatchObject({ code: 0 })
    expect(await rows(url, setting)).toEqual([{ value: 'kept' }])
  })

  test('that fails after its rows are written leaves what it replaced, and has named the file', async () => {
    const { url, owner, restore } = await backedUp('ada@example.com')
    await running(url, (database) => signUp(database, 'new@example.com'))
    await running(url, (database) =>
      database.script(`
        create function doubled(n integer) returns integer immutable language sql as 'select 2 * n';
        create table others (n integer);
        create index others_doubled on others (doubled(n));
        insert into others values (1);
        create or replace function doubled(n integer) returns integer immutable language plpgsql
          as 'begin raise exception ''analyze fails''; end'`),
    )
    const { code, printed } = await restore()
    expect(code).toBe(1)
    const kept = /kept as (.*)\.\n/.exec(printed)![1]!
    expect(addressesIn(kept)).toEqual(['ada@example.com', 'new@example.com'])
    await running(url, (database) => database.script('drop table others'))
    expect(await owner('restore', kept)).toMatchObject({ code: 0 })
  })

  test('into an empty database holds unsent mail, which may have been sent since', async () => {
    const { backup } = await backedUp('ada@example.com')
    const url = await postgres.newDatabase()
    expect((await ownerOf(url)('restore', backup)).printed).toContain('Held back')
    expect(await states(url)).toEqual(['ada@example.com active held'])
    await running(url, (database) => signUp(database, 'new@example.com'))
    const [newest] = await rows<{ id: number }>(url, sql`select max(id) as id from subscribers`)
    expect(newest!.id).toBeGreaterThan(1_000_000)
  })

  test('a backup is one closed file, also after one that was killed', async () => {
    const { owner } = await backedUp('ada@example.com')
    const backup = join(temporaryFolder(), 'again.db')
    writeFileSync(`${backup}.unfinished`, 'of a backup that was killed')
    expect((await owner('backup', backup)).printed).toBe(
      `${backup} holds a checked copy of the database. It holds addresses: keep it as safe as the database.\n`,
    )
    expect(readdirSync(dirname(backup))).toEqual(['again.db'])
    expect(statSync(backup).mode & 0o777).toBe(0o600)
  })

  test('a backup holds one moment, also if somebody signs up meanwhile', async () => {
    const { url } = await backedUp('ada@example.com')
    const path = join(temporaryFolder(), 'copy.db')
    await running(url, (database) =>
      copyFromPostgres(
        watched(database, async (query) => {
          if (!query.sql.startsWith('declare') || !query.sql.endsWith('from deliveries')) return
          await running(url, (another) => signUp(another, 'new@example.com'))
        }),
        path,
      ),
    )
    expect(statesIn(path)).toEqual(['ada@example.com active queued'])
    expect(await states(url)).toHaveLength(2)
    using copy = openSqliteFile(path)
    expect(countOf(copy, '(select count(*) from deliveries)')).toBe(1)
  })

  test('writes large rows a few at a time, so that no statement is large', async () => {
    const { url, backup } = await backedUp('ada@example.com')
    using source = openSqliteFile(backup)
    const picture = source.prepare('insert into letter_pictures values (?, ?, 1)')
    for (const name of ['a', 'b', 'c', 'd']) picture.run(`${name}-1x1.png`, 'A'.repeat(3_000_000))
    const lengths: number[] = []
    await running(url, (database) =>
      replaceInPostgres(
        source,
        watched(database, ({ values }) => void lengths.push(String(values[0]).length)),
      ),
    )
    expect(Math.max(...lengths)).toBeLessThan(8_000_000)
    expect(await rows(url, sql`select count(*) as n from letter_pictures`)).toEqual([{ n: 4 }])
  })

  test('reads pictures of letters one at a time, so that no answer is large', async () => {
    const { url } = await backedUp('ada@example.com')
    const path = join(temporaryFolder(), 'copy.db')
    const answers: number[] = []
    await running(url, async (database) => {
      for (const width of [1, 2, 3]) await addPicture(database, pngOf(width, 1), ownerNow)
      await copyFromPostgres(countingPictures(database, answers), path)
    })
    expect(answers).toEqual([1, 1, 1, 0])
    using copy = openSqliteFile(path)
    expect(countOf(copy, '(select count(*) from letter_pictures)')).toBe(3)
  })

  test('takes a backup of SQLite, and SQLite takes one of PostgreSQL', async () => {
    const { backup } = await backedUp('ada@example.com')
    const file = join(temporaryFolder(), 'test.db')
    await ownerOf(`file:${file}`)('restore', backup)
    expect(statesIn(file)).toEqual(['ada@example.com active held'])
    const ofSqlite = join(temporaryFolder(), 'sqlite.db')
    await ownerOf(`file:${file}`)('backup', ofSqlite)
    expect(addressesIn(ofSqlite)).toEqual(['ada@example.com'])
    const url = await postgres.newDatabase()
    await ownerOf(url)('restore', ofSqlite)
    expect(await states(url)).toEqual(['ada@example.com active held'])
  })
})

/** Notes how many pictures are in each answer of the database. */
function countingPictures(database: Database, answers: number[]): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) => {
        let isOfPictures = false
        return work({
          ...transaction,
          run(query) {
            if (query.sql.startsWith('declare')) isOfPictures = query.sql.includes('pictures')
            return transaction.run(query)
          },
          async rows<Row>(query: Sql) {
            const found = await transaction.rows<Row>(query)
            if (isOfPictures && query.sql.startsWith('fetch')) answers.push(found.length)
            return found
          },
        })
      }),
  }
}

/** `before`: waited for before each statement of a transaction. */
function watched(database: Database, before: (query: Sql) => void | Promise<void>): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          ...transaction,
          async run(query) {
            await before(query)
            return transaction.run(query)
          },
          async rows<Row>(query: Sql) {
            await before(query)
            return transaction.rows<Row>(query)
          },
        }),
      ),
  }
}

/** A restore that was answered with yes, and a server that started before the answer. */
async function askedWhileServerStarts(url: string, backup: string) {
  const started = Promise.withResolvers<Database>()
  const ask = async () => {
    const server = await openDatabase(url)
    await server.row(sql`select 1`)
    started.resolve(server)
    return 'yes'
  }
  const restoring = ownerOf(url, {}, { ask })('restore', backup)
  return { restoring, server: await started.promise }
}

/** As a server that has the database open meanwhile. */
async function running<Result>(
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

function rows<Row>(url: string, query: Sql): Promise<Row[]> {
  return running(url, (database) => database.rows<Row>(query))
}

/** A line for each person: address, state, state of the mail. */
async function states(url: string): Promise<string[]> {
  const lines = await rows<{ line: string }>(
    url,
    sql`select s.address || ' ' || s.state || ' ' || coalesce(d.state, 'none') as line
      from subscribers s left join deliveries d on d.subscriber = s.id order by s.id, d.id`,
  )
  return lines.map(({ line }) => line)
}
