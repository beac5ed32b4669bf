import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import {
  addressesIn,
  backedUp,
  importBounces,
  importPeople,
  namesBeside,
  olderPutInPlace,
  rowsIn,
  running,
  signUp,
  statesIn,
} from '#rigs/owner/backed-up-list.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { ownerNow, ownerOf } from '#rigs/owner/owner-commands.ts'
import { settle } from '#rigs/owner/owner-terminal.ts'
import type { Database } from '#server/database/database.ts'
import { writeSetting } from '#server/database/settings.ts'
import type { MailOutcome } from '#server/deliveries/deliveries.ts'
import { readMailState, recordFlow } from '#server/deliveries/mail-state.ts'
import { addDailyCount } from '#server/statistics/daily-counts.ts'
import { defaultContent } from '#content/content.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { wordingsOf } from '#server/subscribers/wordings.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { blockInbox, leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import { keepOpen, readSince } from '#owner/conditions/alarms/open-since.ts'
import { about } from '#owner/conditions/condition.ts'
import { findUndoable } from '#owner/people/import/undo-import.ts'
import { canPutBack } from '#owner/people/taken-off.ts'

const wording = wordingsOf(defaultContent).news.switch

const state = 'select address, state from subscribers order by id'

describe.skipIf(testsRunOnPostgres)('what people did since the backup is kept', () => {
  test('who signed up since is on the list, and gets the mail', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await running(file, (database) => signUp(database, 'after@example.com'))
    expect((await restore()).printed).toContain('signed up 1,')
    expect(statesIn(file)).toEqual([
      'before@example.com active queued',
      'after@example.com active queued',
    ])
  })

  test('sent mail is not sent again, its links work, and unsent mail goes out', async () => {
    const { file, restore } = await backedUp('sent@example.com', 'owed@example.com')
    await running(file, async (database) => {
      await settle(database, 1, 'sent')
      await change(database, sql`token = 'link'`, 1)
    })
    const { printed } = await restore()
    expect(printed).toContain('mails sent 1;')
    expect(printed).toContain('Mails not sent yet, which the server will send: 1.')
    expect(statesIn(file)).toEqual([
      'sent@example.com active sent',
      'owed@example.com active queued',
    ])
    expect(rowsIn(file, 'select token from subscribers where id = 1')).toEqual([{ token: 'link' }])
    expect(rowsIn(file, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(rowsIn(file, 'pragma foreign_key_check')).toEqual([])
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
        const inbox = { identity: 'blocked@example.com', abuse_key: null }
        await blockInbox(transaction, inbox, ownerNow)
        await switchAnnouncements(transaction, (await person(4))!, 'on', { now: ownerNow, wording })
        await switchAnnouncements(transaction, (await person(5))!, 'off', {
          now: ownerNow,
          wording,
        })
      }),
    )
    const now =
      'select state, announcements_agreed_at, announcements_refused_at from subscribers order by id'
    const before = rowsIn(file, now)
    expect((await restore()).printed).toContain('left or came back as undeliverable 3,')
    expect(rowsIn(file, now)).toEqual(before)
    expect(before.map((row) => row['state'])).toEqual([
      'unsubscribed',
      'undeliverable',
      'blocked',
      'active',
      'active',
    ])
  })

  test('erased people are removed, also from the file, and their number does not come back', async () => {
    const { file, restore } = await backedUp('stays@example.com', 'marker-7f3a@example.com')
    await running(file, (database) => erase(database, 2))
    expect((await restore()).printed).toContain('erased 1,')
    expect(statesIn(file)).toEqual(['stays@example.com active queued'])
    expect(rowsIn(file, "select value from settings where name = 'erased'")).toEqual([
      { value: '1' },
    ])
    expect(readFileSync(file).includes('marker-7f3a')).toBe(false)
    await running(file, (database) => signUp(database, 'new@example.com'))
    expect(rowsIn(file, 'select max(id) as id from subscribers')).toEqual([{ id: 3 }])
  })

  test('who was erased and signed up again gets no mail of the backup', async () => {
    const { file, restore } = await backedUp('again@example.com')
    await running(file, async (database) => {
      await erase(database, 1)
      await signUp(database, 'again@example.com', 'sent')
    })
    expect(await restore()).toMatchObject({ code: 0 })
    expect(statesIn(file)).toEqual(['again@example.com active sent'])
  })

  test('who was imported since is on the list, and the import can still be undone', async () => {
    const { file, restore } = await backedUp('before@example.com')
    await importPeople(file, 'one@example.com', 'two@example.com')
    expect((await restore()).printed).toContain('imported 2,')
    expect(addressesIn(file)).toHaveLength(3)
    await running(file, async (database) => {
      expect(await findUndoable(database, ownerNow)).toMatchObject({ people: 2 })
    })
  })

  test('who was taken off the list by a file stays off it, and can be put back', async () => {
    const { file, restore } = await backedUp('gone@example.com')
    await importBounces(file, 'gone@example.com,hard')
    await restore()
    expect(rowsIn(file, state)).toEqual([{ address: 'gone@example.com', state: 'undeliverable' }])
    await running(file, async (database) => {
      expect(await canPutBack(database, 1)).toBe(true)
    })
  })

  test('a corrected address stays corrected', async () => {
    const { file, restore } = await backedUp('ada@exmaple.com')
    await running(file, (database) =>
      change(database, sql`identity = 'ada@example.com', address = 'ada@example.com'`, 1),
    )
    await restore()
    expect(addressesIn(file)).toEqual(['ada@example.com'])
  })

  test('limits, daily counts and notes of the program are as they were', async () => {
    const { file, restore } = await backedUp('ada@example.com')
    await running(file, (database) =>
      database.transaction(async (transaction) => {
        await addDailyCount(transaction, 'unsubscribed', ownerNow)
        await transaction.run(sql`insert into limits values ('network x', 20, ${ownerNow})`)
        await writeSetting(transaction, 'owner-mail weekly', '2026-01-05')
      }),
    )
    await restore()
    expect(rowsIn(file, 'select event, count from daily_counts')).toEqual([
      { event: 'unsubscribed', count: 1 },
    ])
    expect(rowsIn(file, 'select used from limits')).toEqual([{ used: 20 }])
    expect(rowsIn(file, "select value from settings where name = 'owner-mail weekly'")).toEqual([
      { value: '2026-01-05' },
    ])
  })

  test('a number that was given since, to somebody who was erased, is not given again', async () => {
    const { file, restore } = await backedUp('ada@example.com')
    await running(file, async (database) => {
      await signUp(database, 'gone@example.com')
      await database.transaction((transaction) => eraseSubscriber(transaction, 2, ownerNow))
    })
    await restore()
    await running(file, (database) => signUp(database, 'new@example.com'))
    expect(rowsIn(file, 'select id, address from subscribers order by id')).toEqual([
      { id: 1, address: 'ada@example.com' },
      { id: 3, address: 'new@example.com' },
    ])
  })

  test('what the owner was told of since is not told again', async () => {
    const { file, restore } = await backedUp('ada@example.com')
    const broken = about('dns.dkim').error('The DKIM key is not published.')
    await running(file, (database) => keepOpen(database, [broken], ownerNow))
    await restore()
    expect(await running(file, readSince)).toEqual(new Map([['dns.dkim', ownerNow]]))
  })

  test('a relay that was away when the backup was made, and is back, is not called away', async () => {
    const { file, restore } = await backedUp('ada@example.com')
    const flow = { now: ownerNow, nextTryMs: 60_000 }
    const record = (outcome: MailOutcome) =>
      running(file, (database) =>
        database.transaction((transaction) => recordFlow(transaction, outcome, flow)),
      )
    await record({ kind: 'held-up', why: 'ECONNREFUSED', dueAt: ownerNow })
    const during = join(temporaryFolder(), 'during.db')
    await ownerOf(`file:${file}`)('backup', during)
    await record({ kind: 'sent', ms: 0 })
    await restore(0, during)
    await running(file, async (database) => {
      expect((await readMailState(database, ownerNow)).relayAway).toBeUndefined()
    })
  })

  test('a second restore of the same backup knows it as well', async () => {
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
    expect(statesIn(file)).toEqual(['sent@example.com active sent', 'owed@example.com active sent'])
  })
})

