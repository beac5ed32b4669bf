import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { type Database, inTransaction } from './database/database.ts'
import { runMaintenance, runPendingScrubs } from './maintenance.ts'
import { addToWindows } from './sign-up/limit-windows.ts'
import { createLog } from './log.ts'
import { keepTemplate } from './deliveries/mail-templates.ts'
import { claimDue, deliveryTable, enqueue } from './deliveries/deliveries.ts'
import { addDailyCounts, dayOf, readDailyCounts } from './statistics/daily-counts.ts'
import {
  eraseSubscribers,
  eraseRows,
  readErasedCount,
  readPendingScrubs,
} from './subscribers/erase-subscribers.ts'
import { claimResends, enrol, recordOpening } from './subscribers/subscribers.ts'

const dayMs = 24 * 60 * 60_000
const start = Date.UTC(2026, 0, 1)
const log = createLog('error', 'key', () => {})

test('limit windows that have ended are dropped, however many there are, and open ones stay', async () => {
  const database = await openTemporaryDatabase()
  const maintain = maintenanceOf(database)
  const uses = Array.from({ length: 4_500 }, (_, index) => ({ name: `use ${index}`, amount: 1 }))
  const [current, ended] = [
    uses.filter((_, index) => index % 1_000 === 0),
    uses.filter((_, index) => index % 1_000),
  ]
  await addToWindows(database.query, ended, 1_000, start)
  await addToWindows(database.query, current, 5_000, start)
  await maintain(2_000)
  const rows = await database.query.selectFrom('limit_windows').select('name').orderBy('name').execute()
  expect(rows.map(({ name }) => name)).toEqual(current.map(({ name }) => name).toSorted())
})

test('daily counts are kept for three years', async () => {
  const database = await openTemporaryDatabase()
  const maintain = maintenanceOf(database)
  const count = { event: 'delivered', detail: '', count: 1 } as const
  const days = ['2026-01-01', '2026-01-02']
  await addDailyCounts(
    database.query,
    days.map((day) => ({ day, ...count })),
  )
  const daysLeft = async () => (await readDailyCounts(database.query, '')).map(({ day }) => day)
  await maintain(Date.parse('2029-01-01') - start)
  expect(await daysLeft()).toEqual(days)
  await maintain(Date.parse('2029-01-05') - start)
  expect(await daysLeft()).toEqual([])
})

test('subscribers who never opened their page are erased after KEEP_UNOPENED_DAYS; those who did or wait for mail stay', async () => {
  const database = await openTemporaryDatabase()
  const maintain = maintenanceOf(database, 30)
  await maintain(0)
  await signUp(database, 'never@example.com')
  const opened = await signUp(database, 'opened@example.com')
  await markAllSent(database)
  await signUp(database, 'waiting@example.com')
  await recordOpening(database.query, opened, start + dayMs)
  await maintain(29 * dayMs)
  expect(await addresses(database)).toHaveLength(3)
  await maintain(31 * dayMs)
  expect(await addresses(database)).toEqual(['opened@example.com', 'waiting@example.com'])
  expect(await readErasedCount(database.query)).toBe(1)
  expect(await readDailyCounts(database.query, '')).toEqual([
    { day: dayOf(start + 31 * dayMs), event: 'erased', detail: '', count: 1 },
  ])
})

test('a subscriber who signs up again while those who never opened their page are erased stays on the list', async () => {
  const database = await openTemporaryDatabase()
  if (database.engine === 'postgres') return // there it depends on who locks the row first
  let [calls, again] = [0, -1]
  let resend: Promise<unknown> | undefined
  const context = { database, log, keepUnopenedDays: 30, extensions: [] }
  const maintain = (afterMs: number) => {
    const now = () => {
      calls += 1
      if (calls === again)
        resend = inTransaction(database.query, (it) =>
          claimResends(it, ['ada@example.com'], start, start + afterMs),
        )
      return start + afterMs
    }
    return runMaintenance({ ...context, now })
  }
  await maintain(0)
  await signUp(database, 'ada@example.com')
  await markAllSent(database)
  calls = 0
  await maintain(29 * dayMs)
  again = calls + 1 // the time of the erasure is read right before it
  calls = 0
  await maintain(31 * dayMs)
  expect(await resend).toHaveLength(1)
  expect(await addresses(database)).toEqual(['ada@example.com'])
})

