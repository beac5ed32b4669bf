import { expect, onTestFinished, test } from 'vitest'
import { openTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import type { Database } from '../database/database.ts'
import { createLog } from '../log.ts'
import { enrol } from '../subscribers/subscribers.ts'
import { keepTemplate } from './mail-templates.ts'
import type { Outcome } from './claims.ts'
import { claimDue, deliveryTable, enqueue } from './deliveries.ts'
import { type MailTrouble, readBacklog, watchBacklog } from './backlog.ts'

const minuteMs = 60_000

test('mail is logged as stuck once, after 5 minutes without progress, with the last error', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.failOne('ECONNREFUSED')
  expect(await deliveries.checkAfter(4)).toEqual([])
  expect(await deliveries.checkAfter(1)).toEqual([
    { event: 'mail has been stuck for 5 minutes: none went out', unsent: 1, why: 'ECONNREFUSED' },
  ])
  await deliveries.queue('ben')
  expect(await deliveries.checkAfter(60)).toEqual([])
})

test('mail that is never attempted counts as stuck too', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  expect(await deliveries.checkAfter(5)).toEqual([expect.objectContaining({ unsent: 1 })])
})

test('the log says when mail flows again, and when it is stuck again', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.queue('ben')
  expect(await deliveries.checkAfter(6)).toHaveLength(1)
  await deliveries.sendOne()
  expect(await deliveries.checkAfter(1)).toEqual([{ event: 'mail flows again', afterMinutes: 7, unsent: 1 }])
  expect(await deliveries.checkAfter(4)).toEqual([])
  expect(await deliveries.checkAfter(1)).toHaveLength(1)
})

test('onChange is called when mail gets stuck, with time and reason, and when it flows again', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.queue('ben')
  await deliveries.failOne('ECONNREFUSED')
  await deliveries.checkAfter(6)
  await deliveries.checkAfter(6)
  await deliveries.sendOne()
  await deliveries.checkAfter(1)
  expect(deliveries.changes).toEqual([
    { kind: 'stuck', since: deliveries.start, why: 'ECONNREFUSED' },
    undefined,
  ])
})

test('one mail postponed for hours does not count as stuck while others go out', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.failOne('smtp 451 to DATA')
  for (const name of ['ben', 'cleo', 'dan']) {
    await deliveries.queue(name)
    await deliveries.sendOne()
    expect(await deliveries.checkAfter(4)).toEqual([])
  }
})

test('recipients of one domain that defer us do not count as stuck, also if no other mail goes out', async () => {
  const deliveries = await startTestDeliveries()
  for (const name of ['ada', 'ben']) {
    await deliveries.queue(name)
    await deliveries.failOne('smtp 451 to RCPT TO')
  }
  expect(await deliveries.checkAfter(60)).toEqual([])
  expect((await deliveries.read()).trouble).toBeUndefined()
})

test('beside a deferred recipient a dead relay is noticed after 5 minutes, and named as the reason', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.failOne('smtp 451 to RCPT TO')
  await deliveries.checkAfter(60)
  await deliveries.queue('ben')
  await deliveries.failOne('ECONNREFUSED')
  expect(await deliveries.checkAfter(4)).toEqual([])
  expect(await deliveries.checkAfter(1)).toMatchObject([{ unsent: 2, why: 'ECONNREFUSED' }])
})

test('a relay that defers recipients of two domains for 5 minutes is stuck', async () => {
  const deliveries = await startTestDeliveries()
  for (const name of ['ada', 'ben@example.org']) {
    await deliveries.queue(name)
    await deliveries.failOne('smtp 451 to RCPT TO')
    expect(await deliveries.checkAfter(4)).toEqual([])
  }
  expect(await deliveries.checkAfter(1)).toMatchObject([{ unsent: 2, why: 'smtp 451 to RCPT TO' }])
})

test('recipients of two domains may be deferred while mail to others goes out between them', async () => {
  const deliveries = await startTestDeliveries()
  for (const name of ['ada', 'ben@example.org']) {
    await deliveries.queue(name)
    await deliveries.failOne('smtp 450 to RCPT TO')
    expect(await deliveries.checkAfter(60)).toEqual([])
    await deliveries.queue(`cleo${deliveries.now()}`)
    await deliveries.sendOne()
    expect(await deliveries.checkAfter(60)).toEqual([])
  }
})

test.each(['smtp 421 to RCPT TO', 'smtp 451 to MAIL FROM', 'smtp 452 to DATA', 'resend 500'])(
  'one mail that waits after %s is stuck',
  async (why) => {
    const deliveries = await startTestDeliveries()
    await deliveries.queue('ada')
    await deliveries.failOne(why)
    expect(await deliveries.checkAfter(5)).toMatchObject([{ unsent: 1, why }])
  },
)

test('a deferred mail that is not tried again when it is due counts as stuck', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.failOne('smtp 451 to RCPT TO')
  expect(await deliveries.checkAfter(604)).toEqual([])
  expect(await deliveries.checkAfter(1)).toHaveLength(1)
})

