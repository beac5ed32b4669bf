import { repairClocks } from '#server/database/clock.ts'
import sql from 'sql-template-tag'
import { expect, test, vi } from 'vitest'
import { freePort } from '#rigs/listening.ts'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { startWebhookReceiver, webhookSecret } from '#rigs/owner/webhook-receiver.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import type { Database } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { watchRelay } from '#server/deliveries/relay-watch.ts'
import { defaultContent } from '#content/content.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { wordingsOf } from '#server/subscribers/wordings.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { runJobs } from '#owner/acts/jobs/run-jobs.ts'
import { startImport } from '#owner/people/import/import-people.ts'
import { readImport } from '#owner/people/import/read-import.ts'
import { tryImport } from '#owner/people/import/try-import.ts'
import { ownerExtension } from '#owner/start/extension.ts'
import { jobActs } from '#owner/start/job-acts.ts'
import { correctAddress } from '#owner/people/change-subscriber.ts'
import { postEvent } from './post-event.ts'
import { dropOldEvents, newestEvents, type WebhookEvent } from './record-event.ts'
import { sendEvents } from './send-events.ts'

const wording = wordingsOf(defaultContent).news.switch

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

test('a running server sends who joined and left, in order and without addresses', async () => {
  const receiver = await startWebhookReceiver()
  const webhook = { url: receiver.url, secrets: [webhookSecret], people: 'consented' as const }
  // A receiver takes no event whose signature is older than five minutes.
  const parts = { now: Date.now }
  const app = await testApp({ config: { webhook }, extension: ownerExtension, parts })
  await app.signUp('ada@example.com')
  await expect.poll(app.mailer.addresses).toEqual(['ada@example.com'])
  const { token } = (await app.database.row<Subscriber>(sql`select * from subscribers`))!
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect(
    (await fetch(`${app.url}/kit/${token}/unsubscribe`, { method: 'POST', body })).status,
  ).toBe(200)
  await expect.poll(receiver.types).toEqual(['joined', 'left'])
  expect(receiver.received[1]!.data).toMatchObject({ state: 'unsubscribed', announcements: false })
  expect(JSON.stringify(receiver.received)).not.toContain('@')
})

test('a server without WEBHOOK_URL writes no events', async () => {
  const app = await testApp({ extension: ownerExtension })
  await app.signUp('ada@example.com')
  expect(await eventsIn(app.database)).toEqual([])
})

test('an event is written in the transaction that causes it', async () => {
  const { list } = await listWithWebhooks()
  const undone = list.database.transaction(async (transaction) => {
    await list.context.recordEvent(transaction, 'joined', 1, list.now())
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await eventsIn(list.database)).toEqual([])
})

test('the address is told of people who consented, and once more with the event that ends the consent', async () => {
  const { switchTo, leave, record, send, told } = await listWithWebhooks()
  await record('joined')
  await send()
  await switchTo('on')
  await send()
  await switchTo('off')
  await send()
  await switchTo('on')
  await send()
  await leave('undeliverable')
  await send()
  await leave('unsubscribed')
  await send()
  const email = 'ada@example.com'
  expect(told()).toEqual([
    ['joined', 'active', false, undefined],
    ['consented', 'active', true, email],
    ['left', 'active', false, email],
    ['consented', 'active', true, email],
    ['bounced', 'undeliverable', false, email],
    ['left', 'unsubscribed', false, undefined],
  ])
})

test('of a consent that is switched back and forth before it is sent, only the last state is told', async () => {
  const { list, switchTo, record, send, receiver, told } = await listWithWebhooks()
  await record('joined')
  for (let round = 0; round < 4; round += 1) {
    for (const to of ['on', 'off'] as const) await switchTo(to)
  }
  expect(await eventsIn(list.database)).toHaveLength(2)
  await send()
  expect(told()).toEqual([
    ['joined', 'active', false, undefined],
    ['left', 'active', false, undefined],
  ])
  for (let round = 0; round < 1_000; round += 1) await switchTo(round % 2 === 0 ? 'on' : 'off')
  await send()
  expect(receiver.received.length).toBeLessThanOrEqual(3)
})

test('with WEBHOOK_PEOPLE=everyone each event has the address', async () => {
  const { record, send, told } = await listWithWebhooks({ WEBHOOK_PEOPLE: 'everyone' })
  await record('joined')
  await send()
  expect(told()).toEqual([['joined', 'active', false, 'ada@example.com']])
})

test('when an address is corrected, the consent of its former holder is withdrawn without the new address', async () => {
  const { list, ada, switchTo, send, receiver, told } = await listWithWebhooks()
  await switchTo('on')
  await send()
  const template = await list.database.transaction((transaction) =>
    keepTemplate(transaction, shortTemplate),
  )
  const site = { current: { starterTemplate: template } }
  const context = { ...list.context, site }
  await correctAddress(context, ada, 'new@example.com')
  await send()
  expect(told().at(-1)).toEqual(['left', 'active', false, undefined])
  expect(JSON.stringify(receiver.received)).not.toContain('new@example.com')
})

test('after an erasure the number alone is told, and nothing that was not sent before', async () => {
  const { list, ada, record, switchTo, send, receiver } = await listWithWebhooks()
  await record('joined')
  await switchTo('on')
  await list.database.transaction(async (transaction) => {
    await eraseSubscriber(transaction, ada, list.now())
    await list.context.recordEvent(transaction, 'erased', ada, list.now())
  })
  await send()
  expect(receiver.received.map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'subscriber.erased', data: { subscriber: ada } },
  ])
})

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
  ['TimeoutError', 'timed out'],
  ['AbortError', 'AbortError'],
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

