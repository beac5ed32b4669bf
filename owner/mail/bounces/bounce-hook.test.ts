import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  countsIn,
  newSubscriber,
  startTestApp,
  type TestApp,
  testApp,
} from '#rigs/server/test-app.ts'
import { noon } from '#rigs/server/test-clock.ts'
import { queueMail } from '#server/deliveries/deliveries.ts'
import { ownerExtension } from '#owner/start/extension.ts'
import { bounceHookPath } from './bounce-hook.ts'

const token = `whsec_${Buffer.from('a signing secret of 24 b').toString('base64')}`
const asBearer = { authorization: `Bearer ${token}` }
const hourMs = 3_600_000
const neverDue = 9e15

/** The example of Postmark's manual, except for address and time. */
const hardBounce = {
  RecordType: 'Bounce',
  ID: 42,
  Type: 'HardBounce',
  Details: 'Test bounce details',
  Email: '',
  From: 'bot@mail.example',
  BouncedAt: '2100-11-05T16:33:54.9070259Z',
  Inactive: true,
  Subject: 'Your starter bot',
  Content: '<>',
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ config: { bounceToken: token }, extension: ownerExtension })
})
afterAll(() => app.stop())

describe("Postmark's report", () => {
  test.each(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated'])(
    'of the type %s takes the address off the list, cancels its mail, and counts once',
    async (Type) => {
      const { Email, state } = await someoneWithQueuedMail()
      const before = await countOf('bounced')
      const report = { ...hardBounce, Email: Email.toUpperCase(), Type }
      expect((await tell(report)).status).toBe(200)
      await Promise.all([1, 2, 3].map(() => tell(report)))
      expect(await state()).toEqual({ subscriber: 'undeliverable', deliveries: ['cancelled'] })
      expect(await countOf('bounced')).toBe(before + 1)
    },
  )

  test.each<[string, object]>([
    ['that is not permanent', { Type: 'SoftBounce' }],
    ['of a type not known yet', { Type: 'Whatever' }],
    ['of a refusal of ours', { Details: 'smtp;550 5.7.515 Access denied, not authenticated' }],
    ['of an address not on the list', { Email: 'stranger@example.com' }],
    ['of an invalid address', { Email: 'ada\u0000@example.com' }],
    ['from before the newest sign-up', { BouncedAt: new Date(noon - hourMs).toISOString() }],
    [
      'of another record, in another form',
      { RecordType: 'SubscriptionChange', Email: 1, Type: null },
    ],
  ])('%s is accepted and changes nothing', async (_what, other) => {
    const { Email, state } = await someoneWithQueuedMail()
    const answer = await tell({ ...hardBounce, Email, ...other })
    expect([answer.status, await answer.text()]).toEqual([200, 'Thank you.\n'])
    expect(await state()).toEqual({ subscriber: 'active', deliveries: ['queued'] })
  })

  test("of a delivery counts as arrived, and leaves the subscriber's mail alone", async () => {
    const { Email, state } = await someoneWithQueuedMail()
    expect((await tell({ RecordType: 'Delivery', Recipient: Email })).status).toBe(200)
    expect(
      (await tell({ RecordType: 'Delivery', Recipient: 'the-owner@example.com' })).status,
    ).toBe(200)
    expect(await countOf('arrived')).toBe(1)
    expect(await state()).toEqual({ subscriber: 'active', deliveries: ['queued'] })
  })

  test.each([undefined, 'yesterday', '2200-01-01T00:00:00Z'])(
    'with the time %s counts as of now',
    async (BouncedAt) => {
      const { Email, state } = await someoneWithQueuedMail()
      await tell({ ...hardBounce, Email, BouncedAt })
      expect(await state()).toMatchObject({ subscriber: 'undeliverable' })
    },
  )

  test.each<[string, object]>([
    ['no record type', { RecordType: undefined }],
    ['no type', { Type: undefined }],
    ['a list for an address', { Email: ['ada@example.com'] }],
  ])('with %s is malformed', async (_what, other) => {
    const { Email, state } = await someoneWithQueuedMail()
    expect((await tell({ ...hardBounce, Email, ...other })).status).toBe(400)
    expect(await state()).toMatchObject({ subscriber: 'active' })
  })

  test('may have 64 KiB', async () => {
    const { Email, state } = await someoneWithQueuedMail()
    const room = 64 * 1024 - JSON.stringify({ ...hardBounce, Email, Content: '' }).length
    expect((await tell({ ...hardBounce, Email, Content: 'x'.repeat(room + 1) })).status).toBe(413)
    expect((await tell({ ...hardBounce, Email, Content: 'x'.repeat(room) })).status).toBe(200)
    expect(await state()).toMatchObject({ subscriber: 'undeliverable' })
  })
})

