import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import type { Database } from '../database/database.ts'
import {
  checkBeforeSending,
  claimMails,
  isMailDue,
  leaseMs,
  mailingPriority,
  type MailOutcome,
  recordOutcome,
  renewLeases,
} from './deliveries.ts'
import { type MailingRules, noMailings } from './mailing-rules.ts'

const now = Date.UTC(2026, 5, 1, 12)
const worker = 'ours'

test('mail is due from its time on', async () => {
  const { database } = await temporaryDatabase()
  await queueMails(database, ['ada@example.com'], { now })
  expect(await isMailDue(database, now - 1)).toBe(false)
  expect(await isMailDue(database, now)).toBe(true)
})

test.each([
  { ceiling: Infinity, isFull: false },
  { ceiling: 2, isFull: false },
  { ceiling: 1, isFull: true },
])('with a ceiling of $ceiling, and one mail handed over, isFull is $isFull', async (expected) => {
  const { database } = await temporaryDatabase()
  await queueMails(database, ['ada@example.com', 'ben@example.com'], { now })
  const { ceiling, isFull } = expected
  await record(database, await claimOne(database), { kind: 'sent', ms: 1 })
  const claim = { worker, now, maxMails: 4, maxAbove0: 4, ceiling }
  const claimed = await database.transaction((transaction) => claimMails(transaction, claim))
  expect(claimed.isFull).toBe(isFull)
})

test('mail of busy networks and of mailings together leaves places to that of quiet ones', async () => {
  const { database } = await temporaryDatabase()
  await queueMails(database, ['ada@example.com', 'ben@example.com'], { now, priority: 1 })
  const readers = ['cyd@example.com', 'dan@example.com', 'eve@example.com']
  await queueMails(database, readers, { now, priority: mailingPriority })
  const claim = async (maxMails: number) => {
    const limits = { worker, now, maxMails, maxAbove0: 3, ceiling: Infinity }
    const { mails } = await database.transaction((transaction) => claimMails(transaction, limits))
    return mails.map(({ priority }) => priority)
  }
  expect(await claim(4)).toEqual([1, 1, 9])
  expect(await claim(1)).toEqual([9])
})

test('a renewed lease lasts as long as a new one, and only for its own worker', async () => {
  const { database, change, id } = await makeQueue()
  const renew = (by: string, at: number) =>
    database.transaction((transaction) => renewLeases(transaction, [id], { worker: by, now: at }))
  await renew(worker, now + 30_000)
  await renew('another', now + 40_000)
  expect(await dueAtOf(database, id)).toBe(now + 30_000 + leaseMs)
  await change(sql`update deliveries set state = 'sent'`)
  await renew(worker, now + 50_000)
  expect(await dueAtOf(database, id)).toBe(now + 30_000 + leaseMs)
})

describe('right before an attempt, a mail', () => {
  test('is wanted, and comes with address, token and template', async () => {
    const queue = await makeQueue()
    expect(await queue.check()).toEqual({
      kind: 'wanted',
      address: 'ada@example.com',
      token: expect.stringMatching(/^[\w-]{22}$/),
      template: expect.stringContaining('"subject":"Your starter bot"'),
    })
  })

  test('is gone for another worker', async () => {
    const queue = await makeQueue()
    await queue.change(sql`update deliveries set worker = 'another'`)
    expect(await queue.check()).toEqual({ kind: 'gone' })
  })

  test('is gone once it is no longer being sent', async () => {
    const queue = await makeQueue()
    await queue.change(sql`update deliveries set state = 'sent'`)
    expect(await queue.check()).toEqual({ kind: 'gone' })
  })

  test('of a mailing is what the rules of mailings say', async () => {
    const queue = await makeQueue()
    const asked: unknown[] = []
    const answer = { kind: 'put-off', dueAt: 9 } as const
    const mayGo: MailingRules['mayGo'] = async (_reader, mail) => {
      asked.push(mail)
      return answer
    }
    expect(await queue.check({ mailing: 7, rules: { ...noMailings, mayGo } })).toEqual(answer)
    expect(asked).toEqual([{ id: queue.id, mailing: 7, subscriber: queue.subscriber }])
  })

  test("of a mailing is held without the owner's ring", async () => {
    const queue = await makeQueue()
    expect(await queue.check({ mailing: 7, rules: noMailings })).toEqual({ kind: 'held' })
  })

  test('of a mailing is cancelled for a person who left, whatever the rules say', async () => {
    const queue = await makeQueue()
    await queue.change(sql`update subscribers set state = 'unsubscribed'`)
    expect(await queue.check({ mailing: 7 })).toEqual({ kind: 'cancelled' })
  })
})

