import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { Worker } from '#server/deliveries/worker.ts'
import { createLog } from '#server/log.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { eraseSubscribers } from '#server/subscribers/erase-subscribers.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { enrol, enrolAgain } from '#server/subscribers/subscribers.ts'
import { parseEmailAddress } from '#contract/email-address.ts'
import { openOwnerTerminal, subscribe } from '#rigs/owner/owner-terminal.ts'
import { type TestApp, testApp } from '#rigs/server/test-app.ts'
import { startWebhookReceiver, webhookSecret } from '#rigs/owner/webhook-receiver.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { correctAddress, versionOf } from '../subscribers/change-subscriber.ts'
import { withTemporarySubscriber } from '../doctor/site/temporary-subscriber.ts'
import { eventQueue } from './event-queue.ts'
import { createTriggers } from './triggers.ts'
import { dropOldEvents, isGone } from './webhook-events.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

test('a running server sends who joined, left and was erased, in this order and without addresses', async () => {
  const receiver = await startWebhookReceiver()
  const app = await testApp({ config: { webhook: { url: receiver.url, secrets: [webhookSecret] } } })
  await app.signUp('ada@example.com')
  const id = await idOf(app, 'ada@example.com')
  await leaveTheList(app.database, id, 'unsubscribed', app.clock.now())
  await eraseSubscribers(app.database, [id], app.clock.now())
  await expect.poll(receiver.types).toEqual(['joined', 'left', 'erased'])
  expect(JSON.stringify(receiver.received)).not.toContain('@')
  expect(receiver.received[2]!.data).toEqual({ subscriber: id })
  await expect.poll(app.log).toContain('"event":"webhook delivered","id":3,"type":"subscriber.erased"')
})

test('a server without WEBHOOK_URL writes no events, also after one that had it', async () => {
  const app = await testApp({ config: { webhook: { url: 'http://127.0.0.1:9/', secrets: [webhookSecret] } } })
  await app.signUp('ada@example.com')
  expect(await eventsOf(app.database)).toHaveLength(1)
  const { databaseUrl } = app
  const without = await testApp({ databaseUrl })
  await without.signUp('bob@example.com')
  await leaveTheList(app.database, await idOf(app, 'bob@example.com'), 'unsubscribed', app.clock.now())
  expect(await eventsOf(app.database)).toHaveLength(1)
})

