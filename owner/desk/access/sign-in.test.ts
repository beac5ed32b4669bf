import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporary } from '#rigs/mail/programmable-mailer.ts'
import { ownerOf } from '#rigs/owner/owner-terminal.ts'
import { codesIn, deskApp, deskBrowser, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { deleteExpired } from './sessions.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const wrong = (triesLeft: number) => ({
  status: 401,
  message: expect.stringContaining(triesLeft === 0 ? 'used up' : `${triesLeft} tries left`),
})
const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map(({ status }) => status).toSorted()

test('a code of eight digits signs in the browser that asked for it, once', async () => {
  const app = await deskApp()
  const browser = deskBrowser(app)
  const code = await browser.askForCode()
  expect(code).toMatch(/^\d{4} \d{4}$/)
  const elsewhere = deskBrowser(app)
  await elsewhere.askForCode()
  expect(await refusalOf(elsewhere.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(4))
  expect(await refusalOf(deskBrowser(app).desk.signIn.byCode.mutate(code))).toMatchObject(wrong(0))
  await browser.desk.signIn.byCode.mutate(code)
  expect(await browser.desk.you.session.query()).toBeDefined()
  expect(await refusalOf(browser.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(0))
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
  ['http://localhost:3000', /^desk-code=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/],
  ['http://bot.example', /^__Host-desk-code=/], // which browsers refuse without https
])(
  'at %s the cookie has the name that browsers take from localhost alone',
  async (publicUrl, expected) => {
    const app = await deskApp({ config: { publicUrl } })
    const browser = deskBrowser(app, { headers: { origin: publicUrl } })
    await browser.desk.signIn.mailCode.mutate()
    expect(browser.setCookies()[0]).toMatch(expected)
  },
)

test.each([
  [
    'Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/149.0 Safari/537.36 Edg/149.0',
  ],
  ['Chrome on Linux', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/149.0 Safari/537.36'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:149.0) Gecko/149.0 Firefox/149.0'],
  [
    'Safari on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1',
  ],
  ['Safari on macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1'],
  ['A browser', 'curl/8.0'],
])('a session is named for %s', async (name, agent) => {
  const browser = deskBrowser(await deskApp(), { headers: { 'user-agent': agent } })
  await browser.signIn()
  expect(await browser.desk.you.session.query()).toBe(name)
})

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

test('asking for a code answers the same above the limits and without mail, and mails 5 an hour to a network', async () => {
  const app = await deskApp()
  const ask = () => deskBrowser(app).desk.signIn.mailCode.mutate()
  const answers = []
  for (let asked = 0; asked < 7; asked += 1) answers.push(await ask())
  app.mailer.answer(() => temporary)
  app.clock.advance(hourMs)
  answers.push(await ask())
  expect(new Set(answers.map(({ endsAt, nextAt }) => endsAt - nextAt))).toEqual(
    new Set([9 * minuteMs]),
  )
  expect(codesIn(app)).toHaveLength(6)
  await expect.poll(app.log).toMatch(/"event":"code for the desk not mailed","why":"451"/)
})

test('one /48 of IPv6 counts as one network, and all networks together get 20 codes an hour', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  const ask = (address: string) =>
    deskBrowser(app, { headers: { 'x-forwarded-for': address } }).desk.signIn.mailCode.mutate()
  for (let line = 0; line < 10; line += 1) await ask(`2001:db8:1:${line}::1`)
  expect(codesIn(app)).toHaveLength(5)
  for (let network = 0; network < 30; network += 1) await ask(`203.0.113.${network}`)
  expect(codesIn(app)).toHaveLength(20)
})

test('a browser that was signed in before gets a code while strangers have used up all of them', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  const browser = await signedIn(app)
  await browser.desk.you.signOut.mutate()
  for (let network = 0; network < 30; network += 1) {
    await deskBrowser(app, {
      headers: { 'x-forwarded-for': `203.0.113.${network}` },
    }).desk.signIn.mailCode.mutate()
  }
  await browser.signIn()
  expect(await browser.desk.you.session.query()).toBeDefined()
})

