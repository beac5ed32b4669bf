import { createClient } from '@supabase/supabase-js'
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countRows, deliveryStates } from '#rigs/server/rows.ts'
import { anonKey, functionPath, ownOrigin, type TestApp, testApp } from '#rigs/server/test-app.ts'

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

  test('that is the real supabase-js client gets the answers to a new, a repeated, an invalid and a strange sign-up', async () => {
    const app = await testApp()
    const invoke = (email: string, key = anonKey) =>
      createClient(app.url, key).functions.invoke('send-starter-bot-email', { body: { email } })
    for (const alreadyExists of [false, true]) {
      expect(await invoke('ada@example.com')).toMatchObject({
        data: { success: true, alreadyExists },
        error: null,
      })
    }
    const refused = [await invoke('nobody'), await invoke('bob@example.com', 'wrong-key')]
    expect(refused).toMatchObject([
      { data: null, error: { context: { status: 400 } } },
      { data: null, error: { context: { status: 401 } } },
    ])
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

function postForm(app: TestApp, body: string, headers: Record<string, string>): Promise<Response> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(app.url + functionPath, { method: 'POST', headers: { ...type, ...headers }, body })
}
