import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { permanent } from '#rigs/mail/programmable-mailer.ts'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { dayMs, repairClocks } from '#server/database/clock.ts'
import { mailingClockRepairs } from './sending/clock-repairs.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { countAudience } from './audience.ts'
import { beforeStartMs, changeMailing, type MailingAct } from './change-mailing.ts'
import { addMailing, type Mailing, type NewMailing, readMailing } from './mailings.ts'
import { saveMailing } from './save-mailing.ts'
import { addSeries, countMissing } from './series.ts'
import { countQueued, readWarmUpRoom, warmUpRoom } from './sending/warm-up.ts'

const news: NewMailing = { subject: 'News', words: 'Hello' }

describe('a letter', () => {
  test('goes to everybody who agreed, once each, and its row has the figures', async () => {
    const list = await listOf({
      agreed: ['ada@example.com', 'bob@example.com'],
      others: ['eve@example.com'],
    })
    const id = await list.send(news)
    expect(await list.deliver()).toBe(2)
    await list.sendMailings()
    expect(await rowOf(list, id)).toMatchObject({ state: 'done', toSend: 2, sent: 2, failed: 0 })
    expect(await list.deliver()).toBe(0)
  })

  test('to everyone leaves out those who turned news off', async () => {
    const list = await listOf({
      agreed: ['ada@example.com'],
      others: ['eve@example.com', 'off@example.com'],
    })
    await list.turn('off@example.com', 'off')
    await list.send({ ...news, to: 'everyone' })
    expect(await list.deliver()).toBe(2)
  })

  test('to a campaign leaves out the others', async () => {
    const list = await listOf({ agreed: ['ada@example.com', 'bob@example.com'] })
    await change(list, sql`update subscribers set campaign = 'youtube' where identity like 'ada%'`)
    await list.send({ ...news, campaigns: ['youtube'] })
    expect(await list.deliver()).toBe(1)
  })

  test('about a version leaves out those who signed up after it came out', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    await list.signUp(['new@example.com'], { agreed: true, at: list.start - 10 })
    const signedUpBefore = list.start - 1_000
    await list.send({ ...news, version: '1.1.0', signedUpBefore })
    expect(await list.deliver()).toBe(1)
  })

  test('for those who have not had another reaches exactly them, and both letters stay as they are', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const first = await list.send(news)
    await list.deliver()
    await list.signUp(['bob@example.com'], { agreed: true })
    const second = await list.send({ subject: 'News', words: 'Other words', notMailing: first })
    expect(await list.deliver()).toBe(1)
    await list.sendMailings()
    expect(list.mailer.attempts.map(({ message }) => message.to)).toEqual([
      'ada@example.com',
      'bob@example.com',
    ])
    expect((await rowOf(list, first)).words).toBe('Hello')
    expect((await rowOf(list, second)).words).toBe('Other words')
  })

  test('begins a minute after it was sent, and can be taken back until then', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, news)
    await act(list, id, 'send')
    list.at(beforeStartMs - 1)
    await act(list, id, 'cancel')
    expect(await rowOf(list, id)).toMatchObject({ state: 'draft', words: 'Hello', startsAt: null })
    list.at(2 * beforeStartMs)
    expect(await list.deliver()).toBe(0)
    await act(list, id, 'send')
    list.at(3 * beforeStartMs)
    expect(await list.deliver()).toBe(1)
  })

  test('waits for the moment that the owner chose', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, { ...news, sendAt: list.start + dayMs })
    await act(list, id, 'send')
    list.at(dayMs - 1)
    expect(await list.deliver()).toBe(0)
    list.at(dayMs)
    expect(await list.deliver()).toBe(1)
  })

  test('that is paused sends nothing, and goes on where it stopped', async () => {
    const list = await listOf({ agreed: addresses(30) })
    const id = await draft(list, news)
    await changeMailing(list.database, id, { act: 'send', now: list.now(), isStartedNow: true })
    await list.sendMailings()
    await act(list, id, 'pause')
    expect(await list.deliver()).toBe(0)
    await act(list, id, 'resume')
    expect(await list.deliver()).toBe(30)
    await list.sendMailings()
    expect(await rowOf(list, id)).toMatchObject({ state: 'done', sent: 30 })
  })

  test('whose rest is cancelled reaches nobody else, and cannot be restored', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, news)
    await changeMailing(list.database, id, { act: 'send', now: list.now(), isStartedNow: true })
    await list.sendMailings()
    await act(list, id, 'cancel')
    expect(await list.deliver()).toBe(0)
    await expect(act(list, id, 'restore')).rejects.toThrow('have not had it')
  })

  test('that is removed can be restored, and is the same letter', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await draft(list, news)
    await act(list, id, 'cancel')
    expect(await rowOf(list, id)).toMatchObject({ state: 'cancelled' })
    await act(list, id, 'restore')
    expect(await rowOf(list, id)).toMatchObject({ state: 'draft', subject: 'News', words: 'Hello' })
  })

  test('pauses automatically when too much comes back', async () => {
    const list = await listOf({ agreed: addresses(60) })
    list.mailer.answer((address) => (/^n[0-3]@/.test(address) ? permanent : { kind: 'accepted' }))
    const id = await list.send(news)
    await list.deliver()
    await list.signUp(['late@example.com'], { agreed: true })
    await list.sendMailings()
    const { state, pausedWhy, failed } = await rowOf(list, id)
    expect({ state, pausedWhy, failed }).toEqual({
      state: 'paused',
      pausedWhy: '4 of the last 60 failed or came back',
      failed: 4,
    })
  })

  test('counts who leaves within a day after it', async () => {
    const list = await listOf({ agreed: ['ada@example.com', 'bob@example.com', 'eve@example.com'] })
    const id = await list.send(news)
    await list.deliver()
    list.at(dayMs - 1)
    await list.turn('ada@example.com', 'off')
    await leave(list, 'bob@example.com')
    list.at(dayMs)
    await leave(list, 'eve@example.com')
    expect((await rowOf(list, id)).left).toBe(2)
  })

  test('is not sent to somebody who left after it was queued', async () => {
    const list = await listOf({ agreed: ['ada@example.com', 'bob@example.com'] })
    await list.send(news)
    await list.turn('ada@example.com', 'off')
    expect(await list.deliver()).toBe(1)
  })

  test.each<[NewMailing, string]>([
    [{ words: 'Hello' }, 'It has no subject yet.'],
    [{ subject: 'News', words: ' ' }, 'It has no text yet.'],
    [{ ...news, words: '[here](https://)' }, 'The link “here”'],
    [{ ...news, words: '![](/pictures/a.png)' }, 'A picture has no description'],
    [{ ...news, sendAt: 1 }, 'This time has passed'],
    [{ ...news, campaigns: ['nowhere'] }, 'Nobody on the list would get it.'],
  ])('%o is not sent', async (letter, why) => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    await expect(act(list, await draft(list, letter), 'send')).rejects.toThrow(why)
  })

  test('that was sent is neither sent again nor changed', async () => {
    const list = await listOf({ agreed: ['ada@example.com'] })
    const id = await list.send(news)
    await expect(act(list, id, 'send')).rejects.toThrow('“News” is going out.')
    await expect(save(list, id, { words: 'Other' })).rejects.toThrow('This letter has started.')
  })
})