test.each([
  ['HardBounce', 'undeliverable'],
  ['ManualSuppression', 'unsubscribed'],
  ['SpamComplaint', 'blocked'],
])(
  "Postmark's list of suppressed addresses, %s: the subscriber is %s",
  async (reason, expected) => {
    const { Email, state } = await someoneWithQueuedMail()
    const change = { RecordType: 'SubscriptionChange', Recipient: Email, SuppressionReason: reason }
    await tell({ ...change, SuppressSending: false })
    expect(await state()).toMatchObject({ subscriber: 'active' })
    await tell({ ...change, SuppressSending: true })
    expect(await state()).toEqual({ subscriber: expected, deliveries: ['cancelled'] })
  },
)

test("a complaint blocks the inbox: a stranger's sign-up mails that person no more", async () => {
  const { Email, state } = await someoneWithQueuedMail()
  await tell({ ...hardBounce, Email, RecordType: 'SpamComplaint', Type: 'SpamComplaint' })
  expect(await state()).toEqual({ subscriber: 'blocked', deliveries: ['cancelled'] })
  expect(await (await app.signUp(Email)).json()).toMatchObject({
    success: true,
    alreadyExists: true,
  })
  await app.signUp(Email.replace('@', '+again@'))
  expect(await state()).toEqual({ subscriber: 'blocked', deliveries: ['cancelled'] })
  expect(app.mailer.addresses()).toEqual([])
})

describe("Resend's event", () => {
  test.each([
    ['email.bounced', 'Permanent', 'undeliverable'],
    ['email.bounced', undefined, 'undeliverable'],
    ['email.complained', undefined, 'blocked'],
    ['email.suppressed', undefined, 'undeliverable'],
    ['email.bounced', 'Transient', 'active'],
    ['email.delivery_delayed', undefined, 'active'],
    ['email.delivered', undefined, 'active'],
  ])('%s, %s: the subscriber is %s', async (type, bounceType, expected) => {
    const { address, state } = await newSubscriber(app)
    const body = eventFor(address.toUpperCase(), type, bounceType)
    expect((await post(body, signed(body))).status).toBe(200)
    expect(await state()).toBe(expected)
  })

  test('of a contact that unsubscribed takes them off the list', async () => {
    const { address, state } = await newSubscriber(app)
    const data = { email: address, unsubscribed: true }
    const body = JSON.stringify({ type: 'contact.updated', created_at: '2100-11-22', data })
    expect((await post(body, signed(body))).status).toBe(200)
    expect(await state()).toBe('unsubscribed')
  })

  test.each([
    [
      'email.bounced',
      'bounce',
      "The recipient's email provider sent a hard bounce message. Remove the address from your list: hard bounces harm your reputation as a sender, and spam filters look at the rate.",
    ],
    [
      'email.suppressed',
      'suppressed',
      'Resend has suppressed sending to this address because it is on the account-level suppression list. This does not count toward your bounce rate metric.',
    ],
  ])('%s: what Resend itself says of it does not excuse the mailbox', async (type, of, message) => {
    const { address, state } = await newSubscriber(app)
    const data = { to: [address], [of]: { type: 'Permanent', message } }
    const body = JSON.stringify({ type, created_at: '2100-11-22', data })
    expect((await post(body, signed(body))).status).toBe(200)
    expect(await state()).toBe('undeliverable')
  })

  test('of a bounce for a refusal of ours changes nothing', async () => {
    const { address, state } = await newSubscriber(app)
    const body = eventFor(address).replace('The address is on', '550 5.7.26 Not authenticated:')
    await post(body, signed(body))
    expect(await state()).toBe('active')
  })

  test('with several recipients is about each of them, and an arrival is counted', async () => {
    const people = [await newSubscriber(app), await newSubscriber(app)]
    const to = people.map(({ address }) => address)
    const before = await countOf('arrived')
    for (const type of ['email.delivered', 'email.bounced']) {
      const body = JSON.stringify({ type, created_at: 'soon', data: { to: [...to, 7, 'nobody'] } })
      expect((await post(body, signed(body))).status).toBe(200)
    }
    expect(await Promise.all(people.map(({ state }) => state()))).toEqual([
      'undeliverable',
      'undeliverable',
    ])
    expect(await countOf('arrived')).toBe(before + 2)
  })

  test.each(['not JSON', '"text"', '{"type":7}', ''])(
    '%j, signed, is answered with what is expected',
    async (body) => {
      const answer = await post(body, signed(body))
      const said = 'The body must be JSON as the webhooks of the mail provider send it.\n'
      expect([answer.status, await answer.text()]).toEqual([400, said])
    },
  )

  test.each<[string, (body: string) => Record<string, string>]>([
    [
      'by another secret',
      (body) => signed(body, { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
    ],
    ['of another body', (body) => signed(`${body} `)],
    ['of six minutes ago', (body) => signed(body, { ageMs: 6 * 60_000 })],
    ['with another id', (body) => ({ ...signed(body), 'svix-id': 'msg_2' })],
    ['without a time', (body) => ({ ...signed(body), 'svix-timestamp': '' })],
  ])('with a signature %s is refused', async (_what, headersOf) => {
    const { address, state } = await newSubscriber(app)
    const body = eventFor(address)
    expect((await post(body, headersOf(body))).status).toBe(401)
    expect(await state()).toBe('active')
  })
})

describe('a report is accepted with', () => {
  test.each([
    ['the token as bearer', `Bearer ${token}`, 200],
    ['a scheme in another case', `bEARER ${token}`, 200],
    ['the token as password, under a scheme in another case', `bASIC ${btoa(`a:${token}`)}`, 200],
    ['the token as password of anybody', basic('postmark', token), 200],
    ['nothing', '', 401],
    ['another token', 'Bearer wrong', 401],
    ['a part of it', `Bearer ${token.slice(1)}`, 401],
    ['the token as user', basic(token, ''), 401],
    ['a scheme that ends as Basic', `X${basic('a', token)}`, 401],
    ['words after the token', `${basic('a', token)} x`, 401],
  ])('%s', async (_what, authorization, status) => {
    const { Email, state } = await someoneWithQueuedMail()
    const answer = await tell({ ...hardBounce, Email }, { authorization })
    const said = status === 401 ? 'The token is missing or wrong.\n' : 'Thank you.\n'
    expect([answer.status, await answer.text()]).toEqual([status, said])
    expect(answer.headers.get('www-authenticate')).toBe(
      status === 401 ? 'Basic realm="bounces"' : null,
    )
    expect(await state()).toMatchObject({ subscriber: status === 200 ? 'undeliverable' : 'active' })
  })

  test('no credential if no token is set: the path answers 404', async () => {
    const closed = await testApp({ extension: ownerExtension })
    for (const authorization of ['Bearer undefined', 'Bearer ', basic('a', '')]) {
      expect((await tell(hardBounce, { authorization }, closed)).status).toBe(404)
    }
  })

  test('a foreign Origin, since nothing but the token proves it', async () => {
    const { Email, state } = await someoneWithQueuedMail()
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await tell({ ...hardBounce, Email }, headers)).status).toBe(200)
    expect(await state()).toMatchObject({ subscriber: 'undeliverable' })
  })

  test('no other type than JSON', async () => {
    expect((await tell(hardBounce, { 'content-type': 'text/plain' })).status).toBe(415)
  })
})

