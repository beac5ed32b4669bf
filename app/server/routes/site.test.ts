import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { linkOf, ownOrigin, testApp, type TestApp } from '#rigs/server/test-app.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { createLocalInbox } from '../transports/local-inbox.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { relayAway } from '#rigs/mail/programmable-mailer.ts'

const metricsToken = 'm'.repeat(22)

describe('the landing page', () => {
  test('is the same bytes for everybody, in the best coding that the client takes', async () => {
    const app = await testApp()
    const as = async (coding: string) =>
      (await app.inject({ url: '/', headers: { 'accept-encoding': coding } })).headers
    expect((await as('gzip, deflate, br'))['content-encoding']).toBe('br')
    expect((await as('gzip'))['content-encoding']).toBe('gzip')
    expect((await as('br;q=0, identity'))['content-encoding']).toBeUndefined()
    const plain = await app.inject('/')
    expect(plain.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, s-maxage=60, no-transform',
      vary: 'accept-encoding',
    })
    expect(plain.body).toContain('<h1>landing</h1>')
    expect(plain.headers['set-cookie']).toBeUndefined()
    expect(await (await fetch(app.url, { headers: { 'accept-encoding': 'br' } })).text()).toContain(
      '<h1>landing</h1>',
    )
  })

  test('is not sent again to a client that has it, and never to HEAD', async () => {
    const app = await testApp()
    const { headers } = await app.inject('/')
    const again = (etag: string) => app.inject({ url: '/', headers: { 'if-none-match': etag } })
    expect((await again(`"other", W/${String(headers.etag)}`)).statusCode).toBe(304)
    expect((await again('"other"')).statusCode).toBe(200)
    const head = await app.inject({ method: 'HEAD', url: '/' })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', headers.etag])
  })

  test('counts views by people and machines, and the campaigns of people', async () => {
    const app = await testApp()
    const view = (url: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
      app.inject({ method, url, headers })
    const person = { 'sec-fetch-user': '?1' }
    await view('/?utm_source=Forum', person)
    await view('/?utm_source=a@b.co', { 'sec-fetch-mode': 'navigate' })
    await view('/?utm_source=forum', {})
    await view('/', person, 'HEAD')
    await view('/', { ...person, 'if-none-match': '*' })
    expect(await app.countsAtStop()).toEqual({
      'landing-viewed person': 2,
      'landing-viewed machine': 1,
      'viewed-from forum': 1,
      'viewed-from other': 1,
    })
  })
})

test.each([
  ['/nowhere', 404, '<h1>not-found</h1>'],
  ['/robots.txt', 200, `${ownOrigin}/sitemap.xml`],
  ['/assets/page-0123.js', 200, 'export {}'],
  ['/assets/', 404, '<h1>not-found</h1>'],
  ['/assets/page-9999.js', 404, '<h1>not-found</h1>'],
  ['/assets/../build.json', 404, '<h1>not-found</h1>'],
  ['/assets/%2e%2e/build.json', 404, '<h1>not-found</h1>'],
  ['/build.json', 404, '<h1>not-found</h1>'],
  ['/kit/', 404, ''],
  ['/dev/inbox', 404, '<h1>not-found</h1>'],
  ['/healthz', 200, 'ok'],
  ['/readyz', 200, 'ready'],
])('%s is answered with %i', async (path, status, words) => {
  const app = await testApp()
  const answer = await app.inject(path)
  expect(answer.statusCode).toBe(status)
  expect(answer.body).toContain(words)
})

test('/favicon.ico is the icon', async () => {
  const app = await testApp()
  const answer = await app.inject('/favicon.ico')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
  expect(answer.rawPayload).toEqual((await app.inject('/icon-192.png')).rawPayload)
})

test('an asset is sent as the build compressed it, and may be kept for ever, since its name holds a hash', async () => {
  const app = await testApp()
  const answer = await fetch(`${app.url}/assets/page-0123.js`, {
    headers: { 'accept-encoding': 'br' },
  })
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(answer.headers.get('content-type')).toContain('javascript')
  expect(await answer.text()).toBe('export {}')
  const { headers } = await app.inject('/assets/page-0123.js')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const again = { url: '/assets/page-0123.js', headers: { 'if-none-match': String(headers.etag) } }
  expect((await app.inject(again)).statusCode).toBe(304)
})