describe('the audience that is counted', () => {
  test('is the one that gets it, with a reason for everybody else', async () => {
    const list = await listOf({
      agreed: addresses(3),
      others: ['eve@example.com', 'off@example.com'],
    })
    await list.turn('off@example.com', 'off')
    await leave(list, 'n0@example.com')
    const first = await list.send(news)
    await list.deliver()
    await list.signUp(['late@example.com'], { agreed: true })
    const letter = { ...news, to: 'everyone', notMailing: first } as const
    const id = await draft(list, letter)
    expect(await countAudience(list.database, await rowOf(list, id))).toEqual({
      recipients: 2,
      people: {
        agreed: 1,
        neverAsked: 1,
        turnedOff: 1,
        haveTheVersion: 0,
        otherCampaign: 0,
        unsubscribed: 1,
        undeliverable: 0,
        blocked: 0,
        haveTheOther: 2,
      },
    })
    await changeMailing(list.database, id, { act: 'send', now: list.now(), isStartedNow: true })
    expect(await list.deliver()).toBe(2)
  })
})

describe('the warm-up', () => {
  test.each([
    { days: 0, before: 0, today: 0, room: 1_000 },
    { days: 0, before: 0, today: 999, room: 1 },
    { days: 1, before: 1_000, today: 0, room: 2_000 },
    { days: 3, before: 300, today: 400, room: 600 },
    { days: 41, before: 5_000, today: 10_000, room: 0 },
    { days: 42, before: 0, today: 9_000, room: Infinity },
  ])(
    'leaves $room after $days days, $before mails before and $today today',
    ({ room, ...sent }) => {
      expect(warmUpRoom(sent)).toBe(room)
    },
  )

  test('counts what was queued, and a day later it lets twice as much go', async () => {
    const list = await listOf({})
    await list.database.transaction((transaction) => countQueued(transaction, 900, list.now()))
    expect(await readWarmUpRoom(list.database, list.now())).toBe(100)
    expect(await readWarmUpRoom(list.database, list.start + dayMs)).toBe(1_800)
  })
})

