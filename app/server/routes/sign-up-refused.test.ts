import { describe, expect, test } from 'vitest'
import { countRows } from '#rigs/server/rows.ts'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

const asJson = { 'content-type': 'application/json' }
const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
const asBearer = { authorization: `Bearer ${anonKey}` }
const friend = 'https://friend.example'
const preflight = { 'access-control-request-method': 'POST' }

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
      const posted = await post(app, 'email=ada%40example.com', { ...asForm, origin })
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
    const posted = await post(app, 'email=bob%40example.com', { ...asForm, origin: friend })
    expect(posted.status).toBe(403)
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
      type: asForm['content-type'],
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

function post(app: TestApp, body: string, headers: Record<string, string>): Promise<Response> {
  return fetch(app.url + functionPath, { method: 'POST', headers, body })
}

async function expectNothingStored(app: TestApp, answer: Response, code: string) {
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(await answer.json()).toEqual({ error: { code, message: expect.any(String) } })
  expect(await countRows(app.database)).toEqual({ subscribers: 0, deliveries: 0 })
}
