import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countRows, deliveryStates } from '#rigs/server/rows.ts'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

const asJson = { 'content-type': 'application/json' }
const asBearer = { authorization: `Bearer ${anonKey}` }
const friend = 'https://friend.example'
const preflight = { 'access-control-request-method': 'POST' }

describe('a program', () => {
  test('gets alreadyExists false for a new address, after it is stored, and then true', async () => {
    const app = await testApp()
    const first = await app.signUp(' ada@example.com ')
    expect(await countRows(app.database)).toEqual({ subscribers: 1, deliveries: 1 })
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toContain('application/json')
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(await first.json()).toMatchObject({ success: true, alreadyExists: false })
    expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({
      success: true,
      alreadyExists: true,
    })
    await expect.poll(() => app.mailer.addresses()).toEqual(['ada@example.com'])
  })

  test('gets exactly one new sign-up for 60 concurrent equal ones, on two instances of one database', async () => {
    const first = await testApp()
    const second = await testApp({ databaseUrl: first.databaseUrl, mailer: first.mailer })
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 ? first : second).signUp('ada@example.com'),
      ),
    )
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    expect(bodies.filter(({ success }) => success)).toHaveLength(60)
    expect(bodies.filter(({ alreadyExists }) => !alreadyExists)).toHaveLength(1)
    await expect.poll(() => deliveryStates(first.database)).toEqual(['sent'])
    expect(first.mailer.addresses()).toEqual(['ada@example.com'])
  })

  test('is stored without words, which nobody saw', async () => {
    const app = await testApp()
    await app.signUp('ada@example.com')
    expect(await app.database.rows(sql`select form, language, wording from subscribers`)).toEqual([
      { form: 'program', language: null, wording: null },
    ])
  })

  test('is told when the mail was sent again, or when it can be', async () => {
    const app = await testApp({ config: { resendAfterSeconds: 900 } })
    const asked = app.clock.now()
    const first = await (await app.signUp('ada@example.com')).json()
    expect(first).toEqual({
      success: true,
      alreadyExists: false,
      resentAt: null,
      nextResendAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      receipt: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect(Date.parse(first.nextResendAt) - asked).toBeGreaterThanOrEqual(900_000)
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent'])
    app.clock.advance(60_000)
    const soon = await (await app.signUp('ada@example.com')).json()
    expect(soon).toEqual({ ...first, alreadyExists: true, receipt: null })

    app.clock.advance(841_000)
    const later = await (await app.signUp('ada@example.com')).json()
    expect(later).toMatchObject({ success: true, alreadyExists: true, nextResendAt: null })
    expect(Date.parse(later.resentAt) - asked).toBeGreaterThanOrEqual(901_000)
    await expect.poll(() => deliveryStates(app.database)).toEqual(['sent', 'sent'])
    expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({ resentAt: null })
    expect(app.mailer.attempts).toHaveLength(2)
  })
})

test.each<{ what: string; headers: Record<string, string>; status: number }>([
  { what: 'as bearer', headers: asBearer, status: 200 },
  { what: 'as apikey', headers: { apikey: anonKey }, status: 200 },
  { what: 'that is missing', headers: {}, status: 401 },
  { what: 'that is wrong', headers: { authorization: 'Bearer wrong' }, status: 401 },
  {
    what: 'as bearer in upper case, after two spaces',
    headers: { authorization: `BEARER  ${anonKey}` },
    status: 200,
  },
  { what: 'of another scheme', headers: { authorization: `Basic ${anonKey}` }, status: 401 },
  { what: 'with a trailing character', headers: { apikey: `${anonKey}x` }, status: 401 },
])('the credential $what', async ({ headers, status }) => {
  const app = await testApp()
  const answer = await post(app, '{"email":"ada@example.com"}', { ...asJson, ...headers })
  expect(answer.status).toBe(status)
  if (status === 401) await expectNothingStored(app, answer, 'unauthorized')
})

