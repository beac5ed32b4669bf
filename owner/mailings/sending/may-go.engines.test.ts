import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { change } from '#rigs/owner/letters.ts'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { queueMailing } from '#rigs/server/queue-mails.ts'
import { dayMs } from '#server/database/clock.ts'
import { countWhoLeft, mailingRules } from './may-go.ts'

const minuteMs = 60_000
const go = { kind: 'go' }

/** Ada, who agreed at the start, with mail of some mailings. */
async function ada() {
  const list = await makeMailingList()
  await list.signUp(['ada@example.com'], { agreed: true, at: list.start })
  const subscriber = await list.idOf('ada@example.com')
  return {
    list,
    start: list.start,
    subscriber,
    /** Queues a mail to her. `afterDays`: of a letter of the series. */
    mail: async (afterDays?: number) => ({
      ...(await queueMailing(list.database, {
        subscriber,
        now: list.start,
        ...(afterDays !== undefined && { afterDays }),
      })),
      subscriber,
    }),
  }
}

const mayGo = (
  list: MailingList,
  mail: { id: number; mailing: number; subscriber: number },
  ms = 0,
) => mailingRules.mayGo(list.database, mail, list.start + ms)
const sentAt = (list: MailingList, { id }: { id: number }, ms: number) =>
  change(
    list,
    sql`update deliveries set state = 'sent', finished_at = ${list.start + ms} where id = ${id}`,
  )
const setState = (list: MailingList, { id }: { id: number }, state: string) =>
  change(list, sql`update deliveries set state = ${state} where id = ${id}`)

test.each([
  ['sending', 'go'],
  ['done', 'go'],
  ['paused', 'held'],
  ['cancelled', 'cancelled'],
])('mail of a mailing that is %s: %s', async (state, kind) => {
  const { list, mail } = await ada()
  const one = await mail()
  await change(list, sql`update mailings set state = ${state}`)
  expect(await mayGo(list, one)).toEqual({ kind })
})

test('mail of a mailing that is gone, or to somebody who left, is cancelled', async () => {
  const { list, mail } = await ada()
  const one = await mail()
  expect(await mayGo(list, { ...one, mailing: 99 })).toEqual({ kind: 'cancelled' })
  await change(list, sql`update subscribers set state = 'unsubscribed'`)
  expect(await mayGo(list, one)).toEqual({ kind: 'cancelled' })
})

describe('a letter of the series', () => {
  test('goes on its day, and up to three days later', async () => {
    const { list, mail } = await ada()
    const one = await mail(2)
    const kindAt = async (ms: number) => (await mayGo(list, one, ms)).kind
    expect(await kindAt(2 * dayMs - 1)).toBe('cancelled') // its day was moved
    expect(await kindAt(2 * dayMs)).toBe('go')
    expect(await kindAt(5 * dayMs)).toBe('go')
    expect(await kindAt(5 * dayMs + 1)).toBe('cancelled')
  })

  test('is cancelled for somebody whose days count no more', async () => {
    const { list, mail } = await ada()
    const one = await mail(1)
    await change(list, sql`update subscribers set series_from = null`)
    expect(await mayGo(list, one, dayMs)).toEqual({ kind: 'cancelled' })
  })

  test.each([
    ['another of the series', 1],
    ['a letter', undefined],
  ])('waits until a day after %s was sent', async (_, afterDays) => {
    const { list, start, mail } = await ada()
    const one = await mail(2)
    await sentAt(list, await mail(afterDays), dayMs - 5)
    await sentAt(list, await mail(afterDays), dayMs + 5)
    const later = { kind: 'put-off', dueAt: start + 2 * dayMs + 5 }
    expect(await mayGo(list, one, 2 * dayMs)).toEqual(later)
    expect(await mayGo(list, one, 2 * dayMs + 5)).toEqual(go)
  })

  test('gives way to a letter that waits, by a day', async () => {
    const { list, start, mail } = await ada()
    const one = await mail(2)
    await mail()
    const later = { kind: 'put-off', dueAt: start + 3 * dayMs }
    expect(await mayGo(list, one, 2 * dayMs)).toEqual(later)
  })

  test('of two that are tried at the same moment the first goes', async () => {
    const { list, start, mail } = await ada()
    const first = await mail(2)
    const second = await mail(2)
    expect(await mayGo(list, second, 2 * dayMs)).toEqual(go) // the first only waits
    for (const one of [first, second]) await setState(list, one, 'sending')
    expect(await mayGo(list, first, 2 * dayMs)).toEqual(go)
    const later = { kind: 'put-off', dueAt: start + 3 * dayMs }
    expect(await mayGo(list, second, 2 * dayMs)).toEqual(later)
  })

  test('does not wait for mail that failed, was cancelled, or goes to somebody else', async () => {
    const { list, mail } = await ada()
    const one = await mail(2)
    await setState(list, await mail(), 'failed')
    await setState(list, await mail(), 'cancelled')
    await list.signUp(['bob@example.com'])
    const subscriber = await list.idOf('bob@example.com')
    await queueMailing(list.database, { subscriber, now: list.start })
    expect(await mayGo(list, one, 2 * dayMs)).toEqual(go)
  })
})

describe('a letter that goes out once', () => {
  test('waits until a day after one of the series was sent, and for no other letter', async () => {
    const { list, start, mail } = await ada()
    const one = await mail()
    await sentAt(list, await mail(), 0)
    expect(await mayGo(list, one, minuteMs)).toEqual(go)
    await sentAt(list, await mail(1), 5)
    const later = { kind: 'put-off', dueAt: start + dayMs + 5 }
    expect(await mayGo(list, one, minuteMs)).toEqual(later)
  })

  test('waits a minute while one of the series is tried, and not for one that waits', async () => {
    const { list, start, mail } = await ada()
    const one = await mail()
    const ofSeries = await mail(1)
    expect(await mayGo(list, one)).toEqual(go)
    await setState(list, ofSeries, 'sending')
    expect(await mayGo(list, one)).toEqual({ kind: 'put-off', dueAt: start + minuteMs })
  })
})

test('the end of each mail is counted on the row of its mailing', async () => {
  const { list, mail } = await ada()
  const { mailing } = await mail()
  const figures = () =>
    list.database.row(sql`select sent, failed from mailings where id = ${mailing}`)
  await list.database.transaction(async (transaction) => {
    for (const end of ['sent', 'failed', 'failed', 'waits-again'] as const) {
      await mailingRules.recordEnd(transaction, mailing, end)
    }
  })
  expect(await figures()).toEqual({ sent: 1, failed: 1 })
})

test('who leaves is counted for the mailing that they got last, within a day', async () => {
  const { list, subscriber, mail } = await ada()
  const first = await mail()
  const last = await mail()
  const waiting = await mail()
  const leaveAt = (ms: number) =>
    list.database.transaction((transaction) =>
      countWhoLeft(transaction, subscriber, list.start + ms),
    )
  await leaveAt(0) // nobody got anything yet
  await sentAt(list, first, 1)
  await sentAt(list, last, 2)
  await leaveAt(dayMs + 1)
  await leaveAt(dayMs + 2)
  const left = await list.database.rows(sql`select id, left_after from mailings order by id`)
  expect(left).toEqual([
    { id: first.mailing, left_after: 0 },
    { id: last.mailing, left_after: 1 },
    { id: waiting.mailing, left_after: 0 },
  ])
})