test('KEEP_UNOPENED_DAYS counts from the day it is turned on, since openings were not noted before', async () => {
  const database = await openTemporaryDatabase()
  const [off, on] = [maintenanceOf(database), maintenanceOf(database, 30)]
  await signUp(database, 'ada@example.com')
  await markAllSent(database)
  await off(100 * dayMs)
  await on(101 * dayMs)
  expect(await addresses(database)).toHaveLength(1)
  await on(132 * dayMs)
  expect(await addresses(database)).toHaveLength(0)
})

test('many subscribers are erased in batches, between which the event loop turns, and scrubbed once', async () => {
  const database = await openTemporaryDatabase()
  let turns = 0
  const scrubs: unknown[] = []
  const scrub: Database['scrub'] = async (traces) => {
    scrubs.push({ traces, afterManyTurns: turns >= 4 })
    return true
  }
  const maintain = maintenanceOf({ ...database, scrub }, 30)
  await maintain(0)
  const people = Array.from({ length: 2_200 }, (_, index) => `person-${index}@example.com`)
  const newcomers = people.map((email) => ({ identity: email, address: email, abuse_key: null }))
  await enrol(database.query, newcomers, start)
  const count = () => {
    turns += 1
    counter = setImmediate(count)
  }
  let counter = setImmediate(count)
  await maintain(31 * dayMs)
  clearImmediate(counter)
  expect(await addresses(database)).toEqual([])
  expect(scrubs).toEqual([{ traces: 'unknown', afterManyTurns: true }])
})

test('a pending scrub is retried until it is proved, and logged as a warning after an hour', async () => {
  const database = await openTemporaryDatabase()
  const logged: string[] = []
  let isProved = false
  const context = {
    database: { ...database, scrub: async () => isProved },
    log: createLog('warn', 'key', (lines) => logged.push(lines)),
    keepUnopenedDays: Infinity,
    extensions: [],
  }
  const settleAt = (ms: number) => runPendingScrubs({ ...context, now: () => start + ms })
  await signUp(database, 'ada@example.com')
  expect(await eraseSubscribers(context.database, [1], start)).toBe(false)
  await settleAt(59 * 60_000)
  await nextTurn()
  expect(logged).toEqual([])
  await settleAt(61 * 60_000)
  await nextTurn()
  expect(logged.join('')).toContain('traces of erased subscribers are left')
  isProved = true
  await settleAt(62 * 60_000)
  expect(await readPendingScrubs(database.query)).toEqual([])
})

test('a proved scrub ends only the pending scrub of its own erasure', async () => {
  const database = await openTemporaryDatabase()
  await signUp(database, 'ada@example.com')
  await signUp(database, 'bob@example.com')
  const scrub = async () => {
    await eraseRows(database, [2], start + 1)
    return true
  }
  expect(await eraseSubscribers({ ...database, scrub }, [1], start)).toBe(true)
  expect(await readPendingScrubs(database.query)).toMatchObject([{ since: start + 1 }])
})

function maintenanceOf(database: Database, keepUnopenedDays = Infinity) {
  return (sinceMs: number) =>
    runMaintenance({ database, log, now: () => start + sinceMs, keepUnopenedDays, extensions: [] })
}

async function signUp(database: Database, email: string): Promise<number> {
  const newcomer = { identity: email, address: email, abuse_key: null }
  const [subscriber] = await enrol(database.query, [newcomer], start)
  const template = await keepTemplate(database.query, shortTemplate)
  await enqueue(database.query, [subscriber!.id], { template, senderDomain: 'b.co', now: start })
  return subscriber!.id
}

async function markAllSent({ query }: Database): Promise<void> {
  const claimed = await claimDue(query, () => 10, { worker: 'w', now: start })
  const outcomes = claimed.map((claim) => ({ claim, kind: 'sent' as const, ms: 0 }))
  await deliveryTable.record(query, outcomes, { worker: 'w', now: start })
}

async function addresses({ query }: Database): Promise<string[]> {
  const rows = await query.selectFrom('subscribers').select('address').orderBy('address').execute()
  return rows.map(({ address }) => address)
}
