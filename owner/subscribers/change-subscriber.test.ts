import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openOwnerTerminal, ownerNow, subscribe } from '#rigs/owner/owner-terminal.ts'
import { configOf } from '../command-line/owned-database.ts'
import { parseEmailAddress } from '#contract/email-address.ts'
import { blockInbox } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import {
  type ChangeContext,
  correctAddress,
  erasePerson,
  sendAgain,
  unsubscribePerson,
} from './change-subscriber.ts'

async function openList() {
  const { database } = await openOwnerTerminal()
  const delivery = await subscribe(database, 'ada@exmaple.com', 'sent')
  const sent = await database.row<{ template: string }>(
    sql`select template from deliveries where id = ${delivery}`,
  )
  const events: string[] = []
  let time = ownerNow
  const context: ChangeContext = {
    database,
    config: configOf({ environment: { SMTP_URL: 'smtp://localhost:9' } }),
    template: sent!.template,
    now: () => (time += 1),
    recordEvent: async (_transaction, event, id) => void events.push(`${event} ${id}`),
  }
  const person = async (id = 1) =>
    (await database.row<Subscriber>(sql`select * from subscribers where id = ${id}`))!
  return { database, context, events, person }
}

test('a corrected address gets the mail, with another link, and no longer hears of news', async () => {
  const { database, context, person, events } = await openList()
  await database.transaction((transaction) =>
    transaction.run(sql`update subscribers set token = 'old', announcements_agreed_at = 1 where id = 1`),
  )
  expect(await correctAddress(context, 1, parseEmailAddress('Ada@example.com')!)).toBe('done')
  const corrected = await person()
  expect(corrected).toMatchObject({
    identity: 'ada@example.com',
    state: 'active',
    announcements_agreed_at: null,
  })
  expect(corrected.token).not.toBe('old')
  expect(await database.rows(sql`select state from deliveries order by id`)).toEqual([
    { state: 'sent' },
    { state: 'queued' },
  ])
  expect(events).toEqual(['left 1'])
  expect(await correctAddress(context, 1, parseEmailAddress('ada@example.net')!)).toBe('impossible')
})

test('an address is not corrected to one on the list, nor to an inbox that blocked our mail', async () => {
  const { database, context } = await openList()
  await subscribe(database, 'bob@example.com', 'sent')
  await subscribe(database, 'eve@gmail.com', 'sent')
  const inbox = { identity: 'eve@gmail.com', abuse_key: null }
  await database.transaction((transaction) =>
    blockInbox(transaction, inbox, { now: ownerNow, secret: 'key' }),
  )
  expect(await correctAddress(context, 1, parseEmailAddress('bob@example.com')!)).toBe('taken')
  expect(await correctAddress(context, 1, parseEmailAddress('e.v.e@gmail.com')!)).toBe('blocked')
})

test('the mail is sent again, unless one is on its way or the person left', async () => {
  const { database, context } = await openList()
  expect(await sendAgain(context, 1)).toBe('done')
  expect(await sendAgain(context, 1)).toBe('impossible')
  await unsubscribePerson(context, 1)
  expect(await sendAgain(context, 1)).toBe('impossible')
  expect(await database.rows(sql`select state from deliveries order by id`)).toEqual([
    { state: 'sent' },
    { state: 'cancelled' },
  ])
  expect(await sendAgain(context, 99)).toBe('gone')
})

test('an erased person is gone, and other programs hear of it', async () => {
  const { context, database, events } = await openList()
  expect(await erasePerson(context, 1)).toBe('done')
  expect(await erasePerson(context, 1)).toBe('gone')
  expect(await database.rows(sql`select id from subscribers`)).toEqual([])
  expect(events).toEqual(['erased 1'])
})
