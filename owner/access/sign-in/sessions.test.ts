import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { deskApp, deskBrowser, deskLink, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { deleteExpired } from './sessions.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const wrong = (triesLeft: number) => ({
  status: 401,
  message: expect.stringContaining(triesLeft === 0 ? 'used up' : `${triesLeft} tries left`),
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
  await own.signIn()
  const { audit } = await own.desk.you.show.query()
  expect(audit.map(({ action }) => action).slice(0, 2)).toEqual([
    'Signed in with a code',
    'Signed out everywhere',
  ])
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

function isSignedIn({ desk }: ReturnType<typeof deskBrowser>): Promise<boolean> {
  return desk.you.session.query().then(
    () => true,
    () => false,
  )
}