test('strangers may try a code 60 times an hour, and a browser that was signed in before still may', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  const known = await signedIn(app)
  const call = (address: string) => {
    const { desk } = deskBrowser(app, { headers: { 'x-forwarded-for': address } })
    return refusalOf(desk.signIn.byCode.mutate('12345678'))
  }
  for (let calls = 0; calls < 60; calls += 1) {
    expect(await call('203.0.113.1')).toMatchObject({ status: 401 })
  }
  const message = 'Too many tries from this network. Try again in an hour.'
  expect(await call('203.0.113.1')).toMatchObject({ status: 429, message })
  expect(await call('198.51.100.1')).toMatchObject({ status: 401 })
  await known.signIn()
})

test('a network whose tries are used up still signs in by a link', async () => {
  const app = await deskApp()
  const owner = ownerOf(
    app.databaseUrl,
    { OWNER_EMAIL: 'owner@example.org' },
    { now: app.clock.now },
  )
  const { desk } = deskBrowser(app)
  for (let tries = 0; tries < 60; tries += 1) {
    await refusalOf(desk.signIn.byCode.mutate('12345678'))
  }
  expect(await refusalOf(desk.signIn.mailCode.mutate())).toMatchObject({ status: 429 })
  for (let tries = 0; tries < 70; tries += 1) {
    const wrongLink = desk.signIn.byLink.mutate('no link')
    expect(await refusalOf(wrongLink)).toMatchObject({ status: 401 })
  }
  const link = new URL((await owner('desk-link')).printed.trim())
  await desk.signIn.byLink.mutate(link.hash.slice(1))
  expect(await desk.you.session.query()).toBeDefined()
})

test('without a mail service no code is promised, and none is stored', async () => {
  const app = await deskApp({ config: { hasLocalInbox: true, production: true } })
  const { desk } = deskBrowser(app)
  expect(await desk.signIn.codeGoesTo.query()).toBe('nowhere')
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
  expect(await deskBrowser(app).desk.signIn.codeGoesTo.query()).toBe(way)
})

test('the code goes out while mail to subscribers waits behind the ceiling of the site', async () => {
  const app = await deskApp({ config: { siteMailsPerHour: 1 } })
  for (const name of ['ada', 'ben', 'cyd']) await app.signUp(`${name}@example.com`)
  await deskBrowser(app).signIn()
})

test('a link from the command line signs in once and within 5 minutes, and fetching it spends nothing', async () => {
  const app = await deskApp()
  const owner = ownerOf(
    app.databaseUrl,
    { OWNER_EMAIL: 'owner@example.org' },
    { now: app.clock.now },
  )
  const makeLink = async () => (await owner('desk-link')).printed.trim()
  const link = await makeLink()
  expect(link).toMatch(/^http:\/\/localhost:3000\/desk\/link#[\w-]{43}$/)
  const { pathname, hash } = new URL(link)
  for (const method of ['HEAD', 'GET']) {
    expect((await fetch(app.url + pathname, { method })).status).toBe(200)
  }
  const browser = deskBrowser(app)
  const calls = [1, 2].map(() => browser.desk.signIn.byLink.mutate(hash.slice(1)))
  expect(await outcomes(calls)).toEqual(['fulfilled', 'rejected'])
  expect((await browser.desk.you.show.query()).audit).toMatchObject([
    { action: 'Signed in by a link' },
  ])
  const late = new URL(await makeLink()).hash.slice(1)
  app.clock.advance(5 * minuteMs)
  expect(await refusalOf(deskBrowser(app).desk.signIn.byLink.mutate(late))).toMatchObject({
    status: 401,
    message: 'This link was used, or is older than 5 minutes. Make another one.',
  })
})

test('desk-link without OWNER_EMAIL says that there is no desk', async () => {
  const app = await deskApp()
  const owner = ownerOf(app.databaseUrl)
  const aside = expect.stringContaining('There is no desk: set OWNER_EMAIL first.')
  expect(await owner('desk-link')).toMatchObject({ code: 1, printed: '', aside })
  expect((await owner('desk-link', '--help')).printed).toContain(
    'Print a link that opens the desk, for 5 minutes',
  )
})

test('a session ends after 12 idle hours, and after 30 days in any case', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  for (let hours = 0; hours < 30 * 24 - 11; hours += 11) {
    await browser.desk.you.session.query()
    app.clock.advance(11 * hourMs)
  }
  app.clock.advance(11 * hourMs)
  expect(await refusalOf(browser.desk.you.session.query())).toMatchObject({ status: 401 })
  await browser.signIn()
  app.clock.advance(12 * hourMs)
  expect(await refusalOf(browser.desk.you.session.query())).toMatchObject({ status: 401 })
})