describe('security headers', () => {
  test.each([
    ['/', "'sha256-style'"],
    ['/nowhere', "'sha256-style'"],
    ['/kit/unknown', "'sha256-style' 'sha256-kit'"],
    ['LINK', "'sha256-style' 'sha256-kit'"],
    ['FORM', "'sha256-style' 'sha256-kit'"],
  ])(
    'stand on the page %s: only what the build hashed runs, and nobody frames it',
    async (path, styles) => {
      const app = await testApp()
      const { headers } = await pageAt(app, path)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain(
        `default-src 'none'; script-src 'self' 'sha256-script'; style-src 'self' ${styles}; img-src`,
      )
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(policy).not.toContain('unsafe')
      expect(headers).toMatchObject({
        'strict-transport-security': 'max-age=63072000',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'referrer-policy': /kit|LINK/.test(path) ? 'no-referrer' : 'same-origin',
      })
    },
  )

  test.each([
    '/healthz',
    '/robots.txt',
    '/assets/page-0123.js',
    '/functions/v1/unknown',
    '/metrics?',
  ])('stand on %s, where nothing runs', async (path) => {
    const app = await testApp({ config: { metricsToken } })
    const { headers } = await app.inject({
      url: path,
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
  })

  test('name a functions endpoint elsewhere, and ask for https only where the site has it', async () => {
    const elsewhere = 'https://backend.example/functions/v1'
    const app = await testApp({
      config: { publicUrl: 'http://localhost:3000', functionsUrl: elsewhere },
    })
    const { headers } = await app.inject('/')
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' https://backend.example;",
    )
    expect(headers['strict-transport-security']).toBeUndefined()
  })
})

test('/readyz says that migrations are missing', async () => {
  const app = await testApp()
  await app.change(sql`delete from migrations`)
  const answer = await app.inject('/readyz')
  expect([answer.statusCode, answer.body]).toEqual([503, 'migrations are missing\n'])
})

test('the local inbox is shown on this machine, and not to whom a proxy passes on', async () => {
  const app = await testApp({
    parts: { openInbox: async () => createLocalInbox(temporaryFolder()) },
  })
  expect((await app.inject('/dev/inbox')).body).toContain('No mail yet')
  for (const headers of [{ 'x-forwarded-for': '192.0.2.1' }, { host: 'bot.example' }]) {
    expect((await app.inject({ url: '/dev/inbox', headers })).statusCode).toBe(404)
  }
  expect((await app.inject('/dev/inbox/1-a')).statusCode).toBe(404)
})

describe('/metrics', () => {
  test.each([
    ['without a token', {}, 404],
    ['with a wrong token', { authorization: 'Bearer wrong' }, 404],
    ['with the token', { authorization: `bearer ${metricsToken}` }, 200],
  ])('%s is answered with %s', async (_what, headers, status) => {
    const app = await testApp({ config: { metricsToken } })
    expect((await app.inject({ url: '/metrics', headers })).statusCode).toBe(status)
  })

  test('is not there unless METRICS_TOKEN is set', async () => {
    const app = await testApp()
    expect(
      (await app.inject({ url: '/metrics', headers: { authorization: 'Bearer ' } })).statusCode,
    ).toBe(404)
  })

  test('counts sign-ups, limits, mails and how long they took, and tells what waits', async () => {
    const app = await testApp({ config: { metricsToken, signUpsPerNetworkIn10Minutes: 2 } })
    app.mailer.answer((address) => (address.startsWith('later') ? relayAway : { kind: 'accepted' }))
    for (const email of ['ada@example.com', 'ada@example.com', 'bob@example.com', 'none']) {
      await app.signUp(email)
    }
    await queueMails(app.database, ['later@example.com'])
    app.context.wakeDeliveries()
    await expect.poll(() => metrics(app)).toContain('deliveries_total{outcome="postponed"} 1')
    app.clock.advance(6 * 60_000)
    const text = await metrics(app)
    for (const line of [
      'sign_ups_total{outcome="registered"} 1',
      'sign_ups_total{outcome="already-registered"} 1',
      'sign_ups_total{outcome="refused"} 1',
      'sign_ups_total{outcome="invalid"} 1',
      'limits_hit_total{limit="network"} 1',
      'deliveries_total{outcome="sent"} 1',
      'send_duration_seconds_bucket{le="+Inf"} 1',
      'send_duration_seconds_count 1',
      'deliveries_unsent 1',
      'mail_late_seconds 0',
    ]) {
      expect(text).toContain(`starter_bot_${line}\n`)
    }
    expect(text).toMatch(/^starter_bot_mail_stuck_seconds 3[56]\d/m)
    expect(text).toMatch(/^# TYPE starter_bot_send_duration_seconds histogram$/m)
    expect(text).not.toContain('@')
  })
})

async function pageAt(app: TestApp, path: string) {
  if (path === 'FORM') {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return app.inject({
      method: 'POST',
      url: '/functions/v1/send-starter-bot-email',
      headers,
      payload: 'email=a',
    })
  }
  if (path === 'LINK') await app.signUp('ada@example.com')
  const url = path === 'LINK' ? await linkOf(app, 'ada@example.com') : path
  return app.inject({ url, headers: { accept: 'text/html' } })
}

async function metrics(app: TestApp): Promise<string> {
  return (
    await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } })
  ).body
}