test('mail that is due tomorrow does not count as stuck today', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada', deliveries.start + 24 * 60 * minuteMs)
  expect(await deliveries.checkAfter(60)).toEqual([])
  expect(await deliveries.checkAfter(24 * 60)).toHaveLength(1)
})

test('an empty queue is never stuck', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.sendOne()
  expect(await deliveries.checkAfter(600)).toEqual([])
  await deliveries.queue('ben')
  expect(await deliveries.checkAfter(1)).toEqual([])
})

test('mail is late when some has been due for 30 minutes although mail goes out', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  const due = deliveries.start
  for (const minutes of [4, 4, 4, 4, 4, 4, 4]) {
    await deliveries.queue('ben' + deliveries.now())
    await deliveries.sendOneOf('ben')
    expect(await deliveries.checkAfter(minutes)).toEqual([])
  }
  await deliveries.queue('cleo')
  await deliveries.sendOneOf('cleo')
  expect(await deliveries.checkAfter(2)).toMatchObject([
    { event: 'mail has been due for 30 minutes: less goes out than is queued', unsent: 1 },
  ])
  expect(deliveries.changes).toMatchObject([{ kind: 'late', since: due }])
  await deliveries.sendOne()
  expect(await deliveries.checkAfter(1)).toMatchObject([{ event: 'mail flows again', unsent: 0 }])
})

test('a process that has just started knows how long mail has been stuck', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.queue('ben')
  await deliveries.sendOne()
  await deliveries.checkAfter(1)
  const movedAt = deliveries.now()
  await deliveries.checkAfter(7)
  expect(await deliveries.read()).toMatchObject({ unsent: 1, trouble: { kind: 'stuck', since: movedAt } })
})

test('erasing the newest subscriber does not count as progress', async () => {
  const deliveries = await startTestDeliveries()
  await deliveries.queue('ada')
  await deliveries.queue('ben')
  await deliveries.sendOneOf('ben')
  await deliveries.checkAfter(1)
  expect(await deliveries.checkAfter(6)).toHaveLength(1)
  await deliveries.erase('ben')
  expect(await deliveries.checkAfter(1)).toEqual([])
  expect(await deliveries.read()).toMatchObject({ trouble: { kind: 'stuck' } })
})

async function startTestDeliveries() {
  const database = await openTemporaryDatabase()
  const { query } = database
  const template = await keepTemplate(query, noTemplate)
  const start = Date.parse('2025-01-01')
  let now = start
  let lines = ''
  const log = createLog('info', 'key', (more) => (lines += more))
  const changes: (MailTrouble | undefined)[] = []
  const onChange = (stuck: MailTrouble | undefined) => void changes.push(stuck)
  const watch = watchBacklog({ database, log, now: () => now, onChange })
  onTestFinished(() => watch.stop())
  await watch.check()
  return {
    start,
    changes,
    async queue(name: string, dueAt?: number) {
      const address = name.includes('@') ? name : `${name}@example.com`
      const [row] = await enrol(query, [{ address, identity: address, abuse_key: null }], now)
      await enqueue(query, [row!.id], { template, senderDomain: 'here', now, dueAt })
    },
    async sendOne() {
      await endOne(database, now, (claim) => ({ claim, kind: 'sent', ms: 0 }))
    },
    async failOne(why: string) {
      const fault = { why, isAway: false, retryAfterMs: 0 }
      await endOne(database, now, (claim) => ({
        claim,
        ...fault,
        kind: 'postponed',
        dueAt: now + 600 * minuteMs,
      }))
    },
    now: () => now,
    read: () => readBacklog(query, now),
    async sendOneOf(name: string) {
      await query
        .updateTable('deliveries')
        .set({
          state: 'sent',
          finished_at: now,
        })
        .where('state', '=', 'queued')
        .where(
          'subscriber',
          'in',
          query.selectFrom('subscribers').select('id').where('address', 'like', `${name}%`),
        )
        .execute()
    },
    async erase(name: string) {
      await query.deleteFrom('subscribers').where('address', 'like', `${name}%`).execute()
    },
    /** Returns the events that this look logged. */
    async checkAfter(minutes: number) {
      now += minutes * minuteMs
      await watch.check()
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      const events = lines.split('\n').filter(Boolean)
      lines = ''
      return events.map((line) => {
        const { at: _at, level: _level, ...event } = JSON.parse(line)
        return event
      })
    },
  }
}

const noTemplate = { subject: '', html: '', text: '', from: '', replyTo: '', publicUrl: '' }

type End = (claim: { id: number }) => Outcome<{ id: number }>

async function endOne({ query }: Database, now: number, end: End): Promise<void> {
  const lease = { worker: 'worker', now }
  const [claim] = await claimDue(query, () => 1, lease)
  await deliveryTable.record(query, [end(claim!)], lease)
}
