import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { countsIn, newSubscriber, startTestApp, type TestApp, testApp } from '#rigs/server/test-app.ts'
import { enqueue } from '#server/deliveries/deliveries.ts'
import { bounceHookPath } from './bounce-hook.ts'

const token = 'a-token-of-the-owner'
const asBearer = { authorization: `Bearer ${token}` }
const hourMs = 3_600_000
const neverDue = 9e15

/** The example of Postmark's manual, except for address and time. */
const hardBounce = {
  RecordType: 'Bounce',
  MessageStream: 'outbound',
  ID: 42,
  Type: 'HardBounce',
  TypeCode: 1,
  Name: 'Hard bounce',
  Tag: 'Test',
  MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
  Metadata: { a_key: 'a_value' },
  ServerID: 23,
  Details: 'Test bounce details',
  Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
  Email: '',
  From: 'bot@mail.example',
  BouncedAt: '2100-11-05T16:33:54.9070259Z',
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: 'Your starter bot',
  Content: '<>',
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ config: { bounceToken: token } })
})
afterAll(() => app.stop())

describe('a report of a bounce', () => {
  test.each(['HardBounce', 'BadEmailAddress', 'SpamComplaint', 'ManuallyDeactivated'])(
    'of the type %s takes the address off the list, cancels its mail, and counts once',
    async (type) => {
      const { Email, state } = await someoneWithQueuedMail()
      const before = await countBounced()
      const report = { ...hardBounce, Email: Email.toUpperCase(), Type: type }
      expect((await tell(report)).status).toBe(200)
      await Promise.all([1, 2, 3].map(() => tell(report)))
      expect(await state()).toEqual({ subscriber: 'undeliverable', deliveries: ['cancelled'] })
      expect(await countBounced()).toBe(before + 1)
    },
  )

  test('of a spam complaint has another record type', async () => {
    const { Email, state } = await someoneWithQueuedMail()
    await tell({ ...hardBounce, Email, RecordType: 'SpamComplaint', Type: 'SpamComplaint' })
    expect(await state()).toMatchObject({ subscriber: 'undeliverable' })
  })

  test.each<[string, object]>([
    ['that is not permanent', { Type: 'SoftBounce' }],
    ['of a mail taken for spam', { Type: 'SpamNotification' }],
    ['of a type not known yet', { Type: 'Whatever' }],
    ['of an address not on the list', { Email: 'stranger@example.com' }],
    ['of an invalid address', { Email: 'ada' }],
    ['from before the newest sign-up', { BouncedAt: new Date(Date.now() - hourMs).toISOString() }],
    ['of another record', { RecordType: 'Delivery' }],
    ['of another record, in another form', { RecordType: 'SubscriptionChange', Email: 1, Type: null }],
  ])('%s is accepted and changes nothing', async (_what, other) => {
    const { Email, state } = await someoneWithQueuedMail()
    const before = await countBounced()
    const answer = await tell({ ...hardBounce, Email, ...other })
    expect([answer.status, await answer.text()]).toEqual([200, 'Thank you.\n'])
    expect(await state()).toEqual({ subscriber: 'active', deliveries: ['queued'] })
    expect(await countBounced()).toBe(before)
  })

  test("of a delivery counts as arrived, and leaves the subscriber's mail alone", async () => {
    const { Email, state } = await someoneWithQueuedMail()
    // The example of Postmark's manual, except for the address.
    const delivery = {
      RecordType: 'Delivery',
      ServerID: 23,
      MessageStream: 'outbound',
      MessageID: '00000000-0000-0000-0000-000000000000',
      Recipient: Email,
      Tag: 'welcome-email',
      DeliveredAt: '2026-11-22T13:31:22Z',
      Details: 'Test delivery webhook details',
    }
    const answer = await tell(delivery)
    expect([answer.status, (await countsIn(app.database))['arrived']]).toEqual([200, 1])
    await tell({ ...delivery, Recipient: 'the-owner@example.com' })
    expect(await countsIn(app.database)).toMatchObject({ arrived: 1 })
    expect(await state()).toEqual({ subscriber: 'active', deliveries: ['queued'] })
  })

  test.each([undefined, 'yesterday', 5])('with the time %s counts as of now', async (BouncedAt) => {
    const { Email, state } = await someoneWithQueuedMail()
    await tell({ ...hardBounce, Email, BouncedAt })
    expect(await state()).toMatchObject({ subscriber: 'undeliverable' })
  })

  test('from before a new sign-up does not take the address off the list again', async () => {
    const { Email, state } = await someoneWithQueuedMail()
    const report = { ...hardBounce, Email, BouncedAt: new Date(app.clock.now() + hourMs).toISOString() }
    await tell(report)
    app.clock.advance(2 * hourMs)
    expect(await (await app.signUp(Email)).json()).toMatchObject({ alreadyExists: false })
    await tell(report)
    await expect.poll(() => app.mailer.addresses()).toEqual([Email])
    expect(await state()).toMatchObject({ subscriber: 'active' })
  })

  test('with a time in the future counts as of now', async () => {
    const { Email, state } = await someoneWithQueuedMail()
    const aheadOfOurClock = app.clock.now() + hourMs
    await app.database.query
      .updateTable('subscribers')
      .set({ signed_up_at: aheadOfOurClock })
      .where('identity', '=', Email)
      .execute()
    await tell({ ...hardBounce, Email, BouncedAt: '2100-01-01T00:00:00Z' })
    expect(await state()).toMatchObject({ subscriber: 'active' })
  })

  test.each<[string, object]>([
    ['no record type', { RecordType: undefined }],
    ['no type', { Type: undefined }],
    ['no address', { Email: undefined }],
    ['a list for an address', { Email: ['ada@example.com'] }],
  ])('with %s is malformed', async (_what, other) => {
    const { Email, state } = await someoneWithQueuedMail()
    expect((await tell({ ...hardBounce, Email, ...other })).status).toBe(400)
    expect(await state()).toEqual({ subscriber: 'active', deliveries: ['queued'] })
  })

  test('may have 64 KiB', async () => {
    const { Email, state } = await someoneWithQueuedMail()
    const room = 64 * 1024 - JSON.stringify({ ...hardBounce, Email, Content: '' }).length
    expect((await tell({ ...hardBounce, Email, Content: 'x'.repeat(room + 1) })).status).toBe(413)
    expect(await state()).toMatchObject({ subscriber: 'active' })
    expect((await tell({ ...hardBounce, Email, Content: 'x'.repeat(room) })).status).toBe(200)
    expect(await state()).toMatchObject({ subscriber: 'undeliverable' })
  })
})

