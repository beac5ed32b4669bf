import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { permanent, temporary } from '#rigs/mail/programmable-mailer.ts'
import { sendRaw } from '#rigs/raw-http.ts'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

describe('no header or body field of a request gets into a mail:', () => {
  test.each([
    ['Host', { host: 'localhost:666' }],
    [
      'forwarded hosts',
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'evil', 'x-host': 'evil.example' },
    ],
    ['Forwarded', { forwarded: 'host=evil.example;proto=https', 'x-original-url': '/evil' }],
    ['referer and agent', { referer: 'https://evil.example/', 'user-agent': 'evil <a@evil.example>' }],
    ['names in the body', { 'x-name': 'evil' }],
  ])('%s', async (_what, headers) => {
    const app = await testApp({ config: { trustedProxies: 2 } })
    const body = JSON.stringify({ email: 'ada@example.com', name: 'evil', url: 'https://evil.example' })
    const lines = Object.entries({ host: 'bot.example', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const request = `POST ${functionPath}?next=evil HTTP/1.1\r\n${lines.join('')}apikey: ${anonKey}\r\n`
    const framing = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    expect((await sendRaw(app.port, request + framing)).statuses).toEqual([200])
    await vi.waitFor(() => expect(app.mailer.attempts).toHaveLength(1), { timeout: 10_000 })
    const [{ message } = { message: {} }] = app.mailer.attempts
    const text = JSON.stringify(message)
    expect(text).not.toMatch(/evil|localhost/)
    const links = text.match(/https?:\/\/[^/"\\ <]+/g) ?? []
    expect(new Set(links)).toEqual(new Set([ownOrigin]))
    expect(links.length).toBeGreaterThan(4)
  })
})

describe('sign-up, retry, delivery, resend, bounce, second sign-up, unsubscription and erasure', () => {
  test('leave neither address nor link in log, metrics and files', async () => {
    const marker = 'marker-4d1c@example.com'
    const app = await testApp({
      config: { retrySeconds: [0, 0], resendAfterSeconds: 0, metricsToken: 'm', logLevel: 'debug' },
    })
    app.mailer.answer(() => (app.mailer.attempts.length === 1 ? temporary : { kind: 'accepted' }))
    await app.signUp(marker)
    await settled(app, 2)
    app.mailer.answer(() => permanent)
    await app.signUp(marker)
    await settled(app, 3)
    app.mailer.answer(() => ({ kind: 'accepted' }))
    await app.signUp(marker)
    await settled(app, 4)
    const { token } = await app.database.query
      .selectFrom('subscribers')
      .select('token')
      .executeTakeFirstOrThrow()
    const metrics = await (
      await fetch(`${app.url}/metrics`, { headers: { authorization: 'Bearer m' } })
    ).text()
    await app.database.runScript('alter table deliveries rename to gone')
    await app.signUp(marker)
    await fetch(`${app.url}/kit/${token}/erase`, { method: 'POST' })
    await app.database.runScript('alter table gone rename to deliveries')
    for (const action of ['', '/unsubscribe', '/erase'])
      await fetch(`${app.url}/kit/${token}${action}`, { method: action === '' ? 'GET' : 'POST' })

    await vi.waitFor(() => expect(app.log()).toContain('sign-up not stored'))
    const told = app.log() + metrics
    for (const secret of ['marker-4d1c', 'example.com', token ?? 'no link', '127.0.0.1'])
      expect(told).not.toContain(secret)
    for (const line of app.log().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event')
    if (app.databaseFile) expect(bytesBeside(app.databaseFile)).not.toContain('marker-4d1c')
  })
})

async function settled(app: TestApp, attempts: number) {
  await vi.waitFor(
    async () => {
      expect(app.mailer.attempts).toHaveLength(attempts)
      const rows = await app.database.query.selectFrom('deliveries').select('state').execute()
      expect(rows.map(({ state }) => state)).not.toContain('sending')
    },
    { timeout: 10_000 },
  )
}

function bytesBeside(file: string): string {
  const folder = dirname(file)
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('\n')
}
