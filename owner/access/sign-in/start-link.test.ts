import { describe, expect, test } from 'vitest'
import { writeSetting } from '#server/database/settings.ts'
import { deskApp, deskBrowser, refusalOf } from '#rigs/owner/test-desk.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { hashOf } from './secrets.ts'
import { startSetting } from './sessions.ts'
import { deskLine } from './start-link.ts'

const noOwner = { ownerEmail: undefined }
const email = 'mara@turnbot.example'

test('without an owner the line of the desk has a link that makes its holder the owner, and signs in', async () => {
  const app = await deskApp({ config: noOwner })
  const line = await deskLine(app.context)
  expect(line).toMatch(
    /^Desk {4}https:\/\/bot\.example\/desk\/start#[\w-]{43} {2}opens once, for you$/,
  )
  const { desk } = deskBrowser(app)
  await desk.signIn.byStartLink.mutate({ secret: secretIn(line), email })
  expect(await desk.you.show.query()).toMatchObject({
    ownerEmail: email,
    audit: [{ action: 'Became owner with the first link' }],
  })
  expect(await deskLine(app.context)).toBe('Desk    https://bot.example/desk')
})

test('a used, an unknown or an older link is refused in words that say how to get another', async () => {
  const app = await deskApp({ config: noOwner })
  const older = secretIn(await deskLine(app.context))
  const newest = secretIn(await deskLine(app.context))
  const { desk } = deskBrowser(app)
  const refused = {
    status: 404,
    message:
      'This link was used, or is not the newest one. Start the server again: it prints a new one.',
  }
  for (const secret of ['', 'nonsense', older]) {
    expect(await refusalOf(desk.signIn.byStartLink.mutate({ secret, email }))).toEqual(refused)
  }
  await desk.signIn.byStartLink.mutate({ secret: newest, email })
  const second = deskBrowser(app).desk.signIn.byStartLink.mutate({ secret: newest, email })
  expect(await refusalOf(second)).toEqual(refused)
})

test('once OWNER_EMAIL is set, the link of an older log is refused, and a start deletes it', async () => {
  const before = await deskApp({ config: noOwner })
  const secret = secretIn(await deskLine(before.context))
  const after = await deskApp({ databaseUrl: before.databaseUrl })
  const taking = deskBrowser(after).desk.signIn.byStartLink.mutate({ secret, email })
  expect(await refusalOf(taking)).toMatchObject({ status: 404 })
  await deskLine(after.context)
  const again = await deskApp({ config: noOwner, databaseUrl: before.databaseUrl })
  const later = deskBrowser(again).desk.signIn.byStartLink.mutate({ secret, email })
  expect(await refusalOf(later)).toMatchObject({ status: 404 })
})

test('with an owner an unspent link of the database is refused', async () => {
  const app = await deskApp({ config: noOwner })
  const taken = secretIn(await deskLine(app.context))
  await deskBrowser(app).desk.signIn.byStartLink.mutate({ secret: taken, email })
  await app.database.transaction((transaction) =>
    writeSetting(transaction, startSetting, hashOf('of a backup')),
  )
  const { desk } = deskBrowser(app)
  const taking = desk.signIn.byStartLink.mutate({ secret: 'of a backup', email })
  expect(await refusalOf(taking)).toMatchObject({ status: 404 })
})

test('of many that use the link at the same moment one becomes the owner', async () => {
  const app = await deskApp({ config: noOwner })
  const secret = secretIn(await deskLine(app.context))
  const tries = Array.from({ length: 8 }, (_, index) =>
    deskBrowser(app).desk.signIn.byStartLink.mutate({ secret, email: `m${index}@turnbot.example` }),
  )
  const settled = await Promise.allSettled(tries)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('the newest link is valid on every instance, and all know the owner then', async () => {
  const first = await deskApp({ config: noOwner })
  const second = await deskApp({ config: noOwner, databaseUrl: first.databaseUrl })
  const secret = secretIn(await deskLine(first.context))
  const browser = deskBrowser(second)
  await browser.desk.signIn.byStartLink.mutate({ secret, email })
  await expect.poll(() => first.context.config.ownerEmail).toBe(email)
  expect((await browser.at(first).desk.you.show.query()).ownerEmail).toBe(email)
})

test('an address that is none is told at its field, and the link stays', async () => {
  const app = await deskApp({ config: noOwner })
  const secret = secretIn(await deskLine(app.context))
  const { desk } = deskBrowser(app)
  expect(await refusalOf(desk.signIn.byStartLink.mutate({ secret, email: 'mara' }))).toEqual({
    status: 409,
    field: 'email',
    message: 'This is not an address.',
  })
  await desk.signIn.byStartLink.mutate({ secret, email })
})

test('the page of the first link is there until there is an owner', async () => {
  const app = await deskApp({ config: noOwner })
  expect((await app.inject('/desk/start')).statusCode).toBe(200)
  const secret = secretIn(await deskLine(app.context))
  await deskBrowser(app).desk.signIn.byStartLink.mutate({ secret, email })
  expect((await app.inject('/desk/start')).statusCode).toBe(404)
  expect((await (await deskApp()).inject('/desk/start')).statusCode).toBe(404)
})

test('without an owner nobody gets a code, and the desk says so', async () => {
  const app = await deskApp({ config: noOwner })
  const { desk } = deskBrowser(app)
  expect(await desk.signIn.show.query()).toMatchObject({ codeGoesTo: 'no-owner' })
  expect(await refusalOf(desk.signIn.mailCode.mutate())).toMatchObject({ status: 412 })
  expect(app.mailer.attempts).toEqual([])
})

describe('where the address is not known', () => {
  const atNoAddress = { production: true, source: {} }
  const unknown = { isHeldBack: true, config: { ...noOwner, ...atNoAddress } }

  test('the line names the path alone, and any host may use the link', async () => {
    const app = await deskApp(unknown)
    const line = await deskLine(app.context)
    expect(line).toMatch(/^Desk {4}\/desk\/start#/)
    const { statusCode, cookies } = await take(app, 'https://any.example', secretIn(line))
    expect(statusCode).toBe(200)
    expect(cookies).toEqual([expect.objectContaining({ name: '__Host-desk', secure: true })])
  })

  test('a page of another host cannot call the desk', async () => {
    const app = await deskApp(unknown)
    const secret = secretIn(await deskLine(app.context))
    const { statusCode } = await take(app, 'https://other.example', secret, 'any.example')
    expect(statusCode).toBe(403)
  })

  test('a link that was sent without encryption is spent, since the network has read it', async () => {
    const app = await deskApp(unknown)
    const secret = secretIn(await deskLine(app.context))
    const guessed = await take(app, 'http://192.0.2.7:3000', 'guessed')
    expect(guessed.statusCode).toBe(404)
    const refused = await take(app, 'http://192.0.2.7:3000', secret)
    expect(refused.json().error.message).toContain('open the new link with https://')
    expect((await take(app, 'https://any.example', secret)).statusCode).toBe(404)
    const next = secretIn(await deskLine(app.context))
    expect((await take(app, 'https://any.example', next)).statusCode).toBe(200)
  })
})

/** Sends the form of the page, as a browser at this origin does. */
function take(app: TestApp, origin: string, secret: string, host = new URL(origin).host) {
  return app.inject({
    method: 'POST',
    url: '/desk/api/signIn.byStartLink',
    headers: { host, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ secret, email }),
  })
}

function secretIn(line: string): string {
  return /#([\w-]+)/.exec(line)![1]!
}
