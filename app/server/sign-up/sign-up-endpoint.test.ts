import { FunctionsClient } from '@supabase/functions-js'
import { describe, expect, test } from 'vitest'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

const json = { 'content-type': 'application/json' }
const asBearer = { authorization: `Bearer ${anonKey}` }

describe('a program', () => {
  test('gets alreadyExists false for a new address, then true', async () => {
    const app = await testApp()
    const first = await app.signUp(' ada@example.com ')
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/json')
    expect(await first.json()).toMatchObject({ success: true, alreadyExists: false })
    const second = await app.signUp('ada@example.com')
    expect(await second.json()).toMatchObject({ success: true, alreadyExists: true })
  })

  test('may be supabase-js, unchanged', async () => {
    const app = await testApp()
    const client = new FunctionsClient(`${app.url}/functions/v1`, { headers: asBearer })
    const invoke = (email: string) => client.invoke('send-starter-bot-email', { body: { email } })
    expect(await invoke('ada@example.com')).toMatchObject({
      data: { success: true, alreadyExists: false },
      error: null,
    })
    expect((await invoke('no address')).error).toMatchObject({ name: 'FunctionsHttpError' })
  })

  test('gets its answer after the sign-up is stored', async () => {
    const app = await testApp()
    await app.signUp('ada@example.com')
    expect(await countRows(app)).toEqual({ subscribers: 1, deliveries: 1 })
  })

  test('gets exactly one new sign-up for 60 concurrent equal ones, on two instances of one database', async () => {
    const first = await testApp()
    const second = await testApp({ databaseUrl: first.databaseUrl })
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? first : second).signUp('ada@example.com')),
    )
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    expect(bodies.filter((body) => body.success && !body.alreadyExists)).toHaveLength(1)
    expect(bodies.filter((body) => body.success && body.alreadyExists)).toHaveLength(59)
    expect(await countRows(first)).toEqual({ subscribers: 1, deliveries: 1 })
  })
})

describe('the credential', () => {
  test.each([
    ['as bearer', asBearer, 200],
    ['as apikey', { apikey: anonKey }, 200],
    ['that is missing', {}, 401],
    ['that is wrong', { authorization: 'Bearer wrong' }, 401],
    ['as bearer in lower case', { authorization: `bearer ${anonKey}` }, 200],
    ['as bearer in upper case, after two spaces', { authorization: `BEARER  ${anonKey}` }, 200],
    ['without a scheme', { authorization: anonKey }, 401],
    ['of another scheme', { authorization: `Basic ${anonKey}` }, 401],
    ['with a trailing character', { apikey: `${anonKey}x` }, 401],
  ])('%s', async (_case, headers, status) => {
    const app = await testApp()
    const answer = await post(app, '{"email":"ada@example.com"}', { ...json, ...headers })
    expect(answer.status).toBe(status)
    if (status === 401) await expectNothingStored(app, answer, 'unauthorized')
  })
})

