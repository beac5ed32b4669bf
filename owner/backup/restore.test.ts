import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { migrate } from '#server/database/open-database.ts'
import { readSecret } from '#server/database/settings.ts'
import { runMaintenance } from '#server/maintenance.ts'
import { createLog } from '#server/log.ts'
import { eraseSubscribers } from '#server/subscribers/erase-subscribers.ts'
import { enrolAgain } from '#server/subscribers/subscribers.ts'
import {
  addressesIn,
  backedUp,
  makeBad,
  namesBeside,
  olderPutInPlace,
  rowsIn,
  running,
  setRow,
  statesIn,
} from '#rigs/owner/backed-up-list.ts'
import { ownerNow, ownerOf, settle, subscribe } from '#rigs/owner/owner-terminal.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { unsentAtBackup } from './carry-over.ts'

describe.skipIf(testsRunOnPostgres)('restoring a backup on SQLite', () => {
  test('the backup replaces the database, which is kept', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, (database) => subscribe(database, 'after@example.com'))
    expect(await restore()).toMatchObject({ code: 0 })
    expect(addressesIn(file)).toEqual(['before@example.com'])
    const kept = 'test.db.before-restore-2026-01-02T03-04-05-000Z'
    expect(namesBeside(file)).toEqual([kept])
    expect(addressesIn(join(dirname(file), kept))).toEqual(['before@example.com', 'after@example.com'])
  })

  test('nothing is restored while a server runs', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, async (database) => {
      await subscribe(database, 'after@example.com')
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
    await running(file, (database) => subscribe(database, 'after@example.com'))
    // Makes the last step fail.
    writeFileSync(`${file}.before-restore-2026-01-02T03-04-05-000Z`, '')
    expect(await restore()).toMatchObject({ code: 1, printed: '' })
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
    expect((await restore()).aside).toBe(`${backup} cannot be restored: ${why}. Nothing was changed.\n`)
    expect(addressesIn(file)).toEqual(['before@example.com'])
    expect(namesBeside(file)).toEqual([])
  })
})

test.skipIf(testsRunOnPostgres)('a folder is not restored', async () => {
  const { file } = await backedUp('before@example.com')
  const folder = temporaryFolder()
  expect(await ownerOf(`file:${file}`)('restore', folder)).toMatchObject({
    code: 1,
    aside: `There is no file ${folder}.\n`,
  })
})

describe.skipIf(testsRunOnPostgres)('restoring a backup that somebody tampered with', () => {
  test('leaves out triggers, views and tables that are not ours', async () => {
    const { file, backup, restore } = await backedUp('ada@example.com')
    const schema = "select name from sqlite_schema where name not like 'sqlite_%' order by name"
    const ours = rowsIn(backup, schema)
    rowsIn(backup, 'create table spy (address text)')
    rowsIn(backup, 'create view people as select address from subscribers')
    rowsIn(
      backup,
      'create trigger copy after insert on subscribers begin insert into spy values (new.address); end',
    )
    expect(await restore()).toMatchObject({ code: 0 })
    expect(addressesIn(file)).toEqual(['ada@example.com'])
    expect(rowsIn(file, schema)).toEqual(ours)
  })

  test.each([
    [
      'a changed mail template',
      "update mail_templates set content = replace(content, 'https://bot.example', 'https://evil.example')",
      'A mail template in the backup was changed by hand',
    ],
    [
      'a delivery to nobody',
      'delete from subscribers',
      'Rows in the backup refer to others that are missing',
    ],
    [
      'a view in place of a table',
      'alter table limit_windows rename to w',
      'The backup has no table limit_windows',
    ],
    ['a newer version', "insert into migrations values ('9999-later')", 'The backup is of a newer version'],
  ])('is refused for %s', async (_, tamper, why) => {
    const { file, backup, restore } = await backedUp('ada@example.com')
    tamperWith(backup, tamper)
    expect(await restore()).toEqual({ code: 1, printed: '', aside: expect.stringContaining(why) })
    expect(addressesIn(file)).toEqual(['ada@example.com'])
    expect(namesBeside(file)).toEqual([])
  })

  test('a backup of an older version is restored, and the next start brings it up to date', async () => {
    const { file, backup, restore } = await backedUp('ada@example.com')
    tamperWith(backup, "drop table daily_counts; delete from migrations where name > '0001-first'")
    expect(await restore()).toMatchObject({ code: 0 })
    await running(file, (database) => migrate(database))
    expect(addressesIn(file)).toEqual(['ada@example.com'])
    expect(rowsIn(file, "select count from daily_counts where event = 'signed-up'")).toEqual([{ count: 1 }])
  })
})

