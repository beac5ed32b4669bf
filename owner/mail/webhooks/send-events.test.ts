import { repairClocks } from '#server/database/clock.ts'
import sql from 'sql-template-tag'
import { expect, test, vi } from 'vitest'
import { freePort } from '#rigs/listening.ts'
import { eventsIn, listWithWebhooks } from '#rigs/webhooks/webhook-list.ts'
import { startWebhookReceiver, webhookSecret } from '#rigs/webhooks/webhook-receiver.ts'
import type { Database } from '#server/database/database.ts'
import { runJobs } from '#owner/acts/jobs/run-jobs.ts'
import { startImport } from '#owner/people/import/import-people.ts'
import { readImport } from '#owner/people/import/read-import.ts'
import { tryImport } from '#owner/people/import/try-import.ts'
import { ownerExtension } from '#owner/start/extension.ts'
import { jobActs } from '#owner/start/job-acts.ts'
import { postEvent } from './post-event.ts'
import type { WebhookEvent } from './record-event.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

test('a failed try is repeated by the schedule under the same webhook-id, and after the last the event has failed', async () => {
  const { list, receiver, record, send } = await listWithWebhooks()
  receiver.behave(() => ({ status: 500 }))
  await record('joined')
  for (const [aheadMs, tries] of [
    [0, 1],
    [59_000, 1],
    [61_000, 2],
    [200_000, 3],
    [280_000, 3],
  ] as const) {
    await send(aheadMs)
    expect(receiver.received).toHaveLength(tries)
  }
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
  expect(await eventsIn(list.database)).toMatchObject([
    { state: 'failed', failures: 3, answer: 'http 500' },
  ])
})

test('Retry-After holds where it is longer than the schedule, and the receiver is left alone for so long', async () => {
  const { receiver, record, send } = await listWithWebhooks()
  receiver.behave(() => ({ status: 429, headers: { 'retry-after': '100' } }))
  await record('joined')
  await send()
  await record('joined', 2)
  for (const aheadMs of [0, 99_000]) await send(aheadMs)
  expect(receiver.received).toHaveLength(1)
  receiver.behave(() => ({ status: 200 }))
  await send(101_000)
  expect(receiver.received).toHaveLength(3)
})

test('a receiver that is away is probed with single events', async () => {
  const { receiver, record, send } = await listWithWebhooks()
  receiver.behave(() => ({ status: 503 }))
  for (let person = 1; person <= 20; person += 1) await record('joined', person)
  await send()
  expect(receiver.received).toHaveLength(1)
  await send(10_000)
  expect(receiver.received).toHaveLength(2)
})

test('an event waits until the earlier one of the same person was taken', async () => {
  const { receiver, record, switchTo, send } = await listWithWebhooks()
  receiver.behave(({ type }) => ({ status: type === 'subscriber.joined' ? 500 : 200 }))
  await record('joined')
  await switchTo('on')
  await send()
  expect(receiver.types()).toEqual(['joined'])
  receiver.behave(() => ({ status: 200 }))
  await send(61_000)
  expect(receiver.types()).toEqual(['joined', 'joined', 'consented'])
})

test('the events of an import wait until those of single people are sent', async () => {
  const { list, ada, receiver, record, send } = await listWithWebhooks()
  const file = Buffer.from('email\nben@example.com\ncyd@example.com\n')
  const tried = await tryImport(list.database, await readImport(file, { now: list.now() }))
  await startImport(list.database, tried, { campaign: '', now: list.now() })
  await runJobs(list.database, jobActs(list.context), list.now)
  list.at(minuteMs)
  await record('joined')
  await send(minuteMs)
  const sent = receiver.received.map(({ data }) => data['subscriber'])
  expect(sent).toEqual([ada, ada + 1, ada + 2])
})

test('the event of a dead process goes again after its lease, with the same webhook-id', async () => {
  const { list, receiver, record, send } = await listWithWebhooks()
  await record('joined')
  const leased = list.now() + minuteMs
  await run(list.database, sql`update webhook_events set worker = 'dead', due_at = ${leased}`)
  const [{ message_id }] = (await eventsIn(list.database)) as [WebhookEvent]
  await send()
  expect(receiver.received).toEqual([])
  await send(minuteMs)
  expect(receiver.received.map(({ id }) => id)).toEqual([message_id])
})

test.each([[301], [307], [400], [503]])(
  'an answer of %i is not a success, and no redirect is followed',
  async (status) => {
    const { list, receiver, record, send } = await listWithWebhooks()
    const elsewhere = await startWebhookReceiver()
    receiver.behave(() => ({ status, headers: { location: elsewhere.url } }))
    await record('joined')
    await send()
    expect(elsewhere.received).toEqual([])
    expect(await eventsIn(list.database)).toMatchObject([
      { state: 'queued', answer: `http ${status}` },
    ])
  },
)

test('a receiver that cannot be reached is tried again, and its URL is in no row', async () => {
  const { list, record, send } = await listWithWebhooks({
    WEBHOOK_URL: `http://127.0.0.1:${await freePort()}/secret-path`,
  })
  await record('joined')
  await send()
  const events = await eventsIn(list.database)
  expect(events).toMatchObject([{ state: 'queued', failures: 1, answer: 'ECONNREFUSED' }])
  expect(JSON.stringify(events)).not.toContain('secret-path')
})

test.each([
  ['TimeoutError', 'ETIMEDOUT'],
  ['AbortError', 'unknown error'],
])('a post that ends with a %s is tried again, and its answer is "%s"', async (name, answer) => {
  const { receiver } = await listWithWebhooks()
  const limit = vi.spyOn(AbortSignal, 'timeout')
  limit.mockReturnValue(AbortSignal.abort(new DOMException('', name)))
  const endpoint = { url: receiver.url, secrets: [webhookSecret] }
  const posted = await postEvent(endpoint, { message_id: 'msg_1', body: '{}' }, Date.now())
  expect(posted).toEqual({ isDelivered: false, answer, retryAfterMs: 0 })
  expect(limit).toHaveBeenCalledWith(15_000)
  limit.mockRestore()
})

test('while a secret is being replaced, both sign', async () => {
  const fresh = `whsec_${Buffer.from('a signing secret of 24 b').toString('base64')}`
  const receiver = await startWebhookReceiver(fresh)
  const former = await startWebhookReceiver(webhookSecret)
  const body = JSON.stringify({ type: 'subscriber.joined', timestamp: '', data: {} })
  for (const { url } of [receiver, former]) {
    expect(
      await postEvent(
        { url, secrets: [fresh, webhookSecret] },
        { message_id: 'msg_1', body },
        Date.now(),
      ),
    ).toMatchObject({ isDelivered: true })
  }
})

test('an event that was put off while the clock was ahead is sent once the clock is right', async () => {
  const { list, receiver, record, send } = await listWithWebhooks()
  await record('joined')
  await run(list.database, sql`update webhook_events set due_at = ${list.now() + 30 * dayMs}`)
  await repairClocks(list.database, ownerExtension.clockRepairs(list.config), list.now)
  await send()
  expect(receiver.received).toHaveLength(1)
})

async function run(database: Database, query: ReturnType<typeof sql>): Promise<void> {
  await database.transaction((transaction) => transaction.run(query))
}
