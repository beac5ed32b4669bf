import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { act, change, draft, listOf, news, rowOf, seriesList } from '#rigs/owner/letters.ts'
import { letterSite, type MailingList } from '#rigs/owner/mailing-list.ts'
import { addresses } from '#rigs/server/people.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import type { NewMailing } from '../mailings.ts'
import { sendMailings } from './send-mailings.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

async function countMails({ database }: MailingList, state = 'queued'): Promise<number> {
  const row = await database.row<{ mails: number }>(
    sql`select count(*) as mails from deliveries where mailing is not null and state = ${state}`,
  )
  return row!.mails
}

/** All that is queued is sent. */
const sendAll = (list: MailingList) =>
  change(list, sql`update deliveries set state = 'sent', finished_at = ${list.now()}`)

/** As if so much had been sent to many within this hour. */
const useUpToday = (list: MailingList, mails: number) =>
  change(
    list,
    sql`insert into mailing_hours (hour, mails)
      values (${Math.floor(list.now() / hourMs)}, ${mails})`,
  )

describe.each<[string, NewMailing]>([
  ['a letter', news],
  ['a letter of the series', { ...news, afterDays: 1 }],
])('%s to three pages of people', (_, letter) => {
  async function listAtWork(): Promise<MailingList> {
    const list = await listOf({})
    await list.signUp(addresses(45), { agreed: true, at: list.start })
    const id = await draft(list, letter)
    await act(list, id, 'send')
    list.at(dayMs)
    return list
  }

  test('is queued once for everybody by instances that run at the same time', async () => {
    const list = await listAtWork()
    const readSlowly = (transaction: Transaction): Transaction => ({
      ...transaction,
      async rows(query) {
        const rows = await transaction.rows(query)
        await sleep(20) // meanwhile another instance could read the same page
        return rows as never
      },
    })
    const database: Database = {
      ...list.database,
      transaction: (work) => list.database.transaction((one) => work(readSlowly(one))),
    }
    const context = { ...list.context, site: letterSite, database }
    await Promise.all([sendMailings(context), sendMailings(context), sendMailings(context)])
    expect(await countMails(list)).toBe(45)
  })

  test('is queued once for everybody although instances are killed before they commit', async () => {
    const list = await listAtWork()
    const lost = new Set([1, 3, 6, 10]) // further and further apart: each step is lost once
    let transactions = 0
    const database: Database = {
      ...list.database,
      transaction: (work) =>
        list.database.transaction(async (transaction) => {
          const result = await work(transaction)
          transactions += 1
          if (lost.has(transactions)) throw new Error('killed')
          return result
        }),
    }
    const context = { ...list.context, site: letterSite, database }
    for (let kills = 0; kills < lost.size; kills += 1) {
      await expect(sendMailings(context)).rejects.toThrow('killed')
    }
    await sendMailings(context)
    expect(await countMails(list)).toBe(45)
  })
})

