import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { dayMs } from '../database/clock.ts'
import { firstRelease, switchAnnouncements } from './announcement-consent.ts'
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

describe('the first release of a subscriber', () => {
  const release = (version: string, date: string) => ({ version, date, changes: [] })
  const releases: KitRelease[] = [
    release('1.2.0', '2026-03-01'),
    release('1.1.0', '2026-02-01'),
    release('1.0.0', '2026-01-01'),
  ]

  test.each([
    { signedUp: '2026-02-15', version: '1.1.0' },
    { signedUp: '2026-02-01', version: '1.1.0' },
    { signedUp: '2026-04-01', version: '1.2.0' },
    { signedUp: '2025-12-31', version: '1.0.0' },
  ])('who signed up on $signedUp is $version', ({ signedUp, version }) => {
    expect(firstRelease(releases, Date.parse(signedUp))?.version).toBe(version)
  })

  test('is unknown without releases', () => {
    expect(firstRelease([], now)).toBeUndefined()
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
