import { expect, test } from 'vitest'
import { openTemporaryDatabase } from '#rigs/temporary-database.ts'
import type { Database } from './database/open-database.ts'
import { keepHouse } from './housekeeping.ts'
import { addToWindows } from './sign-up/limit-windows.ts'
import { createLog } from './log.ts'
import { keepTemplate } from './deliveries/mail-templates.ts'
import { claimDue, enqueue, settleClaims } from './deliveries/deliveries.ts'
import { addDailyCounts, dayOf, readDailyCounts } from './statistics/daily-counts.ts'
import { readErasedCount } from './subscribers/leave-the-list.ts'
import { enrol, noteOpened } from './subscribers/subscribers.ts'

const dayMs = 24 * 60 * 60_000
const start = Date.UTC(2026, 0, 1)
const log = createLog('error', 'key', () => {})

test('limits that have ended are dropped, those that count stay', async () => {
  const database = await openTemporaryDatabase()
  const house = await houseFor(database)
  await addToWindows(database.query, [{ name: 'old', amount: 1 }], 1_000, start)
  await addToWindows(database.query, [{ name: 'new', amount: 1 }], 5_000, start)
  await house(2_000)
  expect(await database.query.selectFrom('limit_windows').select('name').execute()).toEqual([{ name: 'new' }])
})

test('counts of a day are kept for three years', async () => {
  const database = await openTemporaryDatabase()
  const house = await houseFor(database)
  const count = { event: 'delivered', detail: '', count: 1 } as const
  const days = ['2026-01-01', '2026-01-02']
  await addDailyCounts(
    database.query,
    days.map((day) => ({ day, ...count })),
  )
  const daysLeft = async () => (await readDailyCounts(database.query, '')).map(({ day }) => day)
  await house(Date.parse('2029-01-01') - start)
  expect(await daysLeft()).toEqual(days)
  await house(Date.parse('2029-01-05') - start)
  expect(await daysLeft()).toEqual([])
})

test('a template stays as long as a delivery or a running server uses it', async () => {
  const database = await openTemporaryDatabase()
  const [gone, running] = await Promise.all([houseFor(database, 'gone'), houseFor(database, 'running')])
  const ofAMail = await houseFor(database, 'of a mail')
  await Promise.all([gone(0), running(0), ofAMail(0)])
  await signUp(database, 'ada@example.com', 'of a mail')
  const names = async () => {
    const rows = await database.query
      .selectFrom('mail_templates')
      .select('content')
      .orderBy('content')
      .execute()
    return rows.map(({ content }) => JSON.parse(content).subject)
  }
  await running(6 * dayMs)
  expect(await names()).toEqual(['gone', 'of a mail', 'running'])
  await running(12 * dayMs)
  expect(await names()).toEqual(['of a mail', 'running'])
})

test('who never opened the page is erased after the days set; who did, or waits for mail, is not', async () => {
  const database = await openTemporaryDatabase()
  const house = await houseFor(database, 'subject', 30)
  await house(0)
  await signUp(database, 'never@example.com', 'subject')
  const opened = await signUp(database, 'opened@example.com', 'subject')
  await markAllSent(database)
  await signUp(database, 'waiting@example.com', 'subject')
  await noteOpened(database.query, opened, start + dayMs)
  await house(29 * dayMs)
  expect(await addresses(database)).toHaveLength(3)
  await house(31 * dayMs)
  expect(await addresses(database)).toEqual(['opened@example.com', 'waiting@example.com'])
  expect(await readErasedCount(database.query)).toBe(1)
  expect(await readDailyCounts(database.query, '')).toEqual([
    { day: dayOf(start + 31 * dayMs), event: 'erased', detail: '', count: 1 },
  ])
})

test('turned on later, it gives everybody the whole time: before, openings were not noted', async () => {
  const database = await openTemporaryDatabase()
  const [off, on] = [await houseFor(database), await houseFor(database, 'subject', 30)]
  await signUp(database, 'ada@example.com', 'subject')
  await markAllSent(database)
  await off(100 * dayMs)
  await on(101 * dayMs)
  expect(await addresses(database)).toHaveLength(1)
  await on(132 * dayMs)
  expect(await addresses(database)).toHaveLength(0)
})

async function houseFor(database: Database, subject = 'subject', keepUnopenedDays = Infinity) {
  const template = await keepTemplate(database.query, templateWith(subject))
  return (sinceMs: number) =>
    keepHouse({ database, log, now: () => start + sinceMs, template, keepUnopenedDays, extensions: [] })
}

function templateWith(subject: string) {
  return { subject, html: '', text: '', from: 'a@b.co', replyTo: 'a@b.co', publicUrl: 'https://b.co' }
}

async function signUp(database: Database, email: string, subject: string): Promise<number> {
  const newcomer = { identity: email, address: email, abuse_key: null }
  const [subscriber] = await enrol(database.query, [newcomer], start)
  const template = await keepTemplate(database.query, templateWith(subject))
  await enqueue(database.query, [{ subscriber: subscriber!.id, message_id: `<${email}>` }], template, start)
  return subscriber!.id
}

async function markAllSent({ query }: Database): Promise<void> {
  const claimed = await claimDue(query, { worker: 'w', limit: 10, leaseUntil: start + 1, now: start })
  const ids = claimed.map(({ id }) => id)
  await settleClaims(query, ids, { kind: 'sent' }, { worker: 'w', now: start })
}

async function addresses({ query }: Database): Promise<string[]> {
  const rows = await query.selectFrom('subscribers').select('address').orderBy('address').execute()
  return rows.map(({ address }) => address)
}