describe('a letter', () => {
  test('has 500 mails waiting at the most, and queues the rest as they go', async () => {
    const list = await listOf({ agreed: addresses(520) })
    const id = await list.send(news)
    expect(await countMails(list)).toBe(500)
    await sendAll(list)
    await list.sendMailings()
    expect(await countMails(list)).toBe(20)
    expect(await rowOf(list, id)).toMatchObject({ state: 'sending' })
    await sendAll(list)
    await list.sendMailings()
    expect(await rowOf(list, id)).toMatchObject({ state: 'done' })
  })

  test('sends no more on a day than the warm-up lets go', async () => {
    const list = await listOf({ agreed: addresses(30) })
    await useUpToday(list, 975)
    await list.send(news)
    expect(await countMails(list)).toBe(25)
    await list.sendMailings()
    expect(await countMails(list)).toBe(25)
    list.at(dayMs)
    await list.sendMailings()
    expect(await countMails(list)).toBe(30)
  })

  test('finds people whose numbers are far apart', async () => {
    const list = await listOf({ agreed: ['first@example.com'] })
    await change(
      list,
      sql`insert into subscribers (identity, address, state, signed_up_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2500)
        select 'left' || n, 'left' || n, 'unsubscribed', 0 from numbers`,
    )
    await list.signUp(['last@example.com'], { agreed: true })
    await list.send(news)
    expect(await countMails(list)).toBe(2)
  })

  test.each<[string, (list: MailingList, id: number) => Promise<void>]>([
    ['was paused', (list, id) => act(list, id, 'pause')],
    [
      'was paused and resumed',
      async (list, id) => {
        await act(list, id, 'pause')
        list.at(minuteMs)
        await act(list, id, 'resume')
      },
    ],
  ])('that %s while its sample was read queues nothing in that turn', async (_, meanwhile) => {
    const list = await listOf({ agreed: addresses(3) })
    const id = await draft(list, news)
    await change(list, sql`update mailings set state = 'sending', resumed_at = ${list.now()}`)
    let isOnce = true
    const { database } = list
    const ownerReads: Reader = {
      rows: (query) => database.ownerReads.rows(query),
      async row(query) {
        const answer = await database.ownerReads.row(query)
        if (isOnce) await meanwhile(list, id)
        isOnce = false
        return answer as never
      },
    }
    const context = { ...list.context, site: letterSite, database: { ...database, ownerReads } }
    await sendMailings(context)
    expect(await countMails(list)).toBe(0)
  })
})

describe('a letter of the series', () => {
  test('goes to everybody who falls due at the same moment, in pages', async () => {
    const list = await listOf({})
    await list.signUp(addresses(25), { agreed: true, at: list.start })
    const id = await list.send({ ...news, afterDays: 1 })
    list.at(dayMs)
    await list.sendMailings()
    expect(await countMails(list)).toBe(25)
    expect(await rowOf(list, id)).toMatchObject({ toSend: 25 })
  })

  test('waits for the warm-up, and leaves nobody out by it', async () => {
    const list = await seriesList()
    await list.send({ ...news, afterDays: 1 })
    list.at(dayMs)
    await useUpToday(list, 1_000)
    await list.sendMailings()
    expect(await countMails(list)).toBe(0)
    list.at(2 * dayMs + hourMs)
    await list.sendMailings()
    expect(await countMails(list)).toBe(1)
  })

  test('is written down once an hour while nobody is due, without a mail that could go', async () => {
    const list = await seriesList()
    const id = await list.send({ ...news, afterDays: 2 })
    const passed = async () => (await rowOf(list, id)).cursorAt - list.start + 2 * dayMs
    for (const [at, seen] of [
      [hourMs, 0],
      [hourMs + 1, hourMs + 1],
      [2 * hourMs, hourMs + 1],
    ] as const) {
      list.at(at)
      await list.sendMailings()
      expect(await passed()).toBe(seen)
    }
    expect((await rowOf(list, id)).template).toBeNull()
    list.at(2 * dayMs)
    await list.sendMailings()
    list.at(2 * dayMs + minuteMs)
    await list.signUp(['bob@example.com'], { agreed: true, at: list.start + minuteMs })
    await list.sendMailings()
    expect(await rowOf(list, id)).toMatchObject({ toSend: 2, template: expect.any(String) })
    expect(await passed()).toBe(2 * dayMs + minuteMs)
  })

  test('is not queued for somebody whose day is more than three days ago', async () => {
    const list = await seriesList()
    await list.send({ ...news, afterDays: 1 })
    list.at(4 * dayMs + 1)
    await list.sendMailings()
    expect(await countMails(list)).toBe(0)
  })

  test('that was cancelled before it went goes with the same Message-ID once they agree again', async () => {
    const list = await seriesList()
    await list.send({ ...news, afterDays: 1 })
    list.at(dayMs)
    await list.sendMailings()
    const ids = () => list.database.rows(sql`select message_id from deliveries`)
    const before = await ids()
    await list.turn('ada@example.com', 'off')
    expect(await list.deliver()).toBe(0)
    expect(await countMails(list, 'cancelled')).toBe(1)
    await list.turn('ada@example.com', 'on')
    await list.days(3)
    expect(list.subjects()).toEqual(['News'])
    expect(await ids()).toEqual(before)
  })
})
