import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporary } from '#rigs/mail/programmable-mailer.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { codesIn, deskApp, deskBrowser, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { deleteExpired } from './sessions.ts'
import { deskLine } from './start-link.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
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
  await browser.signIn()
  expect(await browser.desk.you.session.query()).toBeDefined()
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
  await deskBrowser(app).signIn()
})

test('a link from the command line signs in once', async () => {
  const app = await deskApp()
  const link = await deskLink(app)
  expect(link).toMatch(/^http:\/\/localhost:3000\/desk\/link#[\w-]{43}$/)
  const browser = deskBrowser(app)
  const secret = new URL(link).hash.slice(1)
  const calls = [1, 2].map(() => browser.desk.signIn.byLink.mutate(secret))
  expect(await outcomes(calls)).toEqual(['fulfilled', 'rejected'])
  const { audit } = await browser.desk.you.show.query()
  expect(audit).toMatchObject([{ action: 'Signed in with a link' }])
})

test('a link from the command line expires after 5 minutes', async () => {
  const app = await deskApp()
  const secret = new URL(await deskLink(app)).hash.slice(1)
  app.clock.advance(5 * minuteMs)
  expect(await refusalOf(deskBrowser(app).desk.signIn.byLink.mutate(secret))).toMatchObject({
    status: 401,
    message: 'This link was used, or is older than 5 minutes. Make another one.',
  })
})

test('desk-link without an owner says where the first link is', async () => {
  const app = await deskApp()
  const owner = ownerOf(app.databaseUrl)
  const aside = expect.stringContaining(
    'This site has no owner yet: open the link that the server prints when it starts.',
  )
  expect(await owner('desk-link')).toMatchObject({ code: 1, printed: '', aside })
  expect((await owner('desk-link', '--help')).printed).toContain(
    'Print a link that opens the desk, valid for 5 minutes',
  )
})

test.each([
  { settings: {}, origin: 'http://localhost:3200' },
  { settings: { PUBLIC_URL: 'https://bot.example' }, origin: 'https://bot.example' },
])(
  'a link from a command with the variables $settings begins with $origin, where the server runs',
  async ({ settings, origin }) => {
    const app = await deskApp({ config: { publicUrl: 'http://localhost:3200' } })
    await deskLine(app.context)
    const owner = ownerOf(app.databaseUrl, { OWNER_EMAIL: 'owner@example.org', ...settings })
    expect((await owner('desk-link')).printed).toContain(`${origin}/desk/link#`)
  },
)

test('a link from the command line proves who is there as of the moment it was made', async () => {
  const app = await deskApp()
  const link = new URL(await deskLink(app))
  app.clock.advance(4 * minuteMs)
  const { desk } = deskBrowser(app)
  await desk.signIn.byLink.mutate(link.hash.slice(1))
  app.clock.advance(10 * minuteMs)
  await desk.you.passkeyOptions.mutate()
  app.clock.advance(minuteMs)
  expect(await refusalOf(desk.you.passkeyOptions.mutate())).toMatchObject({ status: 403 })
})

test('what was made while the clock was ahead opens nothing once it is set back', async () => {
  const app = await deskApp()
  const days = 40 * 24 * hourMs
  app.clock.advance(days)
  const browser = await signedIn(app)
  const pending = deskBrowser(app)
  const code = await pending.askForCode()
  const link = new URL(await deskLink(app)).hash.slice(1)
  app.clock.advance(-days)
  await app.repairClocks()
  expect(await isSignedIn(browser)).toBe(false)
  expect(await refusalOf(pending.desk.signIn.byCode.mutate(code))).toMatchObject({ status: 401 })
  expect(await refusalOf(pending.desk.signIn.byLink.mutate(link))).toMatchObject({ status: 401 })
})

test('a session that was there before the clock was ahead ends, and no use of it then keeps it', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  app.clock.advance(11 * hourMs)
  expect(await isSignedIn(browser)).toBe(true)
  app.clock.advance(-10 * hourMs)
  await app.repairClocks()
  expect(await isSignedIn(browser)).toBe(false)
})

test('instances whose clocks differ by a minute know the sessions of each other', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  app.clock.advance(-minuteMs)
  await app.repairClocks()
  expect(await isSignedIn(browser)).toBe(true)
})

test('the use of a session is written once a minute', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const seenAt = async () => {
    await browser.desk.you.session.query()
    const row = await app.database.row<{ seen_at: number }>(sql`select seen_at from desk_sessions`)
    return row!.seen_at
  }
  const signedInAt = await seenAt()
  expect(await seenAt()).toBe(signedInAt)
  app.clock.advance(minuteMs + 1)
  expect(await seenAt()).toBeGreaterThan(signedInAt + minuteMs)
})

