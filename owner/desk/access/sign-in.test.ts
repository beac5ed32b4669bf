import { expect, test } from 'vitest'
import { temporary } from '#rigs/mail/programmable-mailer.ts'
import { codesIn, deskApp, deskBrowser, signedIn } from '#rigs/owner/test-desk.ts'
import { ownerOf } from '#rigs/owner/owner-terminal.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const wrong = (triesLeft: number) => ({ error: { code: 'wrong-proof', triesLeft } })

test('a code of eight digits signs in the browser that asked for it, once', async () => {
  const app = await deskApp()
  const browser = deskBrowser(app)
  const code = await browser.askForCode()
  expect(code).toMatch(/^\d{4} \d{4}$/)
  const elsewhere = deskBrowser(app)
  await elsewhere.askForCode()
  expect(await elsewhere.call('POST sign-in/code', { code })).toMatchObject({ status: 401, body: wrong(4) })
  const other = deskBrowser(app)
  expect(await other.call('POST sign-in/code', { code })).toMatchObject({ status: 401, body: wrong(0) })
  const used = await browser.call('POST sign-in/code', { code })
  expect(used.status).toBe(200)
  expect(await browser.call('GET session', {})).toMatchObject({ status: 200, body: used.body })
  expect(await browser.call('POST sign-in/code', { code })).toMatchObject({ status: 401, body: wrong(0) })
})

test('the cookie is Secure, HttpOnly and of this host alone, and the table holds only its hash', async () => {
  const app = await deskApp()
  const { headers } = await deskBrowser(app).signIn()
  const [, secret = ''] =
    /^__Host-desk=([\w-]{43}); Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/.exec(
      headers.get('set-cookie') ?? '',
    ) ?? []
  expect(secret).not.toBe('')
  const rows = await app.database.query.selectFrom('desk_sessions').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('on http://localhost the cookie has a plain name, because browsers refuse the other there', async () => {
  const app = await deskApp({ config: { publicUrl: 'http://localhost:3000' } })
  const headers = { origin: 'http://localhost:3000' }
  const asked = await deskBrowser(app).call('POST sign-in/mail-code', {}, { headers })
  expect(asked.headers.get('set-cookie')).toMatch(
    /^desk-code=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/,
  )
})

test('after five wrong tries a code is used up, also if they are concurrent', async () => {
  const app = await deskApp()
  const browser = deskBrowser(app)
  const code = await browser.askForCode()
  const guesses = Array.from({ length: 8 }, (_, index) => String(index).padStart(8, '0'))
  const answers = await Promise.all(
    guesses.map((guess) => browser.call('POST sign-in/code', { code: guess })),
  )
  expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 401))
  expect(await browser.call('POST sign-in/code', { code })).toMatchObject({ status: 401, body: wrong(0) })
})

test('of concurrent equal codes one signs in', async () => {
  const browser = deskBrowser(await deskApp())
  const code = await browser.askForCode()
  const answers = await Promise.all([1, 2, 3].map(() => browser.call('POST sign-in/code', { code })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
})

test('a code expires after ten minutes', async () => {
  const app = await deskApp()
  const browser = deskBrowser(app)
  const code = await browser.askForCode()
  app.clock.advance(10 * minuteMs)
  expect(await browser.call('POST sign-in/code', { code })).toMatchObject({ status: 401, body: wrong(0) })
})

test('asking for a code answers the same above the limits and without mail, and mails 5 an hour', async () => {
  const app = await deskApp()
  const answers = []
  for (let asked = 0; asked < 7; asked += 1)
    answers.push(await deskBrowser(app).call('POST sign-in/mail-code', {}))
  app.mailer.answer(() => temporary)
  app.clock.advance(hourMs)
  answers.push(await deskBrowser(app).call('POST sign-in/mail-code', {}))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => body.endsAt - body.nextAt))).toEqual(new Set([9 * minuteMs]))
  expect(answers.every(({ headers }) => headers.get('set-cookie')?.startsWith('__Host-desk-code='))).toBe(
    true,
  )
  expect(codesIn(app)).toHaveLength(6)
})

test('many networks together get 20 codes an hour, so that guessing comes to nothing', async () => {
  const app = await deskApp({ config: { trustedProxies: 1 } })
  for (let network = 0; network < 30; network += 1) {
    const headers = { 'x-forwarded-for': `203.0.113.${network}` }
    await deskBrowser(app).call('POST sign-in/mail-code', {}, { headers })
  }
  expect(codesIn(app)).toHaveLength(20)
})

test('the code goes out while mail to subscribers waits behind the ceiling of the site', async () => {
  const app = await deskApp({ config: { siteMailsPerHour: 1 } })
  for (const name of ['ada', 'ben', 'cyd']) await app.signUp(`${name}@example.com`)
  expect((await deskBrowser(app).signIn()).status).toBe(200)
})

