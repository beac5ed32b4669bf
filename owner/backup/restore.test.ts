import { rmSync, writeFileSync } from 'node:fs'
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
} from '#rigs/owner/backed-up-list.ts'
import { ownerNow, ownerOf } from '#rigs/owner/owner-commands.ts'
import { subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { migrate, siteMigrations } from '#server/database/open-database.ts'
import { openTestAddress } from '#server/test-address/test-addresses.ts'
import { startRetry } from '#owner/mail/retry-deliveries.ts'

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
        ask: async (question) => {
          shown += question
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

  test('the help says what becomes of the list, with an example', async () => {
    const { file } = await backedUp('before@example.com')
    const { printed } = await ownerOf(`file:${file}`)('restore', '--help')
    const words = printed.replaceAll(/\s+/g, ' ')
    for (const one of [
      'restore [options] <FILE>',
      'Replace the database of a stopped server with a backup. The list and what was sent stay as they are now, all else becomes what it was, and the old database is kept',
      '--yes Do not ask in a terminal',
      '--moved Put all of FILE into an empty database, on this or the other engine',
      'restore data/backup-2026-11-21.db',
    ]) {
      expect(words).toContain(one)
    }
  })

  test('a folder is not restored, nor a file that is not there', async () => {
    const { file } = await backedUp('before@example.com')
    const folder = temporaryFolder()
    for (const path of [folder, join(folder, 'lost.db'), join(file, 'below-a-file.db')]) {
      expect(await ownerOf(`file:${file}`)('restore', path)).toMatchObject({
        code: 1,
        aside: `There is no file ${path}.\n`,
      })
    }
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