describe('a browser on another origin', () => {
  test.each(['https://evil.example', 'null'])(
    '%s may neither call nor post the form',
    async (origin) => {
      const app = await testApp()
      const called = await app.signUp('ada@example.com', { origin })
      expect([called.status, called.headers.get('access-control-allow-origin')]).toEqual([
        403,
        null,
      ])
      await expectNothingStored(app, called, 'forbidden_origin')
      const posted = await postForm(app, 'email=ada%40example.com', { origin })
      expect(posted.status).toBe(403)
      expect(await posted.text()).toContain('<h1>result-error</h1>')
      expect(await countRows(app.database)).toEqual({ subscribers: 0, deliveries: 0 })
    },
  )

  test('may call if the origin is ours or allowed, and can read errors too', async () => {
    const app = await testApp({ config: { allowedOrigins: [friend] } })
    for (const origin of [ownOrigin, friend]) {
      for (const email of ['ada@example.com', 'no address']) {
        const { headers } = await app.signUp(email, { origin })
        expect(headers.get('access-control-allow-origin')).toBe(origin)
        expect(headers.get('vary')?.toLowerCase()).toContain('origin')
      }
    }
    expect((await postForm(app, 'email=bob%40example.com', { origin: friend })).status).toBe(403)
  })

  test.each([functionPath, '/functions/v1/unknown'])(
    'gets an answer to its preflight of %s',
    async (url) => {
      const app = await testApp({ config: { allowedOrigins: [friend] } })
      const ask = (origin: string) =>
        app.inject({ url, method: 'OPTIONS', headers: { ...preflight, origin } })
      expect(await ask(friend)).toMatchObject({
        statusCode: 204,
        headers: {
          'access-control-allow-origin': friend,
          'access-control-allow-methods': expect.stringContaining('POST'),
          'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
        },
      })
      expect(
        (await ask('https://evil.example')).headers['access-control-allow-origin'],
      ).toBeUndefined()
    },
  )
})

describe('a refused sign-up stores nothing and says why as JSON:', () => {
  interface Wrong {
    what: string
    status: number
    code: string
    method?: string
    path?: string
    type?: string
    body?: string
  }
  test('a request with neither a body nor its type is refused', async () => {
    const app = await testApp()
    const answer = await fetch(app.url + functionPath, { method: 'POST', headers: asBearer })
    expect(answer.status).toBe(415)
    await expectNothingStored(app, answer, 'unsupported_media_type')
  })

  test.each<Wrong>([
    { what: 'another method', status: 405, code: 'method_not_allowed', method: 'PUT' },
    { what: 'another function', status: 404, code: 'not_found', path: '/functions/v1/other' },
    {
      what: 'a form to another function',
      status: 404,
      code: 'not_found',
      path: '/functions/v1/other',
      type: 'application/x-www-form-urlencoded',
    },
    {
      what: 'another media type',
      status: 415,
      code: 'unsupported_media_type',
      type: 'text/plain',
    },
    { what: 'a body that is not JSON', status: 400, code: 'bad_request', body: '{' },
    {
      what: 'a body without an email',
      status: 400,
      code: 'bad_request',
      body: '{"mail":"ada@example.com"}',
    },
    {
      what: 'an email that is not a string',
      status: 400,
      code: 'bad_request',
      body: '{"email":["ada@example.com"]}',
    },
    {
      what: 'an invalid address',
      status: 400,
      code: 'invalid_email',
      body: '{"email":"ada@example"}',
    },
    {
      what: 'a body above 4 KiB',
      status: 413,
      code: 'body_too_large',
      body: `{"email":"${'a'.repeat(4096)}"}`,
    },
  ])('$what', async (wrong) => {
    const { status, code, method = 'POST', path = functionPath } = wrong
    const { type = asJson['content-type'], body = '{"email":"ada@example.com"}' } = wrong
    const app = await testApp()
    const headers = { 'content-type': type, ...asBearer, origin: ownOrigin }
    const answer = await fetch(app.url + path, { method, headers, body })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ownOrigin)
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'POST, OPTIONS' : null)
    await expectNothingStored(app, answer, code)
  })
})

describe('a function that is not there is answered with 404 in JSON, with CORS:', () => {
  interface Unknown {
    what: string
    method?: 'GET' | 'DELETE' | 'POST'
    url?: string
    type?: string
    payload?: string
  }
  const json = 'application/json'
  test.each<Unknown>([
    { what: 'a read', method: 'GET' },
    { what: 'a deletion', method: 'DELETE' },
    { what: 'a body that would sign up', type: json, payload: '{"email":"ada@example.com"}' },
    { what: 'JSON without an email', type: json, payload: '{"name":"x"}' },
    { what: 'broken JSON', type: json, payload: '{' },
    { what: 'an empty body of JSON', type: json, payload: '' },
    { what: 'a media type that nobody reads', type: 'text/plain', payload: 'hello' },
    { what: 'a body above the limit', type: json, payload: 'x'.repeat(100_000) },
    { what: 'a path below the function', url: `${functionPath}/more` },
    { what: 'no name at all', url: '/functions/v1/' },
  ])('$what', async ({ method = 'POST', url = '/functions/v1/other', type, payload = '' }) => {
    const app = await testApp()
    const headers = { origin: ownOrigin, ...(type && { 'content-type': type }) }
    const answer = await app.inject({ method, url, headers, payload })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['access-control-allow-origin']).toBe(ownOrigin)
    expect(answer.json()).toEqual({ error: { code: 'not_found', message: expect.any(String) } })
  })
})