describe('a browser on another origin', () => {
  test.each(['https://evil.example', 'null', 'http://bot.example', 'https://bot.example.evil.example'])(
    '%s may neither call nor post the form',
    async (origin) => {
      const app = await testApp()
      const called = await app.signUp('ada@example.com', { origin })
      expect(called.status).toBe(403)
      expect(called.headers.get('access-control-allow-origin')).toBeNull()
      await expectNothingStored(app, called, 'forbidden_origin')
      const posted = await postForm(app, 'email=ada%40example.com', { origin })
      expect(posted.status).toBe(403)
      await expectNothingStored(app, posted, 'forbidden_origin')
    },
  )

  test('may call if the origin is ours or allowed, and can read errors too', async () => {
    const app = await testApp({ config: { allowedOrigins: ['https://friend.example'] } })
    for (const origin of [ownOrigin, 'https://friend.example'])
      for (const email of ['ada@example.com', 'no address']) {
        const { headers } = await app.signUp(email, { origin })
        expect(headers.get('access-control-allow-origin')).toBe(origin)
        expect(headers.get('vary')).toContain('origin')
      }
  })

  test('gets an answer to its preflight', async () => {
    const app = await testApp()
    const { status, headers } = await fetch(app.url + functionPath, {
      method: 'OPTIONS',
      headers: { origin: ownOrigin, 'access-control-request-method': 'POST' },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toContain('POST')
    for (const name of ['authorization', 'apikey', 'content-type', 'x-client-info'])
      expect(headers.get('access-control-allow-headers')).toContain(name)
  })
})

describe('a refused sign-up stores nothing and says why as JSON:', () => {
  interface Wrong {
    method?: string
    type?: string
    body?: string
  }
  test.each<[string, number, string, Wrong]>([
    ['another method', 405, 'method_not_allowed', { method: 'PUT' }],
    ['another media type', 415, 'unsupported_media_type', { type: 'text/plain' }],
    ['a body that is not JSON', 400, 'bad_request', { body: '{' }],
    ['a body without an email', 400, 'bad_request', { body: '{"mail":"ada@example.com"}' }],
    ['an email that is not a string', 400, 'bad_request', { body: '{"email":["ada@example.com"]}' }],
    ['an invalid address', 400, 'invalid_email', { body: '{"email":"ada@example"}' }],
    ['a body above 4 KiB', 413, 'body_too_large', { body: `{"email":"${'a'.repeat(4096)}"}` }],
  ])('%s', async (_what, status, code, { method = 'POST', type = 'application/json', body = '{}' }) => {
    const app = await testApp()
    const headers = { 'content-type': type, ...asBearer, origin: ownOrigin }
    const request: RequestInit = { method, headers, body }
    const answer = await fetch(app.url + functionPath, request)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ownOrigin)
    await expectNothingStored(app, answer, code)
  })

  test('above the ceiling of a network, with the time to come back', async () => {
    const app = await testApp({ config: { signUpsPerNetworkIn10Minutes: 1 } })
    await app.signUp('ada@example.com')
    const answer = await app.signUp('bob@example.com', { 'x-forwarded-for': '1.2.3.4' })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({ error: { code: 'too_many_requests' } })
  })

  test('above the ceiling of a network behind a trusted proxy, each visitor for themselves', async () => {
    const app = await testApp({ config: { signUpsPerNetworkIn10Minutes: 1, trustedProxies: 1 } })
    const from = (email: string, forwarded: string) => app.signUp(email, { 'x-forwarded-for': forwarded })
    expect((await from('a@example.com', '1.2.3.4')).status).toBe(200)
    expect((await from('b@example.com', '5.6.7.8')).status).toBe(200)
    expect((await from('c@example.com', '9.9.9.9, 5.6.7.8')).status).toBe(429)
  })

  test('while the database fails, until it works again', async () => {
    const app = await testApp()
    await app.database.runScript('alter table deliveries rename to gone')
    const answer = await app.signUp('ada@example.com', { origin: ownOrigin })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(answer.headers.get('access-control-allow-origin')).toBe(ownOrigin)
    expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' } })
    await app.database.runScript('alter table gone rename to deliveries')
    expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({ alreadyExists: false })
  })
})

describe('a plain form with an address', () => {
  test.each([
    ['that is new', 'email=ada%40example.com', 200, '<h1>result-sent</h1> ada@example.com'],
    ['that is on the list', 'email=Old@example.com', 200, '<h1>result-already-on-list</h1> Old@example.com'],
    ['that is invalid', 'email=%3Cb%3E', 400, '<h1>result-invalid</h1> &lt;b&gt;'],
    ['that is empty', '', 400, '<h1>result-invalid</h1>'],
    ['in a body above 4 KiB', `email=${'a'.repeat(5000)}`, 413, '<h1>result-error</h1>'],
  ])('%s gets a page', async (_what, body, status, words) => {
    const app = await testApp()
    await app.signUp('old@example.com')
    const answer = await postForm(app, body, { origin: ownOrigin })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toContain(words)
  })
})

describe('a plain form that fails gets its fields back to try again', () => {
  const filled = 'email=Bob%40example.com&form=closing&campaign=forum'
  const given = '<h1>result-error</h1> Bob@example.com'

  test('above the ceiling of its network', async () => {
    const app = await testApp({ config: { signUpsPerNetworkIn10Minutes: 1 } })
    await app.signUp('ada@example.com')
    const answer = await postForm(app, filled, { origin: ownOrigin })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const html = await answer.text()
    expect(html).toContain(given)
    expect(html).toContain('form=closing campaign=forum')
  })

  test('while the database fails', async () => {
    const app = await testApp()
    await app.database.runScript('alter table deliveries rename to gone')
    const answer = await postForm(app, filled, { origin: ownOrigin })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(await answer.text()).toContain(given)
  })
})

test('the answer says when the mail was sent again, or when it can be', async () => {
  const app = await testApp({ config: { resendAfterSeconds: 900 } })
  const asked = Date.now()
  const first = await (await app.signUp('ada@example.com')).json()
  expect(first).toEqual({
    success: true,
    alreadyExists: false,
    resentAt: null,
    nextResendAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    receipt: expect.stringMatching(/^[\w-]{22}$/),
    firstMail: null,
  })
  expect(Date.parse(first.nextResendAt) - asked).toBeGreaterThanOrEqual(900_000)
  const states = () => app.database.query.selectFrom('deliveries').select('state').execute()
  await expect.poll(() => states()).toEqual([{ state: 'sent' }])
  const soon = await (await app.signUp('ada@example.com')).json()
  expect(soon).toEqual({ ...first, alreadyExists: true, receipt: expect.not.stringMatching(first.receipt) })

  app.clock.advance(901_000)
  const later = await (await app.signUp('ada@example.com')).json()
  expect(later).toMatchObject({ success: true, alreadyExists: true, nextResendAt: null })
  expect(Date.parse(later.resentAt) - asked).toBeGreaterThanOrEqual(901_000)
})

function post(app: TestApp, body: string, headers: Record<string, string>): Promise<Response> {
  return fetch(app.url + functionPath, { method: 'POST', headers, body })
}

function postForm(app: TestApp, body: string, headers: Record<string, string>): Promise<Response> {
  return post(app, body, { 'content-type': 'application/x-www-form-urlencoded', ...headers })
}

async function expectNothingStored(app: TestApp, answer: Response, code: string) {
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual({ error: { code, message: expect.any(String) } })
  expect(await countRows(app)).toEqual({ subscribers: 0, deliveries: 0 })
}

async function countRows({ database: { query } }: TestApp) {
  const subscribers = await query.selectFrom('subscribers').select('id').execute()
  const deliveries = await query.selectFrom('deliveries').select('id').execute()
  return { subscribers: subscribers.length, deliveries: deliveries.length }
}