test('a link from the command line signs in once and within 5 minutes, and fetching it spends nothing', async () => {
  const app = await deskApp()
  const owner = ownerOf(app.databaseUrl, { OWNER_EMAIL: 'owner@example.org' }, { now: app.clock.now })
  const makeLink = async () => (await owner('desk-link')).printed.trim()
  const link = await makeLink()
  expect(link).toMatch(/^http:\/\/localhost:3000\/desk\/link#[\w-]{43}$/)
  const { pathname, hash } = new URL(link)
  for (const method of ['HEAD', 'GET']) await fetch(app.url + pathname, { method })
  const browser = deskBrowser(app)
  const token = hash.slice(1)
  const answers = await Promise.all([1, 2].map(() => browser.call('POST sign-in/link', { token })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  expect((await browser.call('GET session', {})).status).toBe(200)
  const late = new URL(await makeLink()).hash.slice(1)
  app.clock.advance(5 * minuteMs)
  expect((await deskBrowser(app).call('POST sign-in/link', { token: late })).status).toBe(401)
})

test('desk-link without OWNER_EMAIL says that there is no desk', async () => {
  const app = await deskApp()
  expect(await ownerOf(app.databaseUrl)('desk-link')).toMatchObject({ code: 1, printed: '' })
})

test('a session ends after 12 idle hours, and after 30 days in any case', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const status = async () => (await browser.call('GET session', {})).status
  for (let hours = 0; hours < 30 * 24 - 11; hours += 11) {
    expect(await status()).toBe(200)
    app.clock.advance(11 * hourMs)
  }
  app.clock.advance(11 * hourMs)
  expect(await status()).toBe(401)
  await browser.signIn()
  app.clock.advance(12 * hourMs)
  expect(await status()).toBe(401)
})

test('signing in again makes a new cookie and ends the old one', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const before = browser.cookies.get('__Host-desk')
  await browser.signIn()
  const thief = deskBrowser(app)
  thief.cookies.set('__Host-desk', before!)
  expect((await thief.call('GET session', {})).status).toBe(401)
})

test('signing out ends this session, and signing out everywhere ends all of them', async () => {
  const app = await deskApp()
  const browsers = [await signedIn(app), await signedIn(app), await signedIn(app)] as const
  const statuses = () => Promise.all(browsers.map(async (one) => (await one.call('GET session', {})).status))
  const { body } = await browsers[1].call(
    'GET you',
    {},
    { headers: { 'user-agent': 'X11; Linux Firefox/140' } },
  )
  expect(body.browsers.filter(({ isThis }) => isThis)).toHaveLength(1)
  expect(body.browsers).toHaveLength(3)
  await browsers[0].call('POST session/sign-out', {})
  expect(await statuses()).toEqual([401, 200, 200])
  await browsers[1].call('POST session/sign-out-everywhere', {})
  expect(await statuses()).toEqual([401, 401, 401])
})

test('the audit has a row for each act, without addresses', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  await browser.call('POST session/sign-out', {})
  await browser.signIn()
  const { body } = await browser.call('GET audit', {})
  expect(body.acts.map(({ act }) => act)).toEqual(['signed-in-by-code', 'signed-out', 'signed-in-by-code'])
  expect(JSON.stringify(body)).not.toContain('@')
})

test('another OWNER_EMAIL ends every session and removes every passkey', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const passkey = { id: 'a', public_key: 'b', counter: 0, name: 'c', made_at: 0, used_at: null }
  await app.database.query.insertInto('desk_passkeys').values(passkey).execute()
  const same = await deskApp({ databaseUrl: app.databaseUrl })
  expect((await browser.at(same).call('GET you', {})).body.passkeys).toHaveLength(1)
  const other = await deskApp({ databaseUrl: app.databaseUrl, config: { ownerEmail: 'new@example.org' } })
  expect((await browser.at(other).call('GET you', {})).status).toBe(401)
  expect((await deskBrowser(other).call('GET sign-in', {})).body.hasPasskeys).toBe(false)
})

test('maintenance drops what has ended', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  await browser.askForCode()
  app.clock.advance(13 * hourMs)
  const { dropEndedSecrets } = await import('./secrets.ts')
  const { dropEndedSessions } = await import('./sessions.ts')
  await dropEndedSecrets(app.database.query, app.clock.now())
  await dropEndedSessions(app.database.query, app.clock.now())
  for (const table of ['desk_secrets', 'desk_sessions'] as const)
    expect(await app.database.query.selectFrom(table).selectAll().execute()).toEqual([])
})