test('a test event prints how the receiver answered', async () => {
  const { receiver, owner } = await listWithWebhooks()
  expect((await owner('webhooks', 'test')).printed).toBe(
    'The receiver took the test event (http 204).\n',
  )
  receiver.behave(() => ({ status: 410 }))
  const aside = 'The receiver did not take the test event: http 410.\n'
  expect(await owner('webhooks', 'test')).toEqual({ code: 1, printed: '', aside })
})

test('a test event has every field that an event may have', async () => {
  const { receiver, owner, record, switchTo, send } = await listWithWebhooks()
  await owner('webhooks', 'test')
  await record('joined')
  await switchTo('on')
  await send()
  const [tested, , consented] = receiver.received
  expect(Object.keys(tested!.data).toSorted()).toEqual(Object.keys(consented!.data).toSorted())
})

test('without WEBHOOK_URL a test and a replay say so', async () => {
  const list = await makeMailingList()
  const owner = ownerOf(list.url)
  const aside = 'WEBHOOK_URL is not set, so no events are sent.\n'
  expect(await owner('webhooks', 'test')).toEqual({ code: 1, printed: '', aside })
  const printed = '0 events are queued again.\n'
  expect(await owner('webhooks', 'replay', 'failed')).toEqual({ code: 0, printed, aside })
})