test('an event is written in the transaction that causes it', async () => {
  const { database, subscribeNow } = await listWithWebhooks()
  await subscribeNow('ada@example.com')
  const undone = database.query.transaction().execute(async (transaction) => {
    await enrol(transaction, [newcomer('bob@example.com')], Date.now())
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await eventsOf(database)).toMatchObject([{ type: 'subscriber.joined', subscriber: 1 }])
})

test('a bounce and a return to the list are sent', async () => {
  const { database, receiver, subscribeNow, send } = await listWithWebhooks()
  const id = await subscribeNow('ada@example.com')
  await leaveTheList(database, id, 'undeliverable', Date.now())
  await leaveTheList(database, id, 'undeliverable', Date.now())
  await subscribeNow('ada@example.com')
  for (let round = 0; round < 3; round += 1) await send()
  expect(receiver.types()).toEqual(['joined', 'bounced', 'joined'])
  expect(receiver.received[2]!.data).toEqual({
    subscriber: id,
    state: 'active',
    form: null,
    campaign: null,
    language: null,
    announcements: false,
  })
})

test('events have the address of people who consented, also when they withdraw it, leave or bounce', async () => {
  const { database, receiver, subscribeNow, send } = await listWithWebhooks()
  const switchTo = (to: 'on' | 'off') => switchAnnouncements(database.query, id, to, Date.now())
  const id = await subscribeNow('ada@example.com')
  for (const to of ['on', 'off', 'off', 'on'] as const) {
    await switchTo(to)
    for (let round = 0; round < 2; round += 1) await send()
  }
  await leaveTheList(database, id, 'unsubscribed', Date.now())
  await subscribeNow('ada@example.com')
  await switchTo('on')
  for (let round = 0; round < 3; round += 1) await send()
  await leaveTheList(database, id, 'undeliverable', Date.now())
  await send()
  const told = receiver.received.map(({ type, data }) => [
    type.replace('subscriber.', ''),
    data['state'],
    data['announcements'],
    data['email'],
  ])
  expect(told).toEqual([
    ['joined', 'active', true, undefined],
    ['consented', 'active', true, 'ada@example.com'],
    ['left', 'active', false, 'ada@example.com'],
    ['consented', 'active', true, 'ada@example.com'],
    ['left', 'active', true, 'ada@example.com'],
    ['joined', 'active', true, undefined],
    ['consented', 'active', true, 'ada@example.com'],
    ['bounced', 'undeliverable', false, 'ada@example.com'],
  ])
})

test('after a consent that was withdrawn before its event is sent, no event has the address', async () => {
  const { database, receiver, subscribeNow, send } = await listWithWebhooks()
  const id = await subscribeNow('ada@example.com')
  const switchTo = (to: 'on' | 'off') => switchAnnouncements(database.query, id, to, Date.now())
  await switchTo('on')
  await switchTo('off')
  for (let round = 0; round < 3; round += 1) await send()
  expect(receiver.types()).toEqual(['joined', 'consented', 'left'])
  expect(JSON.stringify(receiver.received)).not.toContain('@')
  await switchTo('on')
  await send()
  expect(receiver.received.at(-1)!.data).toMatchObject({ announcements: true, email: 'ada@example.com' })
})

test('when an address is corrected, the consent of its former holder is withdrawn without the new address', async () => {
  const { database, receiver, send } = await listWithWebhooks()
  await subscribe(database, 'ada@exmaple.com', 'sent')
  const id = await idOf({ database }, 'ada@exmaple.com')
  await switchAnnouncements(database.query, id, 'on', Date.now())
  for (let round = 0; round < 2; round += 1) await send()
  const { query } = database
  const version = versionOf(await query.selectFrom('subscribers').selectAll().executeTakeFirstOrThrow())
  const { template } = await query.selectFrom('deliveries').select('template').executeTakeFirstOrThrow()
  const wanted = { id, version, to: parseEmailAddress('ada@example.com')!, secret: 'key' }
  const mail = { template, senderDomain: 'bot.example', now: Date.now() }
  expect(await correctAddress(database, wanted, mail)).toBe('done')
  await send()
  expect(receiver.types()).toEqual(['joined', 'consented', 'left'])
  expect(receiver.received.at(-1)!.data).toMatchObject({ subscriber: id, announcements: false })
  expect(JSON.stringify(receiver.received)).not.toContain('ada@example.com')
})

test('people who are imported with their consent cause events, in order', async () => {
  const { receiver, owner, send } = await listWithWebhooks()
  const file = join(temporaryFolder(), 'people.csv')
  writeFileSync(file, 'email,consented_at\nada@example.com,2025-01-01\n')
  await owner('subscribers', 'import', file)
  for (let round = 0; round < 2; round += 1) await send()
  expect(receiver.received.map(({ type, data }) => [type, data['email']])).toEqual([
    ['subscriber.joined', 'ada@example.com'],
    ['subscriber.consented', 'ada@example.com'],
  ])
})

test("decoys and the doctor's temporary subscribers cause no events", async () => {
  const { database } = await listWithWebhooks()
  await withTemporarySubscriber(database, Date.now(), 'files', async () => {})
  expect(await eventsOf(database)).toEqual([])
  const receiver = await startWebhookReceiver()
  const webhook = { url: receiver.url, secrets: [webhookSecret] }
  const app = await testApp({ config: { webhook, hideAlreadyExists: true } })
  await app.signUp('ada@example.com')
  await app.signUp('ada@example.com')
  expect(await eventsOf(app.database)).toHaveLength(1)
})

test('a failed try is repeated by the schedule under the same webhook-id, and after the last the event has failed', async () => {
  const { database, receiver, subscribeNow, send } = await listWithWebhooks()
  receiver.behave(() => ({ status: 500 }))
  await subscribeNow('ada@example.com')
  await send()
  await send(59_000)
  expect(receiver.received).toHaveLength(1)
  await send(61_000)
  expect(await eventsOf(database)).toMatchObject([{ state: 'queued', failures: 2, last_fault: 'http 500' }])
  await send(200_000)
  expect(receiver.received).toHaveLength(3)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
  expect(await eventsOf(database)).toMatchObject([{ state: 'failed', last_fault: 'http 500' }])
})

test('Retry-After is kept where it is longer than the schedule, and the receiver is left alone for so long', async () => {
  const { receiver, subscribeNow, send } = await listWithWebhooks()
  receiver.behave(() => ({ status: 429, headers: { 'retry-after': '100' } }))
  await subscribeNow('ada@example.com')
  expect(await send()).toMatchObject([{ isAway: true, retryAfterMs: 100_000 }])
  await send(99_000)
  expect(receiver.received).toHaveLength(1)
  await send(101_000)
  expect(receiver.received).toHaveLength(2)
})

test('during the Retry-After of a receiver nothing is sent to it, and a stop releases the claims', async () => {
  const { database, receiver, subscribeNow, startWorker } = await listWithWebhooks()
  receiver.behave(() => ({ status: 503, headers: { 'retry-after': '100' } }))
  for (let number = 0; number < 20; number += 1) await subscribeNow(`${number}@example.com`)
  const worker = startWorker()
  await expect.poll(() => receiver.received.length).toBe(4)
  await sleep(500) // more than the pause before the next probe of a receiver that asks for nothing
  expect(receiver.received).toHaveLength(4)
  await worker.stop(5_000)
  const events = await eventsOf(database)
  expect(events.filter(({ worker: holder }) => holder !== null)).toEqual([])
  expect(events.filter(({ failures }) => failures === 1)).toHaveLength(4)
})

test.each([[301], [307], [400], [503]])(
  'an answer of %i is not a success, and a redirect is not followed',
  async (status) => {
    const { database, receiver, subscribeNow, send } = await listWithWebhooks()
    const elsewhere = await startWebhookReceiver()
    receiver.behave(() => ({ status, headers: { location: elsewhere.url } }))
    await subscribeNow('ada@example.com')
    await send()
    expect(elsewhere.received).toEqual([])
    expect(await eventsOf(database)).toMatchObject([{ state: 'queued', last_fault: `http ${status}` }])
  },
)

test('a receiver that cannot be reached is tried again, and its URL is in no row', async () => {
  const { database, subscribeNow, send } = await listWithWebhooks({ url: 'http://127.0.0.1:9/secret-path' })
  await subscribeNow('ada@example.com')
  await send()
  const events = await eventsOf(database)
  expect(events).toMatchObject([{ state: 'queued', failures: 1 }])
  expect(JSON.stringify(events)).not.toContain('secret-path')
})

test('410 turns sending off until the URL changes or a test event succeeds', async () => {
  const { database, receiver, owner, subscribeNow, send } = await listWithWebhooks()
  receiver.behave(() => ({ status: 410 }))
  await subscribeNow('ada@example.com')
  await send()
  await send()
  expect(receiver.received).toHaveLength(1)
  expect(await eventsOf(database)).toMatchObject([{ state: 'queued', failures: 0 }])
  const other = await startWebhookReceiver()
  await send(0, { url: other.url, secrets: [webhookSecret] })
  expect(other.types()).toEqual(['joined'])

  await subscribeNow('bob@example.com')
  expect(await owner('webhooks', 'test')).toMatchObject({
    code: 1,
    aside: 'The receiver wants no events (http 410).\n',
  })
  await send()
  receiver.behave(() => ({ status: 200 }))
  expect(await owner('webhooks', 'test')).toMatchObject({
    code: 0,
    printed: 'The receiver took the test event (http 200).\n',
  })
  await send()
  expect(receiver.types()).toEqual(['joined', 'webhook.test', 'webhook.test', 'joined'])
})

test('after a 410 nothing more is sent, also of what was claimed', async () => {
  const { database, receiver, subscribeNow, startWorker } = await listWithWebhooks()
  receiver.behave(() => ({ status: 410 }))
  for (let number = 0; number < 20; number += 1) await subscribeNow(`${number}@example.com`)
  startWorker()
  await expect.poll(async () => isGone(database.query, receiver.url)).toBe(true)
  await expect.poll(() => receiver.received.length).toBe(4)
  await sleep(500)
  expect(receiver.received).toHaveLength(4)
  const claimed = async () => (await eventsOf(database)).filter(({ worker }) => worker !== null)
  await expect.poll(claimed).toEqual([])
  expect((await eventsOf(database)).filter(({ failures }) => failures > 0)).toEqual([])
})

test('the events of a subscriber go in order, and do not hold up those of others', async () => {
  const { database, receiver, subscribeNow, send } = await listWithWebhooks()
  const ada = await subscribeNow('ada@example.com')
  await leaveTheList(database, ada, 'unsubscribed', Date.now())
  await subscribeNow('bob@example.com')
  receiver.behave(({ data }) => ({ status: data['subscriber'] === ada ? 500 : 200 }))
  for (let round = 0; round < 3; round += 1) await send()
  // The first events of two people are sent side by side.
  const received = receiver.received.map(({ type, data }) => `${type} ${data['subscriber'] === ada}`)
  expect(received.toSorted()).toEqual(['subscriber.joined false', 'subscriber.joined true'])
})

test('several instances send each event once', async () => {
  const { receiver, subscribeNow, send } = await listWithWebhooks()
  for (let number = 0; number < 20; number += 1) await subscribeNow(`${number}@example.com`)
  for (let round = 0; round < 5; round += 1)
    await Promise.all(['one', 'two', 'three'].map((worker) => send(0, undefined, worker)))
  expect(receiver.received).toHaveLength(20)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(20)
})

test('the event of an instance that died is sent when its lease ends', async () => {
  const { database, receiver, subscribeNow, send } = await listWithWebhooks()
  await subscribeNow('ada@example.com')
  await database.query
    .updateTable('webhook_events')
    .set({ worker: 'dead', due_at: Date.now() + 45_000 })
    .execute()
  await send()
  expect(receiver.received).toEqual([])
  await send(46_000)
  expect(receiver.received).toHaveLength(1)
})

test('an erasure empties what is queued of the person, also when the number is given again', async () => {
  const { database, receiver, subscribeNow, send } = await listWithWebhooks()
  const id = await subscribeNow('ada@example.com')
  await eraseSubscribers(database, [id], Date.now())
  await subscribeNow('bob@example.com', 'hero')
  for (let round = 0; round < 3; round += 1) await send()
  const ofAda = receiver.received.filter(({ data }) => data['form'] !== 'hero')
  expect(ofAda.map(({ type, data }) => [type, data])).toEqual([
    ['subscriber.joined', { subscriber: id }],
    ['subscriber.erased', { subscriber: id }],
  ])
})

test('a receiver may know either of two secrets', async () => {
  const newer = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const { subscribeNow, send } = await listWithWebhooks()
  const [one, other] = [await startWebhookReceiver(webhookSecret), await startWebhookReceiver(newer)]
  await subscribeNow('ada@example.com')
  await send(0, { url: one.url, secrets: [newer, webhookSecret] })
  await subscribeNow('bob@example.com')
  await send(0, { url: other.url, secrets: [newer, webhookSecret] })
  expect([one.types(), other.types()]).toEqual([['joined'], ['joined']])
})

test('the owner lists events, and sends a failed one again under its webhook-id', async () => {
  const { receiver, owner, subscribeNow, send } = await listWithWebhooks()
  receiver.behave(() => ({ status: 500 }))
  await subscribeNow('ada@example.com')
  for (const aheadMs of [0, 61_000, 200_000]) await send(aheadMs)
  const listed = JSON.parse((await owner('webhooks', 'list', '--state', 'failed', '--json')).printed)
  expect(listed).toMatchObject([{ id: 1, type: 'subscriber.joined', message_id: receiver.received[0]!.id }])
  expect((await owner('webhooks', 'list')).printed).toMatch(
    /^id +type .*\n +1 +subscriber\.joined .* http 500\n$/,
  )
  receiver.behave(() => ({ status: 200 }))
  expect((await owner('webhooks', 'replay', 'failed')).printed).toBe('1 event is queued again.\n')
  await send()
  expect(receiver.received.at(-1)!.id).toBe(receiver.received[0]!.id)
  expect((await owner('webhooks', 'replay', '1')).printed).toBe('1 event is queued again.\n')
  expect(await owner('webhooks', 'replay', '7')).toMatchObject({ code: 1, aside: 'There is no event 7.\n' })
})

test('delivered events are dropped after a week, others after a month', async () => {
  const { database, receiver, subscribeNow, send } = await listWithWebhooks()
  await subscribeNow('ada@example.com')
  await send()
  receiver.behave(() => ({ status: 500 }))
  await subscribeNow('bob@example.com')
  await dropOldEvents(database.query, Date.now() + 6 * dayMs)
  expect(await eventsOf(database)).toHaveLength(2)
  await dropOldEvents(database.query, Date.now() + 8 * dayMs)
  expect(await eventsOf(database)).toMatchObject([{ state: 'queued' }])
  await dropOldEvents(database.query, Date.now() + 31 * dayMs)
  expect(await eventsOf(database)).toEqual([])
})

/** A list whose changes are told, without a running server. */
async function listWithWebhooks({ url }: { url?: string } = {}) {
  const receiver = await startWebhookReceiver()
  const own = { url: url ?? receiver.url, secrets: [webhookSecret] }
  const environment = { WEBHOOK_URL: own.url, WEBHOOK_SECRET: webhookSecret }
  const { database, owner } = await openOwnerTerminal(environment, { now: Date.now })
  await createTriggers(database)
  const queueOf = (now: () => number, endpoint = own, worker = 'test') => {
    const log = createLog('error', 'key', () => {})
    const deps = { database, endpoint, worker, log, now, retrySeconds: [60, 120] }
    return { deps, queue: eventQueue(deps) }
  }
  return {
    database,
    owner,
    receiver,
    startWorker() {
      const { deps, queue } = queueOf(Date.now)
      const worker = new Worker(queue, { ...deps, concurrency: 4 })
      onTestFinished(() => worker.stop(0))
      return worker
    },
    /** Puts an address on the list, and gives its number. */
    async subscribeNow(email: string, form?: string) {
      const newcomers = [{ ...newcomer(email), form }]
      const [added] = await enrol(database.query, newcomers, Date.now())
      const [enrolled = added] = added ? [] : await enrolAgain(database.query, newcomers, Date.now())
      return enrolled!.id
    },
    /** One round of a server whose clock is `aheadMs` ahead. */
    async send(aheadMs = 0, endpoint = own, worker = 'test') {
      const { queue } = queueOf(() => Date.now() + aheadMs, endpoint, worker)
      const { claims } = await queue.claim(4, 4)
      const outcomes = await Promise.all(claims.map((event) => queue.attempt(event)))
      await queue.record(outcomes)
      return outcomes
    },
  }
}

function newcomer(email: string) {
  return { identity: email, address: email, abuse_key: null }
}

function eventsOf({ query }: Database) {
  return query.selectFrom('webhook_events').selectAll().orderBy('id').execute()
}

async function idOf({ database }: Pick<TestApp, 'database'>, identity: string): Promise<number> {
  const found = database.query.selectFrom('subscribers').select('id').where('identity', '=', identity)
  return (await found.executeTakeFirstOrThrow()).id
}
