import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countsIn, newSubscriber, startTestApp, type TestApp } from '#rigs/server/test-app.ts'
import { bounceHookPath } from './bounce-hook.ts'

const secret = `whsec_${Buffer.from('a signing secret of 24 b').toString('base64')}`

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ config: { bounceToken: secret } })
})
afterAll(() => app.stop())

/** The example of Resend's manual, except for address and time. */
function eventFor(address: string, type = 'email.bounced', bounceType: string | undefined = 'Permanent') {
  return {
    type,
    created_at: '2100-11-22T23:41:12.126Z',
    data: {
      broadcast_id: '8b146471-e88e-4322-86af-016cd36fd216',
      created_at: '2100-11-22T23:41:11.894719+00:00',
      email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
      from: 'Bot <bot@mail.example>',
      to: [address],
      subject: 'Your starter bot',
      ...(type === 'email.bounced' && {
        bounce: {
          message: "The recipient's email address is on the suppression list.",
          subType: 'Suppressed',
          type: bounceType,
        },
      }),
    },
  }
}

describe('an event of Resend', () => {
  test.each([
    ['email.bounced', 'Permanent'],
    ['email.bounced', undefined],
    ['email.complained', undefined],
  ])('%s, %s, takes the address off the list', async (type, bounceType) => {
    const { address, state } = await newSubscriber(app)
    expect((await tell(eventFor(address.toUpperCase(), type, bounceType))).status).toBe(200)
    expect(await state()).toBe('undeliverable')
  })

  test.each([
    ['email.bounced', 'Transient'],
    ['email.bounced', 'Undetermined'],
    ['email.delivery_delayed', undefined],
    ['email.opened', undefined],
    ['domain.updated', undefined],
  ])('%s, %s, is accepted and changes nothing', async (type, bounceType) => {
    const { address, state } = await newSubscriber(app)
    expect((await tell(eventFor(address, type, bounceType))).status).toBe(200)
    expect(await state()).toBe('active')
  })

  test('email.delivered counts as arrived for who is on the list, and for nobody else', async () => {
    const { address, state } = await newSubscriber(app)
    expect((await tell(eventFor(address, 'email.delivered'))).status).toBe(200)
    expect((await tell(eventFor('owner@example.com', 'email.delivered'))).status).toBe(200)
    expect(await countsIn(app.database)).toMatchObject({ arrived: 1 })
    expect(await state()).toBe('active')
  })

  test('without a type is malformed', async () => {
    expect((await tell({ data: {} })).status).toBe(400)
    expect((await tell([])).status).toBe(400)
  })
})

describe('the signature', () => {
  const now = () => Math.floor(app.clock.now() / 1000)
  const other = `whsec_${Buffer.from('another secret of 24 byt').toString('base64')}`
  const ofBody = (body: string, options: { key?: string; at?: number } = {}) =>
    sign(body, { at: now(), ...options })

  test.each<[string, (body: string) => Record<string, string>, number]>([
    ['under the names of Svix', (body) => ofBody(body), 200],
    ['under the names of Standard Webhooks', (body) => renamed(ofBody(body)), 200],
    ['among others', withSignatures((right) => `v1,AAAA v1a,BBBB ${right}`), 200],
    ['by another secret', (body) => ofBody(body, { key: other }), 401],
    ['of another body', (body) => ofBody(`${body} `), 401],
    ['of six minutes ago', (body) => ofBody(body, { at: now() - 360 }), 401],
    ['of six minutes from now', (body) => ofBody(body, { at: now() + 360 }), 401],
    ['with another id', (body) => ({ ...ofBody(body), 'svix-id': 'msg_2' }), 401],
    ['with another time', (body) => ({ ...ofBody(body), 'svix-timestamp': String(now() + 1) }), 401],
    ['without a time', (body) => ({ ...ofBody(body), 'svix-timestamp': '' }), 401],
    ['of another version', withSignatures((right) => right.replace('v1,', 'v2,')), 401],
    ['that is a part of the right one', withSignatures((right) => right.slice(0, -2)), 401],
  ])('%s', async (_name, headersOf, status) => {
    const { address, state } = await newSubscriber(app)
    const body = JSON.stringify(eventFor(address))
    expect((await post(body, headersOf(body))).status).toBe(status)
    expect(await state()).toBe(status === 200 ? 'undeliverable' : 'active')
  })

  function withSignatures(change: (right: string) => string) {
    return (body: string) => {
      const headers = ofBody(body)
      return { ...headers, 'svix-signature': change(headers['svix-signature']) }
    }
  }

  function renamed(headers: Record<string, string>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('svix-', 'webhook-'), value]),
    )
  }

  test('proves nothing where the token is not a signing secret', async () => {
    const plain = await startTestApp({ config: { bounceToken: 'a-token-of-22-characters' } })
    const body = JSON.stringify(eventFor('a@b.co'))
    for (const key of ['whsec_', 'a-token-of-22-characters', 'whsec_a-token-of-22-characters'])
      expect((await post(body, ofBody(body, { key }), plain)).status).toBe(401)
    await plain.stop()
  })
})

function sign(body: string, { key = secret, at }: { key?: string; at: number }) {
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
  const digest = createHmac('sha256', bytes).update(`msg_1.${at}.${body}`).digest('base64')
  return { 'svix-id': 'msg_1', 'svix-timestamp': String(at), 'svix-signature': `v1,${digest}` }
}

function tell(event: object) {
  const body = JSON.stringify(event)
  return post(body, sign(body, { at: Math.floor(app.clock.now() / 1000) }))
}

function post(body: string, headers: Record<string, string>, { url } = app) {
  return fetch(url + bounceHookPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}
