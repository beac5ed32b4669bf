import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporary } from '#rigs/mail/programmable-mailer.ts'
import {
  codesIn,
  deskApp,
  deskBrowser,
  deskLink,
  refusalOf,
  signedIn,
} from '#rigs/owner/test-desk.ts'
import { deliveryStates } from '#rigs/server/rows.ts'
import type { TestApp } from '#rigs/server/test-app.ts'

const minuteMs = 60_000
const wrong = (triesLeft: number) => ({
  status: 401,
  message: expect.stringContaining(triesLeft === 0 ? 'used up' : `${triesLeft} tries left`),
})
const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map(({ status }) => status).toSorted()

test('a code of eight digits signs in the browser that asked for it, once', async () => {
  const browser = deskBrowser(await deskApp())
  const code = await browser.askForCode()
  expect(code).toMatch(/^\d{4} \d{4}$/)
  await browser.desk.signIn.byCode.mutate(code)
  expect(await isSignedIn(browser)).toBe(true)
  expect(await refusalOf(browser.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(0))
})

test('a code signs in no other browser, whether that asked for one or not', async () => {
  const app = await deskApp()
  const code = await deskBrowser(app).askForCode()
  const other = deskBrowser(app)
  expect(await refusalOf(other.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(0))
  await other.askForCode()
  expect(await refusalOf(other.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(4))
})

test('the log tells that a code was mailed, and that a wrong one was typed', async () => {
  const app = await deskApp()
  const browser = deskBrowser(app)
  const code = await browser.askForCode()
  await refusalOf(browser.desk.signIn.byCode.mutate(code === '0000 0000' ? '1' : '0000 0000'))
  await expect.poll(app.log).toContain('"event":"code for the desk mailed"')
  expect(app.log()).toMatch(/"event":"wrong code at the desk","triesLeft":4/)
})

test('the cookie is Secure, HttpOnly and of this host alone, and the table holds only its hash', async () => {
  const app = await deskApp()
  const browser = deskBrowser(app)
  await browser.signIn()
  const [, secret = ''] =
    /__Host-desk=([\w-]{43}); Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Strict/.exec(
      browser.setCookies().join('\n'),
    ) ?? []
  expect(secret).not.toBe('')
  expect(JSON.stringify(await app.database.rows(sql`select * from desk_sessions`))).not.toContain(
    secret,
  )
})

test.each([
  {
    publicUrl: 'http://localhost:3000',
    expected: /^desk-code=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/,
  },
  { publicUrl: 'http://bot.example', expected: /^__Host-desk-code=/ }, // browsers refuse it without https
])(
  'at $publicUrl the cookie has the name that browsers take from localhost alone',
  async ({ publicUrl, expected }) => {
    const app = await deskApp({ config: { publicUrl } })
    const browser = deskBrowser(app, { headers: { origin: publicUrl } })
    await browser.desk.signIn.mailCode.mutate()
    expect(browser.setCookies()[0]).toMatch(expected)
  },
)

test('after five wrong tries a code is used up, also if they are concurrent', async () => {
  const browser = deskBrowser(await deskApp())
  const code = await browser.askForCode()
  const guesses = Array.from({ length: 8 }, (_, index) =>
    browser.desk.signIn.byCode.mutate(`1234567${index}`),
  )
  expect(new Set(await outcomes(guesses))).toEqual(new Set(['rejected']))
  expect(await refusalOf(browser.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(0))
})

test('of concurrent equal codes one signs in', async () => {
  const browser = deskBrowser(await deskApp())
  const code = await browser.askForCode()
  const calls = [1, 2, 3].map(() => browser.desk.signIn.byCode.mutate(code))
  expect(await outcomes(calls)).toEqual(['fulfilled', 'rejected', 'rejected'])
})

test('a code expires after ten minutes', async () => {
  const app = await deskApp()
  const browser = deskBrowser(app)
  const code = await browser.askForCode()
  app.clock.advance(10 * minuteMs)
  expect(await refusalOf(browser.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(0))
})

test('a network gets 5 codes an hour, and above that the same answer', async () => {
  const app = await deskApp()
  const spans = new Set<number>()
  for (let asked = 0; asked < 7; asked += 1) {
    const { endsAt, nextAt } = await deskBrowser(app).desk.signIn.mailCode.mutate()
    spans.add(endsAt - nextAt)
  }
  expect(spans).toEqual(new Set([9 * minuteMs]))
  expect(codesIn(app)).toHaveLength(5)
})

test('asking for a code answers the same while mail does not go out, and the log tells why', async () => {
  const app = await deskApp()
  app.mailer.answer(() => temporary)
  const { endsAt, nextAt } = await deskBrowser(app).desk.signIn.mailCode.mutate()
  expect(endsAt - nextAt).toBe(9 * minuteMs)
  await expect.poll(app.log).toMatch(/"event":"code for the desk not mailed","why":"451"/)
})

test('one /48 of IPv6 counts as one network', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  for (let line = 0; line < 10; line += 1) await askFrom(app, `2001:db8:1:${line}::1`)
  expect(codesIn(app)).toHaveLength(5)
})

test('all networks together get 20 codes an hour', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  for (let network = 0; network < 30; network += 1) await askFrom(app, `203.0.113.${network}`)
  expect(codesIn(app)).toHaveLength(20)
})

test('a network above its limit does not use up the codes of the others', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  for (let asked = 0; asked < 40; asked += 1) await askFrom(app, '203.0.113.1')
  await askFrom(app, '198.51.100.1')
  expect(codesIn(app)).toHaveLength(6)
})

function askFrom(app: TestApp, address: string): Promise<unknown> {
  const { desk } = deskBrowser(app, { headers: { 'x-forwarded-for': address } })
  return desk.signIn.mailCode.mutate()
}

test('a browser that was signed in before gets a code while strangers have used up all of them', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  const browser = await signedIn(app)
  await browser.desk.you.signOut.mutate()
  for (let network = 0; network < 30; network += 1) await askFrom(app, `203.0.113.${network}`)
  const codes = codesIn(app).length
  await askFrom(app, '198.51.100.1')
  expect(codesIn(app)).toHaveLength(codes)
  await browser.signIn()
  expect(await isSignedIn(browser)).toBe(true)
})

test('tries of strangers write nothing, and asking for codes a bounded number of rows, from however many networks', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  const rows = () =>
    app.database.rows(sql`
      select name from limits where name like 'desk%' union all select hash from desk_secrets`)
  for (let network = 0; network < 50; network += 1) {
    const { desk } = deskBrowser(app, { headers: { 'x-forwarded-for': `203.0.113.${network}` } })
    expect(await refusalOf(desk.signIn.byCode.mutate('12345678'))).toMatchObject({ status: 401 })
  }
  expect(await rows()).toEqual([])
  for (let network = 0; network < 50; network += 1) await askFrom(app, `203.0.113.${network}`)
  expect(await rows()).toHaveLength(20 + 1 + 20) // networks, all together, codes
})