test('the help says what the commands do', async () => {
  const owner = ownerOf('file:none.db')
  for (const [command, ...words] of [
    ['test', 'Send a signed test event with every field', 'webhooks test\n'],
    [
      'replay',
      'Send an event again, or all',
      'The number of an event, or "failed"',
      'replay failed\n',
    ],
  ] as const) {
    for (const word of words) {
      expect((await owner('webhooks', command, '--help')).printed).toContain(word)
    }
  }
  expect((await owner('webhooks')).aside).toContain('Events that are sent to WEBHOOK_URL')
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

test('events are shown with their answers, and replayed with the webhook-id they had', async () => {
  const { list, receiver, owner, record, send } = await listWithWebhooks()
  receiver.behave(() => ({ status: 500 }))
  await record('joined')
  for (const aheadMs of [0, 61_000, 200_000]) await send(aheadMs)
  expect(await newestEvents(list.database, 5)).toMatchObject([
    { id: 1, type: 'subscriber.joined', state: 'failed', answer: 'http 500' },
  ])
  receiver.behave(() => ({ status: 200 }))
  const printed = '1 event is queued again.\n'
  expect(await owner('webhooks', 'replay', 'failed')).toEqual({ code: 0, printed, aside: '' })
  await send(280_000)
  expect(receiver.received.at(-1)!.id).toBe(receiver.received[0]!.id)
  expect((await owner('webhooks', 'replay', '1')).printed).toBe(printed)
  expect(await owner('webhooks', 'replay', '7')).toMatchObject({
    code: 1,
    aside: 'There is no event 7, or it is being sent now.\n',
  })
  expect(await readAudit(list.database)).toMatchObject([
    { action: 'Replayed events', about: '1' },
    { action: 'Replayed events', about: '' },
  ])
})

test('an event that is being posted is left to its sender by a replay', async () => {
  const { list, receiver, owner, record, send } = await listWithWebhooks()
  let replayed: Awaited<ReturnType<typeof owner>> | undefined
  receiver.behave(async () => {
    replayed ??= await owner('webhooks', 'replay', '1')
    return { status: 200 }
  })
  await record('joined')
  await send()
  expect(replayed?.code).toBe(1)
  expect(receiver.received).toHaveLength(1)
  expect(await eventsIn(list.database)).toMatchObject([{ state: 'delivered' }])
  expect(await readAudit(list.database)).toEqual([])
})

test('delivered events are dropped after a week, failed ones after a month, and unsent ones never', async () => {
  const { list, receiver, record, send } = await listWithWebhooks({ MAIL_RETRY_SECONDS: '60' })
  await record('joined')
  await send()
  receiver.behave(() => ({ status: 500 }))
  await record('joined', 2)
  await send()
  await send(2 * minuteMs)
  await record('joined', 3)
  const statesAfter = async (days: number) => {
    list.at(days * dayMs)
    await dropOldEvents(list.context)
    return (await eventsIn(list.database)).map(({ state }) => state)
  }
  expect(await statesAfter(6)).toEqual(['delivered', 'failed', 'queued'])
  expect(await statesAfter(8)).toEqual(['failed', 'queued'])
  expect(await statesAfter(31)).toEqual(['queued'])
  expect(await statesAfter(4_000)).toEqual(['queued'])
})

test('an event that was put off while the clock was ahead is sent once the clock is right', async () => {
  const { list, receiver, record, send } = await listWithWebhooks()
  await record('joined')
  await run(list.database, sql`update webhook_events set due_at = ${list.now() + 30 * dayMs}`)
  await repairClocks(list.database, ownerExtension.clockRepairs(list.config), list.now)
  await send()
  expect(receiver.received).toHaveLength(1)
})

/** A list with one person on it, whose changes are told, without a running server. */
async function listWithWebhooks(environment: Record<string, string> = {}) {
  const receiver = await startWebhookReceiver()
  const settings = {
    WEBHOOK_URL: receiver.url,
    WEBHOOK_SECRET: webhookSecret,
    MAIL_RETRY_SECONDS: '60,120',
    ...environment,
  }
  const list = await makeMailingList(settings, Date.now())
  await list.signUp(['ada@example.com'])
  const ada = await list.idOf('ada@example.com')
  const { database, context } = list
  const endpoint = list.config.webhook!
  const sender = { ...context, endpoint, receiver: watchRelay(list.now), worker: 'test' }
  const record = (event: 'joined' | 'left' | 'consented' | 'bounced', subscriber = ada) =>
    database.transaction((transaction) =>
      context.recordEvent(transaction, event, subscriber, list.now()),
    )
  return {
    list,
    ada,
    receiver,
    record,
    owner: ownerOf(list.url, settings, { now: list.now }),
    /** As the personal page does it. */
    switchTo: (to: 'on' | 'off') =>
      database.transaction(async (transaction) => {
        const row = await transaction.row<Subscriber>(
          sql`select * from subscribers where id = ${ada}`,
        )
        if (await switchAnnouncements(transaction, row!, to, { now: list.now(), wording })) {
          await context.recordEvent(
            transaction,
            to === 'on' ? 'consented' : 'left',
            ada,
            list.now(),
          )
        }
      }),
    async leave(state: 'unsubscribed' | 'undeliverable') {
      await database.transaction((transaction) => leaveTheList(transaction, ada, state, list.now()))
      await record(state === 'undeliverable' ? 'bounced' : 'left')
    },
    /** Sends what is due when the clock is `aheadMs` ahead. */
    async send(aheadMs = 0) {
      list.at(aheadMs)
      await sendEvents(sender)
    },
    told: () =>
      receiver.received.map(({ type, data }) => [
        type.replace('subscriber.', ''),
        data['state'],
        data['announcements'],
        data['email'],
      ]),
  }
}

function eventsIn(database: Database): Promise<WebhookEvent[]> {
  return database.rows<WebhookEvent>(sql`select * from webhook_events order by id`)
}

async function run(database: Database, query: ReturnType<typeof sql>): Promise<void> {
  await database.transaction((transaction) => transaction.run(query))
}
