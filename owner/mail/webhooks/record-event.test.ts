import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { eventsIn, listWithWebhooks } from '#rigs/webhooks/webhook-list.ts'
import { startWebhookReceiver, webhookSecret } from '#rigs/webhooks/webhook-receiver.ts'
import { testApp } from '#rigs/server/test-app.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import { ownerExtension } from '#owner/start/extension.ts'
import { correctAddress } from '#owner/people/change-subscriber.ts'
import { dropOldEvents } from './record-event.ts'

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
  const site = { current: { starterTemplate: template, releases: [] } }
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
