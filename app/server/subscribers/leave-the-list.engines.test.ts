import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { deliveryStates } from '#rigs/server/rows.ts'
import { dayMs } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { switchAnnouncements } from './announcement-consent.ts'
import { blockInbox, leaveTheList, liftBlock, returnToTheList } from './leave-the-list.ts'
import { signUpAgain, type Subscriber } from './subscribers.ts'
import { wordingsOf } from './wordings.ts'

const now = 1_000
const wording = wordingsOf(defaultContent).news.switch

describe('the consent of a subscriber', () => {
  test.each(['on', 'off'] as const)(
    'holds when mail came back, after it was turned %s, and when they sign up again',
    async (to) => {
      const { database, ada } = await listWithAda()
      await database.transaction(async (transaction) =>
        switchAnnouncements(transaction, await ada(), to, { now, wording }),
      )
      const chosen = consentOf(await ada())
      await leave(database, 'undeliverable')
      expect(await ada()).toMatchObject({ state: 'undeliverable', left_at: now, ...chosen })
      const again = { identity: 'ada@example.com', address: 'ada@example.com' }
      await database.transaction((transaction) => signUpAgain(transaction, 1, again, now))
      expect(await ada()).toMatchObject({ state: 'active', left_at: null, ...chosen })
    },
  )

  test.each(['unsubscribed', 'blocked'] as const)(
    'ends when the holder leaves: %s',
    async (state) => {
      const { database, ada } = await listWithAda()
      await database.transaction(async (transaction) =>
        switchAnnouncements(transaction, await ada(), 'on', { now, wording }),
      )
      await leave(database, state)
      expect(consentOf(await ada())).toEqual({
        announcements_agreed_at: null,
        announcements_refused_at: null,
        announcements_wording: null,
      })
    },
  )
})

test('a stronger reason to leave replaces a weaker one, and a weaker or equal one changes nothing', async () => {
  const { database, ada } = await listWithAda()
  const order = ['undeliverable', 'unsubscribed', 'blocked'] as const
  for (const [index, state] of order.entries()) {
    expect(await leave(database, state)).toBe(true)
    for (const weaker of order.slice(0, index + 1)) {
      expect(await leave(database, weaker)).toBe(false)
    }
    expect(await ada()).toMatchObject({ state })
  }
})

test('leaving cancels the mail that waits, of this subscriber alone', async () => {
  const { database } = await listWithAda()
  await queueMails(database, ['ada@example.com', 'bob@example.com', 'ada@example.com'])
  await leave(database, 'unsubscribed')
  expect(await deliveryStates(database)).toEqual(['cancelled', 'cancelled', 'queued', 'cancelled'])
})

describe('somebody who left', () => {
  test.each([
    { state: 'undeliverable', isBack: true },
    { state: 'unsubscribed', isBack: true },
    { state: 'blocked', isBack: false },
  ] as const)('as $state comes back by their link: $isBack', async ({ state, isBack }) => {
    const { database, ada } = await listWithAda()
    await leave(database, state)
    expect(await comeBack(database, now)).toBe(isBack)
    expect((await ada()).state).toBe(isBack ? 'active' : state)
  })

  test('comes back ten times a day at most, and can always leave', async () => {
    const { database } = await listWithAda()
    const toggle = async (at: number) => {
      expect(await leave(database, 'unsubscribed')).toBe(true)
      return comeBack(database, at)
    }
    for (let round = 1; round <= 10; round += 1) expect(await toggle(now)).toBe(true)
    expect(await toggle(now)).toBe(false)
    expect(await states(database)).toEqual(['unsubscribed'])
    expect(await comeBack(database, now + dayMs)).toBe(true)
  })
})

describe('a block', () => {
  test('covers every address of the inbox that is on the list, and nobody else', async () => {
    const { database, ada } = await listWithAda()
    await queueMails(database, ['ada+kit@example.com', 'adam@example.com', 'ada@example.org'])
    const left = await database.transaction(async (transaction) =>
      blockInbox(transaction, await ada(), now),
    )
    expect(left).toEqual([1, 2])
    expect(await states(database)).toEqual(['blocked', 'blocked', 'active', 'active'])
  })

  test('is lifted for every address of the inbox, which stays off the list', async () => {
    const { database } = await listWithAda()
    await queueMails(database, ['ada+kit@example.com', 'bob@example.com'])
    await database.transaction(async (transaction) => {
      for (const id of [1, 2, 3]) await leaveTheList(transaction, id, 'blocked', now)
      const kit = { id: 2, identity: 'ada+kit@example.com', abuse_key: 'ada@example.com' }
      expect(await liftBlock(transaction, kit, now)).toBe('lifted')
    })
    expect(await states(database)).toEqual(['unsubscribed', 'unsubscribed', 'blocked'])
  })

  test('that was lifted meanwhile is not lifted again, whatever came after it', async () => {
    const { database, ada } = await listWithAda()
    await database.transaction(async (transaction) => {
      expect(await liftBlock(transaction, await ada(), now)).toBe('not-blocked')
    })
    expect(await states(database)).toEqual(['active'])
    expect(await database.rows(sql`select 1 from limits`)).toEqual([])
  })

  test('always works, and is lifted ten times a day at most', async () => {
    const { database, ada } = await listWithAda()
    const toggle = (at: number) =>
      database.transaction(async (transaction) => {
        await blockInbox(transaction, await ada(), at)
        return liftBlock(transaction, await ada(), at)
      })
    for (let round = 1; round <= 10; round += 1) expect(await toggle(now)).toBe('lifted')
    expect(await toggle(now)).toBe('too-often')
    expect(await states(database)).toEqual(['blocked'])
    expect(await toggle(now + dayMs)).toBe('lifted')
    expect(await states(database)).toEqual(['unsubscribed'])
  })

  test('that may not be lifted any more today writes nothing, however often that is asked', async () => {
    const { database, ada } = await listWithAda()
    for (let time = 1; time <= 12; time += 1) {
      await database.transaction(async (transaction) => {
        await blockInbox(transaction, await ada(), now)
        await liftBlock(transaction, await ada(), now)
      })
    }
    expect(await database.rows(sql`select used from limits`)).toEqual([{ used: 10 }])
  })
})

/** Ada has number 1, and a mail. */
async function listWithAda() {
  const { database } = await temporaryDatabase()
  await queueMails(database, ['ada@example.com'])
  const ada = async () =>
    (await database.row<Subscriber>(sql`select * from subscribers where id = 1`))!
  return { database, ada }
}

function leave(database: Database, state: 'undeliverable' | 'unsubscribed' | 'blocked') {
  return database.transaction((transaction) => leaveTheList(transaction, 1, state, now))
}

function comeBack(database: Database, at: number) {
  return database.transaction((transaction) => returnToTheList(transaction, 1, at))
}

function consentOf(subscriber: Subscriber) {
  return {
    announcements_agreed_at: subscriber.announcements_agreed_at,
    announcements_refused_at: subscriber.announcements_refused_at,
    announcements_wording: subscriber.announcements_wording,
  }
}

async function states(database: Database): Promise<string[]> {
  const rows = await database.rows<{ state: string }>(
    sql`select state from subscribers order by id`,
  )
  return rows.map(({ state }) => state)
}