describe.skipIf(testsRunOnPostgres)('what the owner did since the backup is undone', () => {
  test('a letter started since pauses, and nobody gets it twice', async () => {
    const { file, restore } = await backedUp('sent@example.com', 'waits@example.com')
    await running(file, async (database) => {
      await announce(database)
      await settle(database, 3, 'sent')
    })
    expect((await restore()).printed).toContain('Letters started since, which pause: 1.')
    expect(rowsIn(file, 'select name, state, paused_why from mailings')).toEqual([
      { name: 'news', state: 'paused', paused_why: 'a backup was restored' },
    ])
    const announced =
      'select subscriber, state from deliveries where mailing is not null order by id'
    expect(rowsIn(file, announced)).toEqual([
      { subscriber: 1, state: 'sent' },
      { subscriber: 2, state: 'held' },
    ])
  })

  test('a letter that went out when the backup was made goes on where it is', async () => {
    const { file, restore } = await backedUp('sent@example.com', 'waits@example.com')
    await running(file, (database) => announce(database))
    const backup = `${file}.running`
    await ownerOf(`file:${file}`)('backup', backup)
    await running(file, (database) => settle(database, 3, 'sent'))
    expect(await restore(0, backup)).toMatchObject({ code: 0 })
    expect(rowsIn(file, 'select state from mailings')).toEqual([{ state: 'sending' }])
    expect(rowsIn(file, 'select state from deliveries where mailing = 1 order by id')).toEqual([
      { state: 'sent' },
      { state: 'queued' },
    ])
  })

  test('settings and drafts of the desk are those of the backup', async () => {
    const { file, restore } = await backedUp('ada@example.com')
    await running(file, (database) =>
      database.transaction((transaction) => writeSetting(transaction, 'letter-draft', '{}')),
    )
    await restore()
    expect(rowsIn(file, "select value from settings where name = 'letter-draft'")).toEqual([])
  })
})

