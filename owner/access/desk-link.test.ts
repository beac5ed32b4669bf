import { expect, test } from 'vitest'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { deskApp, deskBrowser, deskLink, refusalOf } from '#rigs/owner/test-desk.ts'
import { deskLine } from './sign-in/start-link.ts'

const minuteMs = 60_000
const outcomes = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map(({ status }) => status).toSorted()

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
