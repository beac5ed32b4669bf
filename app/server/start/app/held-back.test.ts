import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openSite } from '#server/settings/site-settings.ts'
import { anonKey, functionPath, type TestApp, testApp } from '#rigs/server/test-app.ts'

const atNoAddress = { production: true, source: {} }

test('before it is opened the page answers 503, is not indexed, and says when to come back', async () => {
  const app = await testApp({ isHeldBack: true })
  const { statusCode, headers, body } = await app.inject('/')
  expect([statusCode, body]).toEqual([503, expect.stringContaining('opens-soon')])
  expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'retry-after': '3600' })
})

test('before it is opened the function answers 503 to programs and to forms, and stores nothing', async () => {
  const app = await testApp({ isHeldBack: true })
  const toProgram = await app.signUp('ada@example.com')
  expect([toProgram.status, await toProgram.json()]).toEqual([
    503,
    { error: { code: 'not_open', message: 'This page opens soon.' } },
  ])
  expect(toProgram.headers.get('retry-after')).toBe('3600')
  const toForm = await app.inject({
    method: 'POST',
    url: functionPath,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=ada%40example.com',
  })
  expect([toForm.statusCode, toForm.body]).toEqual([503, expect.stringContaining('opens-soon')])
  expect(await app.database.rows(sql`select * from subscribers`)).toEqual([])
})

test('a server whose page is held back is ready', async () => {
  const app = await testApp({ isHeldBack: true })
  expect((await app.inject('/readyz')).statusCode).toBe(200)
})

test('once opened, every instance shows the page', async () => {
  const app = await testApp({ isHeldBack: true })
  const other = await testApp({ isHeldBack: true, databaseUrl: app.databaseUrl })
  await app.database.transaction((transaction) => openSite(transaction, app.clock.now()))
  await expect.poll(() => statusesOf([app, other], '/')).toEqual([200, 200])
  expect((await app.signUp('ada@example.com')).status).toBe(200)
})

test('an installation where somebody signed up counts as open', async () => {
  const app = await testApp()
  await app.signUp('ada@example.com')
  await app.change(sql`delete from settings where name = 'site opened'`)
  await app.stopServer()
  const updated = await testApp({ isHeldBack: true, databaseUrl: app.databaseUrl })
  expect((await updated.inject('/')).statusCode).toBe(200)
})

test('a page on this machine is shown at once', async () => {
  const app = await testApp({ isHeldBack: true, config: { publicUrl: 'http://localhost:3000' } })
  expect((await app.inject('/')).statusCode).toBe(200)
})

test('a server that does not know its address answers any host, with nothing but the desk', async () => {
  const app = await testApp({ isHeldBack: true, config: atNoAddress })
  for (const url of ['/', '/robots.txt', '/kit/AbCdEfGhIjKlMnOpQrStUv', '/nowhere']) {
    const { statusCode, body } = await app.inject({ url, headers: { host: 'any.example' } })
    expect([url, statusCode, body]).toEqual([url, 503, expect.stringContaining('opens-soon')])
  }
  const icon = await app.inject({ url: '/favicon.svg', headers: { host: 'any.example' } })
  expect(icon.body).not.toContain('opens-soon') // the desk shows it
  expect((await app.inject({ url: '/readyz', headers: { host: 'any.example' } })).statusCode).toBe(
    200,
  )
  const sent = await app.inject({
    method: 'POST',
    url: functionPath,
    headers: { 'content-type': 'application/json', apikey: anonKey, host: 'any.example' },
    body: '{"email":"ada@example.com"}',
  })
  expect(sent.json()).toMatchObject({ error: { code: 'not_open' } })
})

function statusesOf(apps: readonly TestApp[], url: string): Promise<number[]> {
  return Promise.all(apps.map(async (app) => (await app.inject(url)).statusCode))
}
