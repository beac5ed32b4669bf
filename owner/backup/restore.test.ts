import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import {
  addressesIn,
  backedUp,
  importPeople,
  makeBad,
  namesBeside,
  rowsIn,
  running,
  signUp,
  statesIn,
} from '#rigs/owner/backed-up-list.ts'
import { ownerNow, ownerOf } from '#rigs/owner/owner-commands.ts'
import { settle, subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, siteMigrations } from '#server/database/open-database.ts'
import { readSecret } from '#server/database/settings.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { openTestAddress } from '#server/test-address/test-addresses.ts'
import { startRetry } from '#owner/mail/retry-deliveries.ts'
import { ownerMigrations } from '../tables/migrations.ts'

describe.skipIf(testsRunOnPostgres)('restoring a backup', () => {
  test('the backup replaces the database, which is kept', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, async (database) => {
      await importPeople(file, 'imported@example.com')
      await signUp(database, 'after@example.com')
      await database.transaction((transaction) =>
        transaction.run(
          sql`insert into page_versions (state, revision, changed_at, about, difference, files, last_changes)
            values ('published', 1, 1, 'News', '{}', '{}', '{}')`,
        ),
      )
    })
    const kept = 'test.db.before-restore-2026-01-02T03-04-05-000Z'
    expect(await restore()).toEqual({
      code: 0,
      aside: '',
      printed:
        'Kept: the list as it is now, and the mail to it. Since the backup:\n' +
        '  signed up 1, imported 1, left or came back as undeliverable 0, erased 0, mails sent 0; limits and daily counts.\n' +
        'Undone, because all else is as in the backup:\n' +
        '  published versions of the page 1; settings, drafts and sign-ins of the desk.\n' +
        'Mails not sent yet, which the server will send: 2.\n' +
        `${file} is the backup now; start the server.\n` +
        `The database it replaces is kept as ${join(dirname(file), kept)}.\n`,
    })
    const all = ['before@example.com', 'imported@example.com', 'after@example.com']
    expect(addressesIn(file)).toEqual(all)
    expect(rowsIn(file, 'select about from page_versions')).toEqual([])
    expect(namesBeside(file)).toEqual([kept])
    expect(addressesIn(join(dirname(file), kept))).toEqual(all)
    await running(file, (database) => signUp(database, 'new@example.com'))
    expect(rowsIn(file, 'select max(id) as id from subscribers')).toEqual([{ id: 4 }])
  })

  test('a retry that was under way when the backup was made does not go on after a restore over a lost database', async () => {
    const { file, backup, restore } = await backedUp()
    await running(file, async (database) => {
      const id = await signUp(database, 'ada@example.com', 'failed')
      await startRetry(database, [id], ownerNow)
    })
    rmSync(backup)
    await ownerOf(`file:${file}`)('backup', backup)
    rmSync(file)
    await restore()
    expect(rowsIn(file, 'select id from owner_jobs')).toEqual([])
    expect(rowsIn(file, 'select job from owner_job_pieces')).toEqual([])
  })

  test('a test address of the backup has ended', async () => {
    const { file, backup, restore } = await backedUp()
    await running(file, async (database) => {
      const id = await signUp(database, 'ada@example.com')
      await database.transaction((transaction) => openTestAddress(transaction, id, ownerNow))
    })
    rmSync(backup)
    await ownerOf(`file:${file}`)('backup', backup)
    await restore()
    expect(rowsIn(file, 'select key from test_addresses')).toEqual([])
  })

  test('in a terminal a restore says what it keeps and undoes before it asks', async () => {
    const { file, backup } = await backedUp('before@example.com')
    rowsIn(file, "insert into settings values ('a-setting', '')")
    const settings = () => rowsIn(file, "select value from settings where name = 'a-setting'")
    let shown = ''
    let answer = 'no'
    const owner = ownerOf(
      `file:${file}`,
      {},
      {
        write: async (text) => void (shown += text),
        ask: async ({ message }) => {
          shown += message
          return answer
        },
      },
    )
    expect(await owner('restore', backup)).toMatchObject({
      code: 1,
      aside: 'Nothing was changed.\n',
    })
    expect(shown).toMatch(/mails sent 0;[^]*Restore .*backup\.db\? Type yes\.$/)
    expect(settings()).toHaveLength(1)
    expect(namesBeside(file)).toEqual([])
    answer = 'yes'
    expect(await owner('restore', backup)).toMatchObject({ code: 0 })
    expect(settings()).toEqual([])
  })

  test('with --yes a restore does not ask', async () => {
    const { file, backup } = await backedUp('before@example.com')
    const ask = () => Promise.reject(new Error('it asked'))
    const owner = ownerOf(`file:${file}`, {}, { ask })
    expect(await owner('restore', backup, '--yes')).toMatchObject({ code: 0 })
  })

  test('nothing is restored while a server runs', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, async (database) => {
      await signUp(database, 'after@example.com')
      expect(await restore()).toEqual({
        code: 1,
        printed: '',
        aside: 'A server is using the database: stop it first. Nothing was changed.\n',
      })
    })
    expect(addressesIn(file)).toContain('after@example.com')
  })

  test('a restore that fails leaves the database unchanged', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, (database) => signUp(database, 'after@example.com'))
    // Makes the last step fail.
    writeFileSync(`${file}.before-restore-2026-01-02T03-04-05-000Z`, '')
    expect(await restore()).toMatchObject({ code: 1, aside: expect.stringContaining('EEXIST') })
    expect(addressesIn(file)).toEqual(['before@example.com', 'after@example.com'])
    expect(namesBeside(file)).toHaveLength(1)
  })

  test.each([
    ['text', 'it is not a SQLite database'],
    ['of another program', 'it is another database'],
    ['damaged', 'it is damaged'],
  ])('a file that is %s is not restored', async (kind, why) => {
    const { file, backup, restore } = await backedUp('before@example.com')
    makeBad(backup, kind)
    expect((await restore()).aside).toBe(
      `${backup} cannot be restored: ${why}. Nothing was changed.\n`,
    )
    expect(addressesIn(file)).toEqual(['before@example.com'])
    expect(namesBeside(file)).toEqual([])
  })

  test.each([
    [
      'trigger "t"',
      `create trigger t after insert on subscribers begin
        insert into desk_sessions values ('planted', 'Firefox', 1, 9e15); end`,
    ],
    ['view "t"', 'create view t as select * from subscribers'],
    ['table "t"', 'create virtual table t using fts5 (a)'],
  ])('a backup with a planted %s is refused', async (what, planted) => {
    const { file, backup, restore } = await backedUp('before@example.com')
    rowsIn(backup, planted)
    expect(await restore()).toMatchObject({
      code: 1,
      aside: `${backup} cannot be restored: it has a ${what}, which this program never makes. Nothing was changed.\n`,
    })
    expect(addressesIn(file)).toEqual(['before@example.com'])
    expect(namesBeside(file)).toEqual([])
  })

  test('a folder is not restored', async () => {
    const { file } = await backedUp('before@example.com')
    const folder = temporaryFolder()
    expect(await ownerOf(`file:${file}`)('restore', folder)).toMatchObject({
      code: 1,
      aside: `There is no file ${folder}.\n`,
    })
  })

  test('sign-ins at the desk and an unused first link are left out', async () => {
    const { file, backup, restore } = await backedUp('ada@example.com')
    rowsIn(backup, "insert into desk_sessions values ('hash', 'Firefox', 1, 1)")
    rowsIn(backup, "insert into desk_secrets values ('h', 'code', 'v', 3, 1)")
    rowsIn(backup, "insert into settings values ('desk-start', 'hash')")
    rowsIn(backup, "insert into desk_passkeys values ('p', 'k', 0, 'Laptop', 1, null)")
    expect(await restore()).toMatchObject({ code: 0 })
    for (const table of ['sessions', 'secrets', 'passkeys']) {
      expect(rowsIn(file, `select * from desk_${table}`)).toEqual([])
    }
    expect(rowsIn(file, "select * from settings where name = 'desk-start'")).toEqual([])
  })

  test('a backup of a newer version is refused', async () => {
    const { file, backup, restore } = await backedUp('ada@example.com')
    rowsIn(backup, "insert into migrations values ('9999-later')")
    const why = expect.stringContaining('The backup is from a newer version')
    expect(await restore()).toEqual({ code: 1, printed: '', aside: why })
    expect(addressesIn(file)).toEqual(['ada@example.com'])
    expect(namesBeside(file)).toEqual([])
  })

  test('a backup from before a table of ours is brought up to date', async () => {
    const { file, restore, backup } = await backedUp('ada@example.com')
    rmSync(backup)
    await running(backup, async (database) => {
      await migrate(database, siteMigrations)
      await subscribe(database, 'older@example.com')
    })
    expect(await restore()).toMatchObject({ code: 0 })
    expect(addressesIn(file)).toEqual(['older@example.com'])
    expect(rowsIn(file, 'select act from desk_audit')).toEqual([])
  })

  test('a database that the server has not brought up to date yet is left as it is', async () => {
    const { file, restore } = await backedUp('ada@example.com')
    rowsIn(file, "delete from migrations where name like '0101%'")
    expect(await restore()).toMatchObject({
      code: 1,
      aside:
        'The database is from an older version of this program: start the server once to bring it up to date.\n',
    })
  })
})