describe.skipIf(testsRunOnPostgres)('undoing a restore', () => {
  const keptFile = (file: string) => join(dirname(file), namesBeside(file)[0]!)

  test('restoring the file that a restore kept brings the settings back, and who joined or was erased in between stays so', async () => {
    const { file, restore } = await backedUp('before@example.com')
    rowsIn(file, "insert into settings values ('a-setting', 'kept')")
    await restore()
    expect(rowsIn(file, "select value from settings where name = 'a-setting'")).toEqual([])
    await running(file, async (database) => {
      await signUp(database, 'after@example.com', 'sent')
      await erase(database, 1)
    })
    expect(await restore(1, keptFile(file))).toMatchObject({ code: 0 })
    expect(rowsIn(file, "select value from settings where name = 'a-setting'")).toEqual([
      { value: 'kept' },
    ])
    expect(statesIn(file)).toEqual(['after@example.com active sent'])
    expect(rowsIn(file, 'pragma foreign_key_check')).toEqual([])
  })
})

describe.skipIf(testsRunOnPostgres)(
  'after an older backup took the place of a lost database',
  () => {
    test('a newer backup brings its people back, and who signed up meanwhile stays', async () => {
      const { file, newer } = await olderPutInPlace('first@example.com', 'second@example.com')
      await running(file, (database) => signUp(database, 'meanwhile@example.com', 'sent'))
      expect(await ownerOf(`file:${file}`)('restore', newer)).toMatchObject({ code: 0 })
      expect(statesIn(file)).toEqual([
        'first@example.com active held',
        'second@example.com active sent',
        'meanwhile@example.com active sent',
      ])
    })

    test('who left by the newer backup stays away, and what it sent counts as sent', async () => {
      const { file, backup, restore } = await backedUp('left@example.com')
      const newer = `${backup}.newer`
      await running(file, async (database) => {
        await settle(database, 1, 'sent')
        await database.transaction((transaction) =>
          leaveTheList(transaction, 1, 'unsubscribed', ownerNow + 1),
        )
        await ownerOf(`file:${file}`)('backup', newer)
        await erase(database, 1)
      })
      rmSync(file)
      await restore()
      expect(statesIn(file)).toEqual(['left@example.com active held'])
      expect(await restore(1, newer)).toMatchObject({ code: 0 })
      expect(statesIn(file)).toEqual(['left@example.com unsubscribed sent'])
    })
  },
)

function erase(database: Database, id: number) {
  return database.transaction((transaction) => eraseSubscriber(transaction, id, ownerNow))
}

function change(database: Database, columns: Sql, id: number) {
  return database.transaction((transaction) =>
    transaction.run(sql`update subscribers set ${columns} where id = ${id}`),
  )
}

/** A letter under way, with a mail to everybody. */
function announce(database: Database) {
  return database.transaction(async (transaction) => {
    await transaction.run(sql`insert into mail_templates values ('t', '{}') on conflict do nothing`)
    await transaction.run(sql`
      insert into mailings (name, audience, state, template, changed_at, starts_at, resumed_at)
      values ('news', 'everyone', 'sending', 't', 9, 9, 9)`)
    await transaction.run(sql`
      insert into deliveries
        (subscriber, mailing, message_id, template, state, priority, due_at, queued_at)
      select s.id, a.id, 'to ' || s.id, a.template, 'queued', 9, 9, 9
      from subscribers s, mailings a order by s.id`)
  })
}