test('a script may read when to try again: the headers Retry-After and Date', async () => {
  const app = await testApp({ config: { signUpsPerNetworkIn10Minutes: 1 } })
  await app.signUp('ada@example.com')
  const refused = await app.signUp('bob@example.com', { origin: ownOrigin })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(refused.headers.get('access-control-expose-headers')).toBe('retry-after, date')
})

test('a fault of our own is answered with 500 and logged without the address', async () => {
  const app = await testApp()
  await app.database.script(
    'alter table limits rename to gone; alter table deliveries rename to gone_too',
  )
  // On PostgreSQL a later test gets the same database.
  onTestFinished(() =>
    app.database.script(
      'alter table gone rename to limits; alter table gone_too rename to deliveries',
    ),
  )
  const answer = await app.signUp('ada-777@example.com', { origin: ownOrigin })
  expect(answer.status).toBe(500)
  expect(answer.headers.get('access-control-allow-origin')).toBe(ownOrigin)
  expect(await answer.json()).toMatchObject({ error: { code: 'internal_error' } })
  expect(await (await postForm(app, 'email=ada-777%40example.com', {})).text()).toContain(
    '<h1>result-error</h1> ada-777@',
  )
  await expect.poll(() => app.log()).toContain('sign-up not stored')
  expect(app.log()).not.toContain('ada-777') // a folder in the log may well have a shorter name
})

describe('a plain form with an address', () => {
  interface FormPost {
    what: string
    body: string
    status: number
    page: string
  }
  test.each<FormPost>([
    {
      what: 'that is new',
      body: 'email=ada%40example.com',
      status: 200,
      page: '<h1>result-sent</h1> ada@example.com',
    },
    {
      what: 'that is on the list',
      body: 'email=Old@example.com',
      status: 200,
      page: '<h1>result-already-on-list</h1> Old@example.com',
    },
    {
      what: 'that is invalid',
      body: 'email=%3Cb%3E&form=hero',
      status: 400,
      page: '<h1>result-invalid</h1> &#60;b&#62; {token} form=hero',
    },
    {
      what: 'with a likely slip',
      body: 'email=ada%40gmial.com&form=hero',
      status: 200,
      page: '<h1>result-slip</h1> ada@gmial.com',
    },
    { what: 'that is missing', body: '', status: 400, page: '<h1>result-invalid</h1>' },
    {
      what: 'in a body above 4 KiB',
      body: `email=${'a'.repeat(5000)}`,
      status: 413,
      page: '<h1>result-error</h1>',
    },
  ])('$what gets a page', async ({ body, status, page }) => {
    const app = await testApp()
    await app.signUp('old@example.com')
    const answer = await postForm(app, body, { origin: ownOrigin })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(await answer.text()).toContain(page)
  })
})

test('links in a mail come from the configuration, whatever the request says', async () => {
  const app = await testApp({ config: { trustedProxies: 1 } })
  const forged = 'evil.example'
  await app.signUp('ada@example.com', {
    'x-forwarded-host': forged,
    forwarded: `host=${forged}`,
    referer: `https://${forged}/`,
  })
  await expect.poll(() => app.mailer.attempts).toHaveLength(1)
  const { message } = app.mailer.attempts[0]!
  expect(message.text).toContain(`${ownOrigin}/kit/`)
  expect(JSON.stringify(message)).not.toContain(forged)
})

function post(app: TestApp, body: string, headers: Record<string, string>): Promise<Response> {
  return fetch(app.url + functionPath, { method: 'POST', headers, body })
}

function postForm(app: TestApp, body: string, headers: Record<string, string>): Promise<Response> {
  return post(app, body, { 'content-type': 'application/x-www-form-urlencoded', ...headers })
}

async function expectNothingStored(app: TestApp, answer: Response, code: string) {
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(await answer.json()).toEqual({ error: { code, message: expect.any(String) } })
  expect(await countRows(app.database)).toEqual({ subscribers: 0, deliveries: 0 })
}