describe('a letter of the series', () => {
  test('goes to each person its days after they agreed, once', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 2 })
    await list.days(1)
    expect(list.subjects()).toEqual([])
    await list.days(9)
    expect(list.subjects()).toEqual(['News'])
    expect(await rowOf(list, id)).toMatchObject({ state: 'sending', sent: 1, toSend: 1 })
  })

  test('goes to nobody whose day had passed before it was switched on', async () => {
    const list = await seriesList()
    await list.days(3)
    await list.send({ ...news, afterDays: 2 })
    await list.days(9)
    expect(list.subjects()).toEqual([])
  })

  test('that was removed and restored is the same letter: nobody gets it twice', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 1 })
    await list.days(1)
    await act(list, id, 'cancel')
    await act(list, id, 'restore')
    await save(list, id, { afterDays: 3 })
    await act(list, id, 'resume')
    await list.days(9)
    expect(list.subjects()).toEqual(['News'])
  })

  test('goes out after a clock that was 40 days ahead for a moment', async () => {
    const list = await seriesList()
    await list.send({ ...news, afterDays: 50 })
    list.at(40 * dayMs)
    await list.sendMailings()
    list.at(0)
    await repairClocks(list.database, mailingClockRepairs, list.now)
    await list.sendMailings()
    await list.days(51)
    expect(list.subjects()).toEqual(['News'])
  })

  test('waits a day after another mail of the site', async () => {
    const list = await seriesList()
    await list.send({ subject: 'Second', words: 'Hello', afterDays: 1 })
    list.at(dayMs)
    await list.send({ subject: 'First', words: 'Hello' })
    await list.deliver() // both may be tried at the same moment
    list.at(dayMs + 60_000)
    await list.deliver()
    expect(list.subjects()).toEqual(['First'])
    list.at(2 * dayMs + 60_000)
    await list.deliver()
    expect(list.subjects()).toEqual(['First', 'Second'])
  })

  test('is not sent to somebody who turned news off, and is to one who agrees again', async () => {
    const list = await seriesList()
    await list.send({ ...news, afterDays: 2 })
    list.at(dayMs)
    await list.turn('ada@example.com', 'off')
    await list.days(3)
    expect(list.subjects()).toEqual([])
    await list.turn('ada@example.com', 'on')
    await list.days(6)
    expect(list.subjects()).toEqual(['News'])
  })

  test('says how many people would miss it with another day', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 10 })
    list.at(4 * dayMs)
    const letter = await rowOf(list, id)
    expect(await countMissing(list.database, letter, 3, list.now())).toBe(1)
    expect(await countMissing(list.database, letter, 5, list.now())).toBe(0)
  })

  test('changes only with a fresh proof while it is on', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 1 })
    await expect(save(list, id, { words: 'Other' })).rejects.toThrow('Confirm that it is you')
    expect(await save(list, id, { words: 'Other' }, { isProved: true })).toMatchObject({
      kind: 'saved',
    })
  })

  test('comes with the product, switched off, and only once', async () => {
    const list = await listOf({})
    await addSeries(list.database, list.now())
    await change(list, sql`delete from mailings where after_days = 1`)
    await addSeries(list.database, list.now())
    const rows = await list.database.rows(sql`select state, after_days from mailings order by id`)
    expect(rows).toEqual([
      { state: 'draft', after_days: 4 },
      { state: 'draft', after_days: 10 },
    ])
  })
})