/** On the list, with a mail that waits. */
async function someoneWithQueuedMail() {
  const { id: subscriber, address } = await newSubscriber(app)
  const template = app.context.site.current.starterTemplate
  await app.database.transaction(async (transaction) => {
    const now = app.clock.now() // a wait that began in the future would begin again
    await queueMail(transaction, { subscriber, template, senderDomain: 'b.co', priority: 0, now })
    await transaction.run(sql`
      update deliveries set due_at = ${neverDue} where subscriber = ${subscriber}`)
  })
  return { Email: address, state: () => stateOf(subscriber) }
}

async function stateOf(id: number) {
  const rows = await app.database.rows<{ subscriber: string; delivery: string }>(sql`
    select s.state as subscriber, d.state as delivery from subscribers s join deliveries d on d.subscriber = s.id
    where s.id = ${id}`)
  return { subscriber: rows[0]?.subscriber, deliveries: rows.map(({ delivery }) => delivery) }
}

const countOf = async (event: string) => (await countsIn(app.database))[event] ?? 0

/** The example of Resend's manual, except for address and time. */
function eventFor(
  address: string,
  type = 'email.bounced',
  bounceType: string | undefined = 'Permanent',
): string {
  const bounce = {
    message: 'The address is on the suppression list.',
    subType: 'Suppressed',
    type: bounceType,
  }
  const data = {
    email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
    from: 'Bot <bot@mail.example>',
    to: [address],
  }
  return JSON.stringify({
    type,
    created_at: '2100-11-22T23:41:12.126Z',
    data: type === 'email.bounced' ? { ...data, bounce } : data,
  })
}

function signed(body: string, { secret = token, ageMs = 0 } = {}) {
  const at = new Date(Date.now() - ageMs)
  return {
    'svix-id': 'msg_1',
    'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign('msg_1', at, body),
  }
}

function tell(report: object, headers: Record<string, string> = {}, to = app) {
  return post(JSON.stringify(report), { ...asBearer, ...headers }, to)
}

function post(body: string, headers: Record<string, string>, { url } = app) {
  return fetch(url + bounceHookPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

function basic(user: string, password: string): string {
  return `Basic ${btoa(`${user}:${password}`)}`
}