test('a session ends after 30 days, however much it is used', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  for (let hours = 0; hours < 30 * 24 - 11; hours += 11) {
    await browser.desk.you.session.query()
    app.clock.advance(11 * hourMs)
  }
  app.clock.advance(11 * hourMs)
  expect(await refusalOf(browser.desk.you.session.query())).toMatchObject({ status: 401 })
})

test('a session ends after 12 idle hours', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
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

test('You lists the browsers that are signed in, and which one is this', async () => {
  const app = await deskApp()
  await signedIn(app)
  app.clock.advance(1_000)
  const { desk } = await signedIn(app)
  const { browsers } = await desk.you.show.query()
  expect(browsers.map(({ isThis }) => isThis)).toEqual([true, false])
})

test.each([
  { variables: ['OWNER_EMAIL'], isOwnerFixed: true },
  { variables: ['MAIL_FROM'], isOwnerFixed: false },
])(
  'You names the owner, and tells if the environment sets the address: $isOwnerFixed',
  async ({ variables, isOwnerFixed }) => {
    const app = await deskApp({
      config: { source: Object.fromEntries(variables.map((name) => [name, 'smtp://127.0.0.1:9'])) },
    })
    const { desk } = await signedIn(app)
    const shown = await desk.you.show.query()
    expect(shown).toMatchObject({ ownerEmail: 'owner@example.org', isOwnerFixed })
  },
)

test('signing out ends this session alone, also for whoever copied its cookie', async () => {
  const app = await deskApp()
  const own = await signedIn(app)
  const other = await signedIn(app)
  const thief = deskBrowser(app, { cookies: new Map(own.cookies) })
  await own.desk.you.signOut.mutate()
  expect(await isSignedIn(own)).toBe(false)
  expect(await isSignedIn(thief)).toBe(false)
  expect(await isSignedIn(other)).toBe(true)
  const { audit } = await other.desk.you.show.query()
  expect(audit[0]).toMatchObject({ action: 'Signed out' })
})

test('signing out everywhere ends all sessions, and takes the cookie', async () => {
  const app = await deskApp()
  const own = await signedIn(app)
  const other = await signedIn(app)
  await own.desk.you.signOutEverywhere.mutate()
  expect(await isSignedIn(own)).toBe(false)
  expect(await isSignedIn(other)).toBe(false)
  expect(own.cookies.get('__Host-desk')).toBe('')
  expect(await app.database.rows(sql`select * from desk_sessions`)).toEqual([])
})

test('signing out everywhere ends pending codes and links', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const pending = deskBrowser(app)
  const code = await pending.askForCode()
  const link = new URL(await deskLink(app)).hash.slice(1)
  await browser.desk.you.signOutEverywhere.mutate()
  expect(await refusalOf(pending.desk.signIn.byCode.mutate(code))).toMatchObject(wrong(0))
  expect(await refusalOf(pending.desk.signIn.byLink.mutate(link))).toMatchObject({ status: 401 })
})

function isSignedIn({ desk }: ReturnType<typeof deskBrowser>): Promise<boolean> {
  return desk.you.session.query().then(
    () => true,
    () => false,
  )
}

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

test('cleaning drops what has ended', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  await browser.askForCode()
  app.clock.advance(13 * hourMs)
  await deleteExpired(app.database, app.clock.now())
  expect(await app.database.rows(sql`select * from desk_secrets`)).toEqual([])
  expect(await app.database.rows(sql`select * from desk_sessions`)).toHaveLength(1)
  const inAYear = app.clock.now() + 365 * 24 * hourMs
  await deleteExpired(app.database, inAYear)
  expect(await app.database.rows(sql`select * from desk_sessions`)).toEqual([])
})

test('cleaning keeps the sessions of a year, and the audit of three years', async () => {
  const app = await deskApp()
  await signedIn(app)
  const after = async (days: number) => {
    await deleteExpired(app.database, app.clock.now() + days * 24 * hourMs)
    const [sessions, audit] = await Promise.all([
      app.database.rows(sql`select * from desk_sessions`),
      app.database.rows(sql`select * from desk_audit`),
    ])
    return { sessions: sessions.length, audit: audit.length }
  }
  expect(await after(364)).toEqual({ sessions: 1, audit: 1 })
  expect(await after(366)).toEqual({ sessions: 0, audit: 1 })
  expect(await after(3 * 366 - 1)).toEqual({ sessions: 0, audit: 1 })
  expect(await after(3 * 366 + 1)).toEqual({ sessions: 0, audit: 0 })
})

/** As the command line prints it. */
async function deskLink(app: TestApp): Promise<string> {
  const settings = { OWNER_EMAIL: 'owner@example.org' }
  const owner = ownerOf(app.databaseUrl, settings, { now: app.clock.now })
  return (await owner('desk-link')).printed.trim()
}
