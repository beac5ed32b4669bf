import { readFileSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startAnnouncement } from '../announcements/announcements.ts'
import { queueRecipients } from '../announcements/queue-recipients.ts'
import type { Database } from '#server/database/database.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { blockInbox, findBlocked, liftBlock } from '#server/subscribers/blocked-addresses.ts'
import { eraseSubscribers } from '#server/subscribers/erase-subscribers.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { findRecipients, recordOpening } from '#server/subscribers/subscribers.ts'
import {
  addressesIn,
  backedUp,
  olderPutInPlace,
  rowsIn,
  running,
  setRow,
  statesIn,
} from '#rigs/owner/backed-up-list.ts'
import { ownerNow, ownerOf, settle, subscribe } from '#rigs/owner/owner-terminal.ts'
import { testsRunOnPostgres } from '#rigs/database/temporary-database.ts'
import { createTriggers } from '../webhooks/triggers.ts'

const countedSince = 'unopened-counted-since'

describe.skipIf(testsRunOnPostgres)(
  'what the replaced database tells about the time since the backup',
  () => {
    test('sent mail is not sent again, and its links work', async () => {
      const { file, restore } = await backedUp('sent@example.com', 'owed@example.com')
      let token: string | null | undefined
      await running(file, async (database) => {
        token = (await findRecipients(database.query, [1]))[0]?.token
        await settle(database, 1, 'sent')
        await recordOpening(database.query, 1, ownerNow + 5)
      })
      expect((await restore()).printed).toContain('Mails not sent yet, which the server will send: 1.')
      expect(statesIn(file)).toEqual(['sent@example.com active sent', 'owed@example.com active queued'])
      expect(rowsIn(file, 'select token, opened_at from subscribers where id = 1')).toEqual([
        { token, opened_at: ownerNow + 5 },
      ])
      expect(rowsIn(file, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    })

    test('choices about announcements made since the backup are kept', async () => {
      const { file, restore } = await backedUp('agreed@example.com', 'refused@example.com')
      await running(file, async ({ query }) => {
        await switchAnnouncements(query, 1, 'on', ownerNow + 5)
        await switchAnnouncements(query, 2, 'off', ownerNow + 6)
      })
      expect(await restore()).toMatchObject({ code: 0 })
      const said =
        'select announcements_agreed_at as agreed, announcements_refused_at as refused from subscribers'
      expect(rowsIn(file, said)).toEqual([
        { agreed: ownerNow + 5, refused: null },
        { agreed: null, refused: ownerNow + 6 },
      ])
    })

    test('inboxes blocked since stay blocked, and blocks lifted since stay lifted', async () => {
      const { file, restore } = await backedUp('ada@example.com', 'bob@example.com')
      await running(file, async (database) => {
        const blocking = { database, secret: 'key', now: () => ownerNow }
        for (const identity of ['ada@example.com', 'bob@example.com'])
          await blockInbox(blocking, { identity, abuse_key: null }, `link of ${identity}`)
        await liftBlock(blocking, 'link of bob@example.com')
      })
      expect(await restore()).toMatchObject({ code: 0 })
      await running(file, async (database) => {
        const blocked = await findBlocked(
          database.query,
          ['ada@example.com', 'bob@example.com'],
          'key',
          ownerNow,
        )
        expect([...blocked.keys()]).toEqual(['ada@example.com'])
      })
    })

    test('nothing is announced twice, also if the announcement began after the backup', async () => {
      const { file, restore } = await backedUp('sent@example.com', 'waits@example.com')
      const announce = (database: Database) => announceIn(database, ['sent@example.com', 'waits@example.com'])
      await running(file, async (database) => {
        await announce(database)
        const [first] = await announcedIn(database)
        await settle(database, first!.id, 'sent')
      })
      expect(await restore()).toMatchObject({ code: 0 })
      await running(file, async (database) => {
        const before = await announcedIn(database)
        expect(before.map(({ state }) => state)).toEqual(['sent', 'queued'])
        await announce(database)
        expect(await announcedIn(database)).toEqual(before)
      })
    })

    test('people who left stay away, and failed mail stays failed', async () => {
      const { file, restore } = await backedUp(
        'left@example.com',
        'refused@example.com',
        'bounced@example.com',
      )
      await running(file, async (database) => {
        await leaveTheList(database, 1, 'unsubscribed', ownerNow)
        await settle(database, 2, 'failed')
        await settle(database, 3, 'sent')
        await leaveTheList(database, 3, 'undeliverable', ownerNow)
      })
      expect(await restore()).toMatchObject({ code: 0 })
      expect(statesIn(file)).toEqual([
        'left@example.com unsubscribed cancelled',
        'refused@example.com undeliverable failed: smtp 550 to RCPT TO',
        'bounced@example.com undeliverable sent',
      ])
    })

    test('erased people are removed, also from the file, and also if their number was reused', async () => {
      const { file, restore } = await backedUp('stays@example.com', 'marker-7f3a@example.com')
      await running(file, async (database) => {
        await eraseSubscribers(database, [2], ownerNow)
        await subscribe(database, 'after@example.com')
      })
      expect(rowsIn(file, "select id from subscribers where address like 'after%'")).toEqual([{ id: 2 }])
      expect((await restore()).printed).toContain('People erased since are not in it: 1.\n')
      expect(statesIn(file)).toEqual(['stays@example.com active queued'])
      expect(rowsIn(file, "select value from settings where name = 'erased'")).toEqual([{ value: '1' }])
      expect(readFileSync(file).includes('marker-7f3a')).toBe(false)
    })

    test('an address corrected since stays corrected, and the link in the mail to the wrong one stays dead', async () => {
      const { file, restore } = await backedUp('ada@exmaple.com', 'bob@example.com')
      await running(file, async (database) => {
        await findRecipients(database.query, [1])
        await settle(database, 1, 'sent')
        const corrected = { identity: 'ada@example.com', address: 'Ada@example.com', token: null }
        await database.query.updateTable('subscribers').set(corrected).where('id', '=', 1).execute()
      })
      expect((await restore()).printed).not.toContain('erased')
      expect(statesIn(file)).toEqual(['Ada@example.com active sent', 'bob@example.com active queued'])
      expect(rowsIn(file, 'select identity, token from subscribers where id = 1')).toEqual([
        { identity: 'ada@example.com', token: null },
      ])
    })

    test('events for webhooks are those of the replaced database, and only with numbers for people who are only there', async () => {
      const { file, restore } = await backedUp('ada@example.com')
      await running(file, async (database) => {
        await createTriggers(database)
        await leaveTheList(database, 1, 'unsubscribed', ownerNow)
        await subscribe(database, 'after@example.com')
      })
      expect(await restore()).toMatchObject({ code: 0 })
      expect(rowsIn(file, 'select type, subscriber, tells from webhook_events order by id')).toEqual([
        { type: 'subscriber.left', subscriber: 1, tells: 'person' },
        { type: 'subscriber.joined', subscriber: 2, tells: 'number' },
      ])
    })

    test('a person who was erased and signed up again does not get the old mail', async () => {
      const { file, restore } = await backedUp('again@example.com')
      await running(file, async (database) => {
        await eraseSubscribers(database, [1], ownerNow)
        await settle(database, await subscribe(database, 'again@example.com'), 'sent')
      })
      expect(await restore()).toMatchObject({ code: 0 })
      expect(rowsIn(file, 'select state from deliveries')).toEqual([])
    })

    test.each([
      ['are counted since the same day', '7'],
      ['are not counted either', undefined],
    ])('openings %s as in the replaced database', async (_, since) => {
      const { file, backup, restore } = await backedUp('ada@example.com')
      setRow(backup, countedSince, '5')
      if (since) setRow(file, countedSince, since)
      expect(await restore()).toMatchObject({ code: 0 })
      const rows = rowsIn(file, `select value from settings where name = '${countedSince}'`)
      expect(rows).toEqual(since ? [{ value: since }] : [])
    })

    test('after a failed mail a repeated sign-up sends a new one', async () => {
      const { file, restore } = await backedUp('ada@example.com')
      await running(file, async (database) => {
        await settle(database, 1, 'failed')
        await subscribe(database, 'ada@example.com', 'sent')
      })
      expect(await restore()).toMatchObject({ code: 0 })
      await running(file, (database) => subscribe(database, 'ada@example.com'))
      expect(statesIn(file)).toEqual([
        'ada@example.com active failed: smtp 550 to RCPT TO',
        'ada@example.com active queued',
      ])
    })

    test('the owner gets no weekly report and no alarm a second time', async () => {
      const { file, backup, restore } = await backedUp('ada@example.com')
      setRow(backup, 'weekly-report', 'of last week')
      setRow(file, 'weekly-report', 'of this week')
      setRow(file, 'alarm', 'of today')
      expect(await restore()).toMatchObject({ code: 0 })
      expect(
        rowsIn(file, "select value from settings where name in ('alarm', 'weekly-report') order by name"),
      ).toEqual([{ value: 'of today' }, { value: 'of this week' }])
    })

    test('a database restored from an older backup does not erase people of a newer backup', async () => {
      const { file, newer } = await olderPutInPlace('first@example.com', 'second@example.com')
      await running(file, async (database) => {
        for (const name of ['other', 'another']) await subscribe(database, `${name}@example.com`)
        await eraseSubscribers(database, [2], ownerNow)
      })
      expect(await ownerOf(`file:${file}`)('restore', newer)).toMatchObject({ code: 0 })
      expect(addressesIn(file)).toEqual(['first@example.com', 'second@example.com'])
    })

    test('people erased after a restore stay erased when the same backup is restored again', async () => {
      const { file, restore } = await backedUp('erased@example.com', 'stays@example.com')
      rmSync(file)
      await restore()
      await running(file, (database) => eraseSubscribers(database, [1], ownerNow))
      expect(await restore(1)).toMatchObject({ code: 0 })
      expect(addressesIn(file)).toEqual(['stays@example.com'])
    })

    test('sent mail is carried over in a second restore as well', async () => {
      const { file, restore } = await backedUp('sent@example.com', 'owed@example.com')
      await running(file, (database) => settle(database, 1, 'sent'))
      await restore()
      await running(file, (database) => settle(database, 2, 'sent'))
      expect(await restore(1)).toMatchObject({ code: 0 })
      expect(statesIn(file)).toEqual(['sent@example.com active sent', 'owed@example.com active sent'])
    })
  },
)

/** Announces a version to those who are made to ask for it. */
async function announceIn(database: Database, identities: readonly string[]) {
  const { query } = database
  await query
    .updateTable('subscribers')
    .set({ announcements_agreed_at: 1 })
    .where('identity', 'in', identities)
    .execute()
  const release = { version: '1.1.0', date: '2999-01-01', changes: [] }
  const template = { subject: '', html: '', text: '', from: '', replyTo: '', publicUrl: '' }
  const { id } = await startAnnouncement(database, { release, to: 'consented', template }, ownerNow)
  await queueRecipients(database, id, { senderDomain: 'bot.example', now: () => ownerNow })
}

function announcedIn({ query }: Database) {
  return query
    .selectFrom('deliveries')
    .selectAll()
    .where('announcement', 'is not', null)
    .orderBy('id')
    .execute()
}