describe('an attempt ends the claim of its worker:', () => {
  test.each<[MailOutcome, Record<string, unknown>]>([
    [
      { kind: 'sent', ms: 1 },
      { state: 'sent', finished_at: now, last_fault: null },
    ],
    [
      { kind: 'failed', why: 'smtp 550', isRefused: true },
      { state: 'failed', finished_at: now, last_fault: 'smtp 550' },
    ],
    [
      { kind: 'deferred', why: 'smtp 450', dueAt: now + 9 },
      { state: 'queued', worker: null, due_at: now + 9, last_fault: 'smtp 450', failures: 1 },
    ],
    [
      { kind: 'held-up', why: 'ECONNRESET', dueAt: now + 9 },
      { state: 'queued', worker: null, due_at: now + 9, last_fault: 'ECONNRESET', failures: 0 },
    ],
    [
      { kind: 'broken-off' },
      { state: 'queued', worker: null, due_at: now, last_fault: 'before', failures: 0 },
    ],
    [
      { kind: 'put-off', dueAt: now + 9 },
      { state: 'queued', worker: null, due_at: now + 9, last_fault: 'before', failures: 0 },
    ],
    [{ kind: 'cancelled' }, { state: 'cancelled', finished_at: now, last_fault: 'before' }],
    [{ kind: 'held' }, { state: 'held', worker, finished_at: null, last_fault: 'before' }],
  ])('%o', async (outcome, columns) => {
    const { database, change, id } = await makeQueue()
    await change(sql`update deliveries set last_fault = 'before'`)
    expect(await record(database, id, outcome)).toBe(true)
    expect(await rowOf(database, id)).toMatchObject(columns)
  })

  test('it changes nothing once another worker has the mail', async () => {
    const { database, change, id } = await makeQueue()
    await change(sql`update deliveries set worker = 'another'`)
    expect(await record(database, id, { kind: 'cancelled' })).toBe(false)
    expect(await rowOf(database, id)).toMatchObject({ state: 'sending', worker: 'another' })
  })
})

describe('the end of a mail', () => {
  test.each<[MailOutcome, string[]]>([
    [{ kind: 'sent', ms: 1 }, ['7 sent']],
    [{ kind: 'failed', why: 'smtp 550', isRefused: true }, ['7 failed']],
    [{ kind: 'deferred', why: 'smtp 450', dueAt: now + 9 }, []],
  ])('%o: its mailing is told %j', async (outcome, told) => {
    const { database, id } = await makeQueue()
    const { ends, rules } = notedEnds()
    await record(database, id, outcome, { mailing: 7, rules })
    expect(ends).toEqual(told)
  })

  test('is told to no mailing if it is a starter mail, or if another worker has it', async () => {
    const { database, change, id } = await makeQueue()
    const { ends, rules } = notedEnds()
    const sent = { kind: 'sent', ms: 1 } as const
    await record(database, id, sent, { rules })
    await change(sql`update deliveries set state = 'sending', worker = 'another'`)
    await record(database, id, sent, { mailing: 7, rules })
    expect(ends).toEqual([])
  })
})

/** Rules of mailings that note what they are told. */
function notedEnds() {
  const ends: string[] = []
  const recordEnd: MailingRules['recordEnd'] = async (_transaction, mailing, end) =>
    void ends.push(`${mailing} ${end}`)
  return { ends, rules: { ...noMailings, recordEnd } }
}

/** A queue with one person, and a mail to them that is claimed. */
async function makeQueue() {
  const { database } = await temporaryDatabase()
  const change = (query: Sql) => database.transaction((transaction) => transaction.run(query))
  const [subscriber = 0] = await queueMails(database, ['ada@example.com'], { now })
  const id = await claimOne(database)
  return {
    database,
    change,
    subscriber,
    id,
    check: ({ mailing, rules = noMailings }: { mailing?: number; rules?: MailingRules } = {}) =>
      checkBeforeSending(database, { id, mailing: mailing ?? null }, { worker, now, rules }),
  }
}

/** Returns the number of the mail. */
async function claimOne(database: Database): Promise<number> {
  const claim = { worker, now, maxMails: 1, maxAbove0: 1, ceiling: Infinity }
  const { mails } = await database.transaction((transaction) => claimMails(transaction, claim))
  return mails[0]!.id
}

function record(
  database: Database,
  id: number,
  outcome: MailOutcome,
  { mailing, rules = noMailings }: { mailing?: number; rules?: MailingRules } = {},
): Promise<boolean> {
  return database.transaction((transaction) =>
    recordOutcome(transaction, { id, mailing: mailing ?? null }, outcome, { worker, now, rules }),
  )
}

function rowOf(database: Database, id: number) {
  return database.row<Record<string, unknown>>(sql`select * from deliveries where id = ${id}`)
}

async function dueAtOf(database: Database, id: number): Promise<number | undefined> {
  const row = await database.row<{ due_at: number }>(
    sql`select due_at from deliveries where id = ${id}`,
  )
  return row?.due_at
}
