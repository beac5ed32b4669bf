import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import {
  addressesIn,
  backedUp,
  makeBad,
  namesBeside,
  olderPutInPlace,
  rowsIn,
  running,
  statesIn,
} from '#rigs/owner/backed-up-list.ts'
import { ownerNow, ownerOf, settle, subscribe } from '#rigs/owner/owner-terminal.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, siteMigrations } from '#server/database/open-database.ts'
import { readSecret } from '#server/database/settings.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { blockInbox, leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import { ownerMigrations } from '../tables/migrations.ts'

describe.skipIf(testsRunOnPostgres)('restoring a backup', () => {
  test('the backup replaces the database, which is kept', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, (database) => subscribe(database, 'after@example.com'))
    const kept = 'test.db.before-restore-2026-01-02T03-04-05-000Z'
    expect(await restore()).toEqual({
      code: 0,
      aside: '',
      printed:
        `${file} is the backup now; start the server.\n` +
        'What happened since to the people in it is applied: sent mail is not sent again, and people who left stay away.\n' +
        'Mails not sent yet, which the server will send: 1.\n' +
        'People who signed up since are only in the database it replaces.\n' +
        `The database it replaces is kept as ${join(dirname(file), kept)}.\n`,
    })
    expect(addressesIn(file)).toEqual(['before@example.com'])
    expect(namesBeside(file)).toEqual([kept])
    expect(addressesIn(join(dirname(file), kept))).toEqual([
      'before@example.com',
      'after@example.com',
    ])
    await running(file, (database) => subscribe(database, 'new@example.com'))
    expect(rowsIn(file, 'select max(id) as id from subscribers')).toEqual([{ id: 3 }])
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
    expect((await restore()).aside).toBe(
      `${backup} cannot be restored: ${why}. Nothing was changed.\n`,
    )
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

  test('sign-ins at the desk are left out', async () => {
    const { file, backup, restore } = await backedUp('ada@example.com')
    rowsIn(backup, "insert into desk_sessions values ('hash', 'Firefox', 1, 1)")
    rowsIn(backup, "insert into desk_secrets values ('h', 'code', 'v', 3, 1)")
    rowsIn(backup, "insert into desk_passkeys values ('p', 'k', 0, 'Laptop', 1, null)")
    expect(await restore()).toMatchObject({ code: 0 })
    for (const table of ['sessions', 'secrets', 'passkeys']) {
      expect(rowsIn(file, `select * from desk_${table}`)).toEqual([])
    }
  })

  test('a backup of a newer version is refused', async () => {
    const { file, backup, restore } = await backedUp('ada@example.com')
    rowsIn(backup, "insert into migrations values ('9999-later')")
    const why = expect.stringContaining('The backup is of a newer version')
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
})

describe.skipIf(testsRunOnPostgres)(
  'what the replaced database knows of the time since the backup',
  () => {
    test('sent mail is not sent again, its links work, and unsent mail goes out', async () => {
      const { file, restore } = await backedUp('sent@example.com', 'owed@example.com')
      await running(file, async (database) => {
        await settle(database, 1, 'sent')
        await database.transaction((transaction) =>
          transaction.run(sql`update subscribers set token = 'link' where id = 1`),
        )
      })
      expect((await restore()).printed).toContain(
        'Mails not sent yet, which the server will send: 1.',
      )
      expect(statesIn(file)).toEqual([
        'sent@example.com active sent',
        'owed@example.com active queued',
      ])
      expect(rowsIn(file, 'select token from subscribers where id = 1')).toEqual([
        { token: 'link' },
      ])
      expect(rowsIn(file, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    })

    test('who left, bounced, blocked us or decided about news stays as they are', async () => {
      const names = ['left', 'bounced', 'blocked', 'asked', 'refused']
      const { file, restore } = await backedUp(...names.map((name) => `${name}@example.com`))
      await running(file, (database) =>
        database.transaction(async (transaction) => {
          const person = (id: number) =>
            transaction.row<Subscriber>(sql`select * from subscribers where id = ${id}`)
          await leaveTheList(transaction, 1, 'unsubscribed', ownerNow)
          await leaveTheList(transaction, 2, 'undeliverable', ownerNow)
          await blockInbox(
            transaction,
            { identity: 'blocked@example.com', abuse_key: null },
            ownerNow,
          )
          await switchAnnouncements(transaction, (await person(4))!, 'on', ownerNow)
          await switchAnnouncements(transaction, (await person(5))!, 'off', ownerNow)
        }),
      )
      const now =
        'select state, announcements_agreed_at, announcements_refused_at from subscribers order by id'
      const before = rowsIn(file, now)
      expect(await restore()).toMatchObject({ code: 0 })
      expect(rowsIn(file, now)).toEqual(before)
      expect(before.map(({ state }) => state)).toEqual([
        'unsubscribed',
        'undeliverable',
        'blocked',
        'active',
        'active',
      ])
    })

    test('erased people are removed, also from the file', async () => {
      const { file, restore } = await backedUp('stays@example.com', 'marker-7f3a@example.com')
      await running(file, (database) => erase(database, 2))
      expect((await restore()).printed).toContain('People erased since are not in it: 1.\n')
      expect(statesIn(file)).toEqual(['stays@example.com active queued'])
      expect(rowsIn(file, "select value from settings where name = 'erased'")).toEqual([
        { value: '1' },
      ])
      expect(readFileSync(file).includes('marker-7f3a')).toBe(false)
    })

    test.each([
      [
        'erase 2, then 1 becomes 2',
        [
          ['erase', 2],
          ['correct', 1, 'bob@example.com'],
        ],
      ],
      [
        '1 and 2 exchange their addresses',
        [
          ['correct', 1, 'x@example.com'],
          ['correct', 2, 'ada@example.com'],
          ['correct', 1, 'bob@example.com'],
        ],
      ],
      [
        '1 is corrected, erased, and another takes the address',
        [
          ['correct', 1, 'cyd@example.com'],
          ['erase', 1],
          ['correct', 2, 'cyd@example.com'],
        ],
      ],
    ] as [string, ['erase' | 'correct', number, string?][]][])(
      'a restore works after: %s',
      async (_, steps) => {
        const { file, restore } = await backedUp('ada@example.com', 'bob@example.com')
        await running(file, async (database) => {
          for (const [act, id, to] of steps) {
            await (act === 'erase' ? erase(database, id) : correct(database, id, to!))
          }
        })
        const people = 'select id, identity, token from subscribers order by id'
        const after = rowsIn(file, people)
        expect(await restore()).toMatchObject({ code: 0 })
        expect(rowsIn(file, people)).toEqual(after)
        expect(await restore(1)).toMatchObject({ code: 0 })
        expect(rowsIn(file, people)).toEqual(after)
      },
    )

    test('nobody who was erased and signed up again gets the old mail', async () => {
      const { file, restore } = await backedUp('again@example.com')
      await running(file, async (database) => {
        await erase(database, 1)
        await settle(database, await subscribe(database, 'again@example.com'), 'sent')
      })
      expect(await restore()).toMatchObject({ code: 0 })
      expect(rowsIn(file, 'select state from deliveries')).toEqual([])
    })

    test('nothing is announced twice, also if the announcement began or was widened after the backup', async () => {
      const { file, restore } = await backedUp('sent@example.com', 'waits@example.com')
      await running(file, async (database) => {
        await announce(database, 'everyone')
        await settle(database, 3, 'sent')
      })
      expect(await restore()).toMatchObject({ code: 0 })
      expect(rowsIn(file, 'select name, audience from announcements')).toEqual([
        { name: '1.1.0', audience: 'everyone' },
      ])
      const announced =
        'select subscriber, state from deliveries where announcement is not null order by id'
      expect(rowsIn(file, announced)).toEqual([
        { subscriber: 1, state: 'sent' },
        { subscriber: 2, state: 'queued' },
      ])
    })

    test('a second restore knows it as well', async () => {
      const { file, restore } = await backedUp(
        'sent@example.com',
        'owed@example.com',
        'erased@example.com',
      )
      await running(file, (database) => settle(database, 1, 'sent'))
      await restore()
      await running(file, async (database) => {
        await settle(database, 2, 'sent')
        await erase(database, 3)
      })
      expect(await restore(1)).toMatchObject({ code: 0 })
      expect(statesIn(file)).toEqual([
        'sent@example.com active sent',
        'owed@example.com active sent',
      ])
    })
  },
)

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
      `${file} is the backup now; start the server.\n` +
        'What happened since the backup was made is not known: the database it replaces is missing, damaged, or does not continue this backup.\n' +
        'Held back, because they may have been sent since: 2 mails. "npm run owner -- deliveries retry held" sends them, some a second time.\n' +
        'Announcements since are not known: to announce the same again mails people twice.\n' +
        'People who unsubscribed or were erased since are on the list again: unsubscribe or erase them once more.\n',
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

  test('an announcement under way ends', async () => {
    const { file, backup, restore } = await backedUp('waits@example.com')
    await running(backup, (database) => announce(database, 'everyone'))
    rmSync(file)
    expect(await restore()).toMatchObject({ code: 0 })
    expect(rowsIn(file, 'select state from announcements')).toEqual([{ state: 'cancelled' }])
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

  test('people unknown to an unrelated database do not count as erased', async () => {
    const { file, restore } = await backedUp('owed@example.com')
    rmSync(file)
    await running(file, async (database) => {
      await migrate(database, ownerMigrations)
      await database.transaction(readSecret)
      for (const name of ['one', 'two']) await subscribe(database, `${name}@example.com`)
      for (const id of [1, 2]) await erase(database, id)
    })
    expect((await restore()).printed).toContain('does not continue this backup')
    expect(statesIn(file)).toEqual(['owed@example.com active held'])
  })

  test('people unknown to an older backup that was restored in between do not count as erased', async () => {
    const { file, newer } = await olderPutInPlace('first@example.com', 'second@example.com')
    for (const at of [1, 2, 3]) {
      const older = `${file}.before-restore-2026-01-02T03-04-05-001Z`
      const owner = ownerOf(`file:${file}`, {}, { now: () => ownerNow + at })
      expect(await owner('restore', at === 2 ? older : newer)).toMatchObject({ code: 0 })
    }
    expect(addressesIn(file)).toEqual(['first@example.com', 'second@example.com'])
  })

  test.each([0, 3])(
    'people unknown to an older backup in its place, with %i sign-ups since, do not count as erased',
    async (since) => {
      const { file, newer } = await olderPutInPlace('first@example.com', 'second@example.com')
      await running(file, async (database) => {
        for (let index = 0; index < since; index += 1) {
          await subscribe(database, `other-${index}@example.com`)
        }
        if (since > 0) await erase(database, 2)
      })
      expect(await ownerOf(`file:${file}`)('restore', newer)).toMatchObject({ code: 0 })
      expect(addressesIn(file)).toEqual(['first@example.com', 'second@example.com'])
      expect(statesIn(file)[1]).toBe('second@example.com active sent')
    },
  )
})

function erase(database: Database, id: number) {
  return database.transaction((transaction) => eraseSubscriber(transaction, id, ownerNow))
}

/** As the desk does it. */
function correct(database: Database, id: number, to: string) {
  return database.transaction((transaction) =>
    transaction.run(sql`
      update subscribers set identity = ${to}, address = ${to}, token = ${`link of ${to}`}, state = 'active'
      where id = ${id}`),
  )
}

/** An announcement under way, with a mail to everybody. */
function announce(database: Database, audience: string) {
  return database.transaction(async (transaction) => {
    await transaction.run(sql`
      insert into announcements (name, kind, audience, state, template, signed_up_before, starts_at, resumed_at)
      select '1.1.0', 'version', ${audience}, 'running', hash, 9, 9, 9 from mail_templates`)
    await transaction.run(sql`
      insert into deliveries (subscriber, announcement, message_id, template, state, priority, due_at, queued_at)
      select s.id, a.id, 'to ' || s.id, a.template, 'queued', 9, 9, 9 from subscribers s, announcements a order by s.id`)
  })
}