test('signing in again makes a new cookie and ends the old one', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const cookies = new Map(browser.cookies)
  await browser.signIn()
  expect(await app.database.rows(sql`select 1 from desk_sessions`)).toHaveLength(1)
  const thief = deskBrowser(app, { cookies })
  expect(await refusalOf(thief.desk.you.session.query())).toMatchObject({ status: 401 })
})

test('signing out ends this session; signing out everywhere ends all, and pending codes and links', async () => {
  const app = await deskApp()
  const [one, two, three] = [await signedIn(app), await signedIn(app), await signedIn(app)]
  const isIn = ({ desk }: typeof one) =>
    desk.you.session.query().then(
      () => true,
      () => false,
    )
  expect((await two.desk.you.show.query()).browsers.map(({ isThis }) => isThis)).toEqual([
    false,
    true,
    false,
  ])
  const thief = deskBrowser(app, { cookies: new Map(one.cookies) })
  await one.desk.you.signOut.mutate()
  expect([await isIn(one), await isIn(thief), await isIn(two), await isIn(three)]).toEqual([
    false,
    false,
    true,
    true,
  ])
  const { audit } = await two.desk.you.show.query()
  expect(audit.map(({ action }) => action)).toEqual([
    'Signed out',
    ...Array(3).fill('Signed in by a code'),
  ])
  const pending = deskBrowser(app)
  const code = await pending.askForCode()
  const owner = ownerOf(
    app.databaseUrl,
    { OWNER_EMAIL: 'owner@example.org' },
    { now: app.clock.now },
  )
  const link = new URL((await owner('desk-link')).printed.trim()).hash.slice(1)
  await two.desk.you.signOutEverywhere.mutate()
  expect([await isIn(two), await isIn(three)]).toEqual([false, false])
  expect(two.cookies.get('__Host-desk')).toBe('')
  expect(await app.database.rows(sql`select * from desk_sessions`)).toEqual([])
  expect(await refusalOf(pending.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(0))
  expect(await refusalOf(pending.desk.signIn.byLink.mutate(link))).toMatchObject({ status: 401 })
})

test('one browser is signed out from another, and is a stranger then', async () => {
  const app = await deskApp()
  const own = await signedIn(app)
  const lost = await signedIn(app)
  const { browsers } = await own.desk.you.show.query()
  const other = browsers.find(({ isThis }) => !isThis)!
  await own.desk.you.signOutBrowser.mutate(other.hash)
  expect(await refusalOf(lost.desk.you.session.query())).toMatchObject({ status: 401 })
  expect(await app.database.rows(sql`select 1 from desk_sessions`)).toHaveLength(1)
  expect((await own.desk.you.show.query()).audit[0]).toMatchObject({
    action: 'Signed out another browser',
    about: '',
  })
})

test('another OWNER_EMAIL ends every session and removes every passkey', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  await app.database.transaction((transaction) =>
    transaction.run(sql`insert into desk_passkeys values ('a', 'b', 0, 'c', 0, null)`),
  )
  const same = await deskApp({ databaseUrl: app.databaseUrl })
  expect((await browser.at(same).desk.you.show.query()).passkeys).toHaveLength(1)
  const other = await deskApp({
    databaseUrl: app.databaseUrl,
    config: { ownerEmail: 'new@example.org' },
  })
  expect(await refusalOf(browser.at(other).desk.you.session.query())).toMatchObject({ status: 401 })
  expect(await app.database.rows(sql`select * from desk_passkeys`)).toEqual([])
})

test('cleaning drops what has ended, but no session or audit in the first hour of a process', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  await browser.askForCode()
  app.clock.advance(13 * hourMs)
  await deleteExpired(app.database, app.clock.now())
  expect(await app.database.rows(sql`select * from desk_secrets`)).toEqual([])
  expect(await app.database.rows(sql`select * from desk_sessions`)).toHaveLength(1)
  const inAYear = app.clock.now() + 365 * 24 * hourMs
  await deleteExpired(app.database, inAYear, hourMs - 1)
  expect(await app.database.rows(sql`select * from desk_sessions`)).toHaveLength(1)
  await deleteExpired(app.database, inAYear, hourMs)
  expect(await app.database.rows(sql`select * from desk_sessions`)).toEqual([])
})