describe.skipIf(testsRunOnPostgres)('when the replaced database cannot be used', () => {
  test('an announcement under way is cancelled, its recipients stay on the list, and an earlier release is not announced without --after-restore', async () => {
    const { file, backup, restore } = await backedUp('waits@example.com')
    const insert = `insert into announcements (version, audience, state, template, signed_up_from, signed_up_before, allowance,
        judged_from, started_at) select '1.0.0', 'everyone', 'running', template, 0, 9e15, 100, 0, 0 from deliveries;
      update deliveries set state = 'sent';
      insert into deliveries (subscriber, message_id, template, state, due_at, queued_at, lane, announcement)
        select subscriber, '<m>', template, 'queued', 9, 9, 9, 1 from deliveries`
    tamperWith(backup, insert)
    rmSync(file)
    expect(await restore()).toMatchObject({ code: 0 })
    expect(rowsIn(file, 'select state, is_queued from announcements')).toEqual([
      { state: 'cancelled', is_queued: 1 },
    ])
    expect(rowsIn(file, 'select state from deliveries order by id')).toEqual([
      { state: 'sent' },
      { state: 'cancelled' },
    ])
    expect(rowsIn(file, 'select state from subscribers')).toEqual([{ state: 'active' }])
    expect(rowsIn(file, "select value from settings where name = 'restored-unknowing'")).toHaveLength(1)
  })

  test('unsent mail is not sent automatically, and the owner is told so', async () => {
    const { file, backup, restore } = await backedUp(
      'owed@example.com',
      'sending@example.com',
      'sent@example.com',
    )
    const made = new DatabaseSync(backup)
    made.exec("update deliveries set state = case id when 2 then 'sending' when 3 then 'sent' else state end")
    made.close()
    rmSync(file)
    const { printed } = await restore()
    expect(printed).toContain('Mails that were owed then, and may have been sent since: 2.')
    expect(printed).toContain('"npm run owner -- deliveries retry failed" sends them')
    expect(printed).not.toContain('is kept as')
    expect(statesIn(file)).toEqual([
      `owed@example.com undeliverable failed: ${unsentAtBackup}`,
      `sending@example.com undeliverable failed: ${unsentAtBackup}`,
      'sent@example.com active sent',
    ])
  })

  test('a new sign-up gets a new mail, and the owner can retry the others', async () => {
    const { file, restore } = await backedUp('asks@example.com', 'waits@example.com')
    rmSync(file)
    await restore()
    const asks = { identity: 'asks@example.com', address: 'asks@example.com', abuse_key: null }
    const enrolled = await running(file, ({ query }) => enrolAgain(query, [asks], ownerNow))
    expect(enrolled).toHaveLength(1)
    expect(await ownerOf(`file:${file}`)('deliveries', 'retry', '2')).toMatchObject({ code: 0 })
    expect(statesIn(file)[1]).toBe(`waits@example.com active queued: ${unsentAtBackup}`)
  })

  test('people who may have opened their page since are not erased as unopened', async () => {
    const { file, backup, restore } = await backedUp('opened@example.com')
    rowsIn(backup, "update deliveries set state = 'sent'")
    setRow(backup, 'unopened-counted-since', '5')
    rmSync(file)
    const later = 90 * 24 * 60 * 60_000
    await restore(later)
    await running(file, (database) =>
      runMaintenance({
        database,
        log: createLog('error', 'key', () => {}),
        now: () => ownerNow + later,
        keepUnopenedDays: 30,
        extensions: [],
      }),
    )
    expect(addressesIn(file)).toEqual(['opened@example.com'])
  })

  test.each(['text', 'damaged', 'of another program'])(
    'a replaced database that is %s is not read',
    async (kind) => {
      const { file, restore } = await backedUp('owed@example.com')
      await running(file, (database) => settle(database, 1, 'sent'))
      makeBad(file, kind)
      const bad = readFileSync(file)
      expect((await restore()).printed).toContain('What happened since the backup was made is not known')
      expect(statesIn(file)).toEqual([`owed@example.com undeliverable failed: ${unsentAtBackup}`])
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

  test('people unknown to an unrelated database do not count as erased', async () => {
    const { file, restore } = await backedUp('owed@example.com')
    rmSync(file)
    await running(file, async (database) => {
      await migrate(database)
      await readSecret(database.query)
      for (const name of ['one', 'two']) await subscribe(database, `${name}@example.com`)
      await eraseSubscribers(database, [1, 2], ownerNow)
    })
    expect((await restore()).printed).toContain('does not continue this backup')
    expect(statesIn(file)).toEqual([`owed@example.com undeliverable failed: ${unsentAtBackup}`])
  })

  test.each([0, 3])(
    'people unknown to an older backup in its place, with %i sign-ups since, do not count as erased',
    async (since) => {
      const { file, newer } = await olderPutInPlace('first@example.com', 'second@example.com')
      await running(file, async (database) => {
        for (let index = 0; index < since; index += 1) await subscribe(database, `other-${index}@example.com`)
      })
      expect(await ownerOf(`file:${file}`)('restore', newer)).toMatchObject({ code: 0 })
      expect(addressesIn(file)).toEqual(['first@example.com', 'second@example.com'])
      expect(statesIn(file)[1]).toBe('second@example.com active sent')
    },
  )

  test('mail that the backup calls sent stays sent after an older backup was in its place', async () => {
    const { file, restore } = await backedUp('sent@example.com')
    const newer = join(temporaryFolder(), 'newer.db')
    await running(file, (database) => settle(database, 1, 'sent'))
    await ownerOf(`file:${file}`)('backup', newer)
    rmSync(file)
    await restore()
    expect(statesIn(file)).toEqual([`sent@example.com undeliverable failed: ${unsentAtBackup}`])
    await ownerOf(`file:${file}`)('restore', newer)
    expect(rowsIn(file, 'select state from deliveries')).toEqual([{ state: 'sent' }])
  })
})

function tamperWith(file: string, script: string) {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec(script)
  database.close()
}
