import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { dayMs } from '../database/clock.ts'
import { switchAnnouncements } from './announcement-consent.ts'
import { leaveTheList } from './leave-the-list.ts'
import type { Subscriber } from './subscribers.ts'
import { wordingsOf } from './wordings.ts'

const now = 1_000
const wording = wordingsOf(defaultContent).news.switch
const turnedOn = {
  announcements_agreed_at: now,
  announcements_refused_at: null,
  announcements_wording: wording.hash,
}
const turnedOff = {
  announcements_agreed_at: null,
  announcements_refused_at: now,
  announcements_wording: null,
}

describe('switching announcements', () => {
  test('records the time, and the words agreed to', async () => {
    const { switchTo, ada } = await listWithAda()
    expect(await switchTo('on')).toBe(true)
    expect(await ada()).toMatchObject(turnedOn)
    expect(await switchTo('off')).toBe(true)
    expect(await ada()).toMatchObject(turnedOff)
    expect(await switchTo('on')).toBe(true)
    expect(await ada()).toMatchObject(turnedOn)
  })

  test('to what is chosen already changes nothing', async () => {
    const { switchTo, ada } = await listWithAda()
    for (const to of ['on', 'off'] as const) {
      await switchTo(to)
      expect(await switchTo(to, now + 1)).toBe(false)
      expect(await ada()).toMatchObject(to === 'on' ? turnedOn : turnedOff)
    }
  })

  test('on again under other words records them', async () => {
    const { database, switchTo, ada } = await listWithAda()
    await switchTo('on')
    // The words of a former edition.
    await database.transaction((transaction) =>
      transaction.run(sql`
        update subscribers set announcements_wording = 'former', announcements_agreed_at = 1`),
    )
    expect(await switchTo('on')).toBe(true)
    expect(await ada()).toMatchObject(turnedOn)
  })

  test('does nothing for somebody who left', async () => {
    const { database, switchTo, ada } = await listWithAda()
    await database.transaction((transaction) => leaveTheList(transaction, 1, 'unsubscribed', now))
    expect(await switchTo('on')).toBe(false)
    expect(await switchTo('off')).toBe(false)
    expect(await ada()).toMatchObject({
      announcements_agreed_at: null,
      announcements_refused_at: null,
    })
  })

  test('is possible ten times a day; turning them off always works', async () => {
    const { switchTo, ada } = await listWithAda()
    for (let round = 1; round <= 5; round += 1) {
      expect(await switchTo('off')).toBe(true)
      expect(await switchTo('on')).toBe(true)
    }
    expect(await switchTo('off')).toBe(true)
    expect(await switchTo('on')).toBe(false)
    expect(await ada()).toMatchObject(turnedOff)
    expect(await switchTo('on', now + dayMs)).toBe(true)
  })

  test('by one link leaves the ten of another', async () => {
    const { database, switchTo } = await listWithAda()
    for (let round = 1; round <= 6; round += 1) {
      await switchTo('off')
      await switchTo('on')
    }
    await queueMails(database, ['bob@example.com'])
    expect(await switchTo('on', now, 2)).toBe(true)
  })
})

/** Ada has number 1. */
async function listWithAda() {
  const { database } = await temporaryDatabase()
  await queueMails(database, ['ada@example.com'])
  const person = async (id: number) =>
    (await database.row<Subscriber>(sql`select * from subscribers where id = ${id}`))!
  return {
    database,
    ada: () => person(1),
    switchTo: (to: 'on' | 'off', at = now, id = 1) =>
      database.transaction(async (transaction) =>
        switchAnnouncements(transaction, await person(id), to, { now: at, wording }),
      ),
  }
}