describe.skipIf(testsRunOnPostgres)('when the replaced database tells nothing', () => {
  test('unsent mail is held, the owner is told so, and sends it', async () => {
    const { file, backup, restore } = await backedUp(
      'owed@example.com',
      'sending@example.com',
      'sent@example.com',
    )
    rowsIn(
      backup,
      "update deliveries set state = case id when 2 then 'sending' when 3 then 'sent' else state end",
    )
    rmSync(file)
    expect((await restore()).printed).toBe(
      'What happened since the backup was made is not known: the database it replaces is missing, damaged, from a newer version, or from another site.\n' +
        'Held back, because they may have been sent since: 2 mails. "npm run owner -- deliveries retry held" sends them, some a second time.\n' +
        'Letters sent since are not known: sending the same again mails people twice.\n' +
        'People who unsubscribed or were erased since then are on the list again: unsubscribe or erase them once more.\n' +
        `${file} is the backup now; start the server.\n`,
    )
    const states = (held: string) => [
      `owed@example.com active ${held}`,
      `sending@example.com active ${held}`,
      'sent@example.com active sent',
    ]
    expect(statesIn(file)).toEqual(states('held'))
    expect(await ownerOf(`file:${file}`)('deliveries', 'retry', 'held')).toMatchObject({ code: 0 })
    expect(statesIn(file)).toEqual(states('queued'))
  })

  test('a letter under way ends', async () => {
    const { file, backup, restore } = await backedUp('waits@example.com')
    await running(backup, (database) => announce(database, 'everyone'))
    rmSync(file)
    expect(await restore()).toMatchObject({ code: 0 })
    expect(rowsIn(file, 'select state from mailings')).toEqual([{ state: 'cancelled' }])
    expect(rowsIn(file, 'select state from deliveries order by id')).toEqual([
      { state: 'held' },
      { state: 'cancelled' },
    ])
  })

  test.each(['text', 'damaged', 'of another program'])(
    'a replaced database that is %s is not read',
    async (kind) => {
      const { file, restore } = await backedUp('owed@example.com')
      await running(file, (database) => settle(database, 1, 'sent'))
      makeBad(file, kind)
      const bad = readFileSync(file)
      expect((await restore()).printed).toContain(
        'What happened since the backup was made is not known',
      )
      expect(statesIn(file)).toEqual(['owed@example.com active held'])
      const [kept] = namesBeside(file)
      expect(readFileSync(join(dirname(file), kept!)).equals(bad)).toBe(true)
    },
  )

  test('a write-ahead log without its database is not applied to the backup', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, async (database) => {
      await subscribe(database, 'after@example.com')
      copyFileSync(`${file}-wal`, `${file}.log`)
    })
    rmSync(file)
    copyFileSync(`${file}.log`, `${file}-wal`)
    expect(await restore()).toMatchObject({ code: 0 })
    expect(addressesIn(file)).toEqual(['before@example.com'])
  })

  test('another site tells nothing', async () => {
    const { file, restore } = await backedUp('owed@example.com')
    rmSync(file)
    await running(file, async (database) => {
      await migrate(database, ownerMigrations)
      await database.transaction(readSecret)
      for (const name of ['one', 'two']) await subscribe(database, `${name}@example.com`)
      for (const id of [1, 2]) await erase(database, id)
    })
    expect((await restore()).printed).toContain('or from another site')
    expect(statesIn(file)).toEqual(['owed@example.com active held'])
  })

  test('numbers that were given since are not given again', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, (database) => signUp(database, 'lost@example.com'))
    rmSync(file)
    await restore()
    await running(file, (database) => signUp(database, 'new@example.com'))
    expect(rowsIn(file, 'select max(id) as id from subscribers')).toEqual([{ id: 1_000_002 }])
  })
})