describe('a report is accepted with', () => {
  test.each([
    ['the token as bearer', `Bearer ${token}`, 200],
    ['the token as password', basic('postmark', token), 200],
    ['the token as password of nobody', basic('', token), 200],
    ['nothing', '', 401],
    ['another token', 'Bearer wrong', 401],
    ['a part of it', `Bearer ${token.slice(1)}`, 401],
    ['more than it', `Bearer ${token}x`, 401],
    ['the token as user', basic(token, ''), 401],
    ['the token without a user', `Basic ${btoa(token)}`, 401],
    ['another scheme', `Digest ${token}`, 401],
  ])('%s', async (_what, authorization, status) => {
    const { Email, state } = await someoneWithQueuedMail()
    const answer = await tell({ ...hardBounce, Email }, { authorization })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Basic realm="bounces"' : null)
    expect(await state()).toMatchObject({ subscriber: status === 200 ? 'undeliverable' : 'active' })
  })

  test('no credential if no token is set: the path answers 404', async () => {
    const closed = await testApp()
    for (const authorization of ['Bearer undefined', 'Bearer ', basic('a', ''), basic('a', 'undefined')])
      expect((await tell(hardBounce, { authorization }, closed)).status).toBe(404)
    expect((await fetch(closed.url + bounceHookPath)).status).toBe(404)
  })
})

test('only JSON in a POST request is accepted', async () => {
  const { Email, state } = await someoneWithQueuedMail()
  expect((await tell({ ...hardBounce, Email }, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await tell({ ...hardBounce, Email }, { 'content-encoding': 'gzip' })).status).toBe(415)
  const got = await fetch(app.url + bounceHookPath, { headers: asBearer })
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await state()).toMatchObject({ subscriber: 'active' })
})

test('a database error answers 503, so that the report is sent again', async () => {
  const { Email, state } = await someoneWithQueuedMail()
  const rename = (from: string, to: string) =>
    app.database.query.schema.alterTable(from).renameTo(to).execute()
  await rename('daily_counts', 'away')
  onTestFinished(() => rename('away', 'daily_counts').catch(() => {}))
  const answer = await tell({ ...hardBounce, Email })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
  expect(await state()).toEqual({ subscriber: 'active', deliveries: ['queued'] })
  expect(app.log()).not.toContain('@example')
  await rename('away', 'daily_counts')
  expect((await tell({ ...hardBounce, Email })).status).toBe(200)
  expect(await state()).toMatchObject({ subscriber: 'undeliverable' })
})

/** On the list, with a mail that waits. */
async function someoneWithQueuedMail() {
  const { query } = app.database
  const { id, address } = await newSubscriber(app)
  const { hash } = await query.selectFrom('mail_templates').select('hash').executeTakeFirstOrThrow()
  await enqueue(query, [id], { template: hash, senderDomain: 'b.co', now: neverDue })
  return { Email: address, state: () => stateOf(id) }
}

async function stateOf(id: number) {
  const { query } = app.database
  const [found] = await query.selectFrom('subscribers').select('state').where('id', '=', id).execute()
  const deliveries = await query
    .selectFrom('deliveries')
    .select('state')
    .where('subscriber', '=', id)
    .execute()
  return { subscriber: found?.state, deliveries: deliveries.map(({ state }) => state) }
}

const countBounced = async () => (await countsIn(app.database))['bounced'] ?? 0

function tell(report: object, headers: Record<string, string> = {}, { url } = app) {
  return fetch(url + bounceHookPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asBearer, ...headers },
    body: JSON.stringify(report),
  })
}

function basic(user: string, password: string): string {
  return `Basic ${btoa(`${user}:${password}`)}`
}
