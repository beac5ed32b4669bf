import { expect, test } from 'vitest'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { freePort } from '#rigs/listening.ts'
import { eventsIn, listWithWebhooks } from '#rigs/webhooks/webhook-list.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { newestEvents } from './record-event.ts'

test('a test event prints how the receiver answered', async () => {
  const { receiver, owner } = await listWithWebhooks()
  expect((await owner('webhooks', 'test')).printed).toBe(
    'The receiver took the test event (http 204).\n',
  )
  receiver.behave(() => ({ status: 410 }))
  const aside = 'The receiver did not take the test event: http 410.\n'
  expect(await owner('webhooks', 'test')).toEqual({ code: 1, printed: '', aside })
})

test('a test event that reaches no receiver says why in words', async () => {
  const { owner } = await listWithWebhooks({ WEBHOOK_URL: `http://127.0.0.1:${await freePort()}` })
  expect((await owner('webhooks', 'test')).aside).toBe(
    'The receiver did not take the test event: it cannot be reached (ECONNREFUSED).\n',
  )
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