describe('a draft', () => {
  test('keeps what another device saved in other fields', async () => {
    const list = await listOf({})
    const id = await draft(list, news)
    await save(list, id, { subject: 'Here' })
    const outcome = await save(list, id, { words: 'There' }, { revision: 1 })
    expect(outcome).toMatchObject({ kind: 'saved' })
    expect(await rowOf(list, id)).toMatchObject({ subject: 'Here', words: 'There' })
  })

  test('asks when two devices changed the same field, and saves nothing', async () => {
    const list = await listOf({})
    const id = await draft(list, news)
    await save(list, id, { words: 'Here' })
    const outcome = await save(
      list,
      id,
      { words: 'There' },
      { revision: 1, before: { words: 'Hello' } },
    )
    expect(outcome).toMatchObject({ kind: 'conflict', theirs: { words: 'Here' } })
    expect((await rowOf(list, id)).words).toBe('Here')
  })
})

interface People {
  agreed?: string[]
  others?: string[]
}

async function listOf({ agreed = [], others = [] }: People): Promise<MailingList> {
  const list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off' })
  if (agreed.length > 0) await list.signUp(agreed, { agreed: true })
  if (others.length > 0) await list.signUp(others)
  return list
}

/** One person who agrees at the start. */
async function seriesList() {
  const list = await listOf({})
  await list.signUp(['ada@example.com'], { at: list.start })
  await list.turn('ada@example.com', 'on')
  let day = 0
  return {
    ...list,
    /** Delivers once a day, up to this one. */
    async days(to: number) {
      for (; day <= to; day += 1) {
        list.at(day * dayMs)
        await list.deliver()
      }
    },
  }
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `n${index}@example.com`)
}

function draft({ database, now }: MailingList, letter: NewMailing): Promise<number> {
  return database.transaction((transaction) => addMailing(transaction, letter, now()))
}

function act({ database, now }: MailingList, id: number, what: MailingAct): Promise<void> {
  return changeMailing(database, id, { act: what, now: now() })
}

async function rowOf({ database }: MailingList, id: number): Promise<Mailing> {
  const mailing = await readMailing(database, id)
  if (!mailing) throw new CommandError('there is no such letter')
  return mailing
}

async function save(
  list: MailingList,
  id: number,
  changes: Parameters<typeof saveMailing>[1]['changes'],
  more: Partial<Parameters<typeof saveMailing>[1]> = {},
) {
  const { revision } = await rowOf(list, id)
  return saveMailing(list.database, { id, changes, before: {}, revision, ...more }, list.now())
}

function change({ database }: MailingList, query: ReturnType<typeof sql>): Promise<number> {
  return database.transaction((transaction) => transaction.run(query))
}

async function leave(list: MailingList, identity: string): Promise<void> {
  const id = await list.idOf(identity)
  await list.database.transaction(async (transaction) => {
    await leaveTheList(transaction, id, 'unsubscribed', list.now())
    await list.recordEvent(transaction, 'left', id, list.now())
  })
}