describe.skipIf(testsRunOnPostgres)('a move', () => {
  /** A stopped server's backup, with a sign-in and a letter under way, and where it moves to. */
  async function leaving() {
    const { file, backup } = await backedUp('ada@example.com')
    rmSync(backup)
    rowsIn(file, "insert into desk_sessions values ('hash', 'Firefox', 1, 1)")
    await running(file, (database) => announce(database, 'everyone'))
    await ownerOf(`file:${file}`)('backup', backup)
    const there = join(temporaryFolder(), 'there.db')
    return { file, backup, there, move: (from = backup) => moveTo(there, from) }
  }
  const moveTo = (there: string, from: string) =>
    ownerOf(`file:${there}`)('restore', '--moved', from)

  test('takes everything as it is: sign-ins, unsent mail, a letter under way, and the next number', async () => {
    const { backup, there, move } = await leaving()
    expect(await move()).toEqual({
      code: 0,
      aside: '',
      printed:
        'Everything moves: 1 person, 2 mails, the page, settings and sign-ins. Nothing is held back or undone.\n' +
        `${there} holds all of ${backup} now; start the server.\n`,
    })
    for (const table of ['subscribers', 'deliveries', 'mailings', 'settings', 'desk_sessions']) {
      const rows = `select * from ${table}`
      expect(rowsIn(there, rows), table).toEqual(rowsIn(backup, rows))
    }
    await running(there, (database) => signUp(database, 'new@example.com'))
    expect(rowsIn(there, 'select max(id) as id from subscribers')).toEqual([{ id: 2 }])
  })

  test('is refused where data is, and changes nothing', async () => {
    const { there, move } = await leaving()
    await running(there, async (database) => {
      await migrate(database, ownerMigrations)
      await subscribe(database, 'theirs@example.com')
    })
    expect(await move()).toEqual({
      code: 1,
      printed: '',
      aside: `${there} holds data already: move into an empty database. Nothing was changed.\n`,
    })
    expect(addressesIn(there)).toEqual(['theirs@example.com'])
  })

  test.each([
    ['an empty file', (there: string) => writeFile(there, '')],
    [
      'a database without rows',
      (there: string) => running(there, (database) => migrate(database, ownerMigrations)),
    ],
  ])('goes into %s', async (_, prepare) => {
    const { there, move } = await leaving()
    await prepare(there)
    expect(await move()).toMatchObject({ code: 0 })
    expect(addressesIn(there)).toEqual(['ada@example.com'])
  })

  test('is refused while a server uses the file that moves', async () => {
    const { file, there, move } = await leaving()
    await running(file, async (database) => {
      await database.rows(sql`select name from settings`)
      expect(await move(file)).toMatchObject({
        code: 1,
        aside: 'A server is using the database: stop it first. Nothing was changed.\n',
      })
    })
    expect(existsSync(there)).toBe(false)
    expect(await move(file)).toMatchObject({ code: 0 })
  })

  test('of another file is refused with the reason', async () => {
    const { backup, move } = await leaving()
    makeBad(backup, 'text')
    expect((await move()).aside).toBe(
      `${backup} cannot be restored: it is not a SQLite database. Nothing was changed.\n`,
    )
  })
})

function erase(database: Database, id: number) {
  return database.transaction((transaction) => eraseSubscriber(transaction, id, ownerNow))
}

/** A letter under way, with a mail to everybody. */
function announce(database: Database, audience: string) {
  return database.transaction(async (transaction) => {
    await transaction.run(sql`
      insert into mailings (name, audience, state, template, changed_at, starts_at, resumed_at)
      select 'news', ${audience}, 'sending', hash, 9, 9, 9 from mail_templates`)
    await transaction.run(sql`
      insert into deliveries (subscriber, mailing, message_id, template, state, priority, due_at, queued_at)
      select s.id, a.id, 'to ' || s.id, a.template, 'queued', 9, 9, 9 from subscribers s, mailings a order by s.id`)
  })
}