test('however often strangers of the same network try, a code and a link still sign in', async () => {
  const app = await deskApp()
  const browser = deskBrowser(app)
  const stranger = deskBrowser(app).desk
  for (let tries = 0; tries < 70; tries += 1) {
    expect(await refusalOf(stranger.signIn.byCode.mutate('1'))).toMatchObject({ status: 401 })
    expect(await refusalOf(stranger.signIn.byLink.mutate('no'))).toMatchObject({ status: 401 })
  }
  await browser.signIn()
  expect(await browser.desk.you.session.query()).toBeDefined()
  const link = new URL(await deskLink(app))
  await stranger.signIn.byLink.mutate(link.hash.slice(1))
  expect(await stranger.you.session.query()).toBeDefined()
})

test('without a mail service no code is promised, and none is stored', async () => {
  const app = await deskApp({ config: { smtpUrl: undefined } })
  const { desk } = deskBrowser(app)
  expect(await desk.signIn.show.query()).toMatchObject({ codeGoesTo: 'nowhere' })
  expect(await refusalOf(desk.signIn.mailCode.mutate())).toMatchObject({
    status: 412,
    message: expect.stringContaining('no mail service is set up'),
  })
  expect(await app.database.rows(sql`select * from desk_secrets`)).toEqual([])
})

test.each([
  { hasLocalInbox: true, way: 'local-inbox' },
  { hasLocalInbox: false, way: 'mail' },
])('before a code is asked for, the desk knows its way: $way', async ({ hasLocalInbox, way }) => {
  const app = await deskApp({ config: { hasLocalInbox } })
  expect(await deskBrowser(app).desk.signIn.show.query()).toMatchObject({ codeGoesTo: way })
})

test('the code goes out while mail to subscribers waits behind the ceiling of the site', async () => {
  const app = await deskApp({ config: { siteMailsPerHour: 1 } })
  for (const name of ['ada', 'ben', 'cyd']) await app.signUp(`${name}@example.com`)
  await expect.poll(() => deliveryStates(app.database)).toEqual(['sent', 'queued', 'queued'])
  const browser = deskBrowser(app)
  await browser.signIn()
  expect(await isSignedIn(browser)).toBe(true)
})

function isSignedIn({ desk }: ReturnType<typeof deskBrowser>): Promise<boolean> {
  return desk.you.session.query().then(
    () => true,
    () => false,
  )
}
