import { describe, expect, test } from 'vitest'
import { sendRaw } from '#rigs/raw-http.ts'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

describe('a function that does not exist', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE'])(
    'is answered to %s with JSON that a script of our origin can read',
    async (method) => {
      const app = await testApp()
      for (const path of ['other', '', 'send-starter-bot-email/x', 'send-starter-bot-email2'])
        for (const headers of [{ origin: ownOrigin }, {}]) {
          const answer = await fetch(`${app.url}/functions/v1/${path}`, { method, headers })
          expect(answer.status).toBe(404)
          expect(answer.headers.get('access-control-allow-origin')).toBe(ownOrigin)
          expect(answer.headers.get('content-type')).toBe('application/json')
          expect(await answer.json()).toEqual({ error: { code: 'not_found', message: expect.any(String) } })
        }
    },
  )

  test('answers the preflight as the function that exists does', async () => {
    const app = await testApp()
    const ask = async (path: string, origin: string) => {
      const { status, headers } = await fetch(app.url + path, { method: 'OPTIONS', headers: { origin } })
      const { date: _, ...others } = Object.fromEntries(headers)
      return { status, ...others }
    }
    for (const origin of [ownOrigin, 'https://evil.example'])
      expect(await ask('/functions/v1/other', origin)).toEqual(await ask(functionPath, origin))
    expect(await ask('/functions/v1/other', ownOrigin)).toMatchObject({ status: 204 })
  })

  test('reveals nothing to a foreign origin', async () => {
    const app = await testApp()
    const headers = { origin: 'https://evil.example' }
    const answer = await fetch(`${app.url}/functions/v1/other`, { headers })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, null])
  })
})

test('everything below /kit/ carries the personal headers, also where there is no such page or the database is away', async () => {
  const app = await testApp()
  await app.signUp('ada@example.com')
  await app.database.query
    .updateTable('subscribers')
    .set({ token: 'a'.repeat(22) })
    .execute()
  const kit = `/kit/${'a'.repeat(22)}`
  const paths = ['/ema-crossover.pine', '/setup-guide.pdf', '/unsubscribe', '/other'].map((end) => kit + end)
  for (const path of [kit, ...paths, '/kit/', '/kit/short', `/kit/${'b'.repeat(22)}`])
    for (const method of ['GET', 'PUT']) await expectPersonal(app, path, method)
  const refused = await fetch(`${app.url}${kit}/erase`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  })
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([403, 'no-store'])
  await app.database.runScript('alter table subscribers rename to gone')
  await expectPersonal(app, kit, 'GET')
  await app.database.runScript('alter table gone rename to subscribers')
})

test('while the database is away a receipt is answered with 503: JSON to a script of our origin, a page to a browser', async () => {
  const app = await testApp()
  const { receipt }: { receipt: string } = await (await app.signUp('ada@example.com')).json()
  await app.database.runScript('alter table deliveries rename to gone')
  const ask = (accept: string) => fetch(`${app.url}/receipts/${receipt}`, { headers: { accept } })
  const [json, page] = [await ask('*/*'), await ask('text/html,*/*;q=0.8')]
  expect(json.headers.get('access-control-allow-origin')).toBe(ownOrigin)
  expect(await json.json()).toEqual({ error: { code: 'unavailable', message: expect.any(String) } })
  expect(await page.text()).toContain('<h1>result-error</h1>')
  expect([json, page].map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [503, '30'],
    [503, '30'],
  ])
  await app.database.runScript('alter table gone rename to deliveries')
})

describe('the local inbox', () => {
  const inbox = { answerLocalInbox: async () => ({ status: 200, headers: {}, body: 'inbox' }) }
  test.each([
    ['is shown to a browser on this machine', 'localhost:3000', '', 200],
    ['is hidden from a page whose name was bound to this machine', 'evil.example:3000', '', 404],
    ['is hidden under the public name', 'bot.example', '', 404],
    ['is hidden behind a proxy', 'localhost:3000', 'x-forwarded-for: 192.0.2.1\r\n', 404],
  ])('%s', async (_what, host, more, status) => {
    const app = await testApp({ parts: inbox })
    const get = (path: string) =>
      sendRaw(app.port, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${more}connection: close\r\n\r\n`)
    for (const path of ['/dev/inbox', '/dev/inbox/1-a', '/dev/inbox/1-a.eml'])
      expect((await get(path)).statuses).toEqual([status])
  })
})

describe('a request for another host', () => {
  test.each(['evil.example', 'bot.example.evil.example', 'localhost.evil.example:3000'])(
    'that names %s changes nothing',
    async (host) => {
      const app = await testApp()
      const post = (path: string, type: string, body: string) =>
        sendRaw(
          app.port,
          `POST ${path} HTTP/1.1\r\nhost: ${host}\r\napikey: ${anonKey}\r\ncontent-type: ${type}\r\n` +
            `content-length: ${body.length}\r\n\r\n${body}`,
        )
      const json = await post(functionPath, 'application/json', '{"email":"ada@example.com"}')
      expect(json.text).toContain('misdirected_request')
      const form = await post(functionPath, 'application/x-www-form-urlencoded', 'email=ada@example.com')
      const erase = await post(`/kit/${'a'.repeat(22)}/erase`, 'application/x-www-form-urlencoded', '')
      expect([json, form, erase].map(({ statuses }) => statuses)).toEqual([[421], [421], [421]])
      expect(await app.database.query.selectFrom('subscribers').select('id').execute()).toEqual([])
    },
  )
})

test('a form post from another site is refused, even if the browser names our origin', async () => {
  const app = await testApp()
  const answer = await fetch(app.url + functionPath, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: ownOrigin,
      'sec-fetch-site': 'cross-site',
    },
    body: 'email=ada@example.com',
  })
  expect(answer.status).toBe(403)
  expect(await app.database.query.selectFrom('subscribers').select('id').execute()).toEqual([])
})

test('a personal link that is not known gets the 404 page that says its links never expire, other paths the plain one', async () => {
  const app = await testApp()
  const ask = async (path: string) => {
    const answer = await fetch(app.url + path, { headers: { accept: 'text/html' } })
    return { status: answer.status, text: await answer.text() }
  }
  expect(await ask('/kit/AAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({
    status: 404,
    text: expect.stringContaining('kit-not-found'),
  })
  expect(await ask('/receipts/AAAAAAAAAAAAAAAAAAAAAA')).toEqual({ status: 404, text: 'not found' })
})

async function expectPersonal(app: TestApp, path: string, method: string): Promise<void> {
  const { headers } = await fetch(app.url + path, { method })
  expect({ path, method, ...Object.fromEntries(headers) }).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
}
