import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { subscribe } from '#rigs/owner/owner-terminal.ts'
import { deskApp, deskBrowser, signedIn } from '#rigs/owner/test-desk.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { attributionHeader } from '#contract/sign-up.ts'
import { sql } from 'kysely'
import { pauseAnnouncement, startAnnouncement } from '../../announcements/announcements.ts'
import { queueRecipients } from '../../announcements/queue-recipients.ts'
import { readSecret } from '#server/database/settings.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { blockInbox } from '#server/subscribers/blocked-addresses.ts'
import { enrol } from '#server/subscribers/subscribers.ts'

const minuteMs = 60_000
const changed = { status: 409, body: { error: { code: 'changed' } } }
const impossible = { status: 409, body: { error: { code: 'impossible' } } }

test('people are found by any part of an address, in any case, and by state, day and campaign', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  await app.signUp('Ada.Lovelace@example.com', { [attributionHeader]: 'form=hero&campaign=hn' })
  await app.signUp('ben@example.org')
  await subscribe(app.database, 'cyd@example.com', 'failed')
  const find = async (search: object) => {
    const { body } = await desk.call('POST people/search', search)
    return body.people.map(({ address }) => address)
  }
  expect(await find({})).toEqual(['cyd@example.com', 'ben@example.org', 'Ada.Lovelace@example.com'])
  expect(await find({ text: ' LACE@ex' })).toEqual(['Ada.Lovelace@example.com'])
  expect(await find({ text: '%' })).toEqual([])
  expect(await find({ who: 'undeliverable' })).toEqual(['cyd@example.com'])
  expect(await find({ who: 'wants-news' })).toEqual([])
  expect(await find({ campaign: 'hn' })).toEqual(['Ada.Lovelace@example.com'])
  expect(await find({ campaign: 'none' })).toEqual(['cyd@example.com', 'ben@example.org'])
  expect(await find({ from: '2026-01-02', to: '2026-01-02' })).toEqual(['cyd@example.com'])
  const { body } = await desk.call('POST people/search', { text: 'cyd' })
  expect(body).toMatchObject({
    people: [{ state: 'undeliverable', wantsNews: false, mail: { state: 'failed' } }],
    total: 1,
    newer: 0,
    counts: { active: 2, wantNews: 0, left: 0, undeliverable: 1 },
  })
  expect(body.campaigns).toContain('hn')
})

test('people are paged by 50, to older and back to newer ones', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  const identities = Array.from({ length: 120 }, (_, index) => `p${index}@example.com`)
  const newcomers = identities.map((identity) => ({ identity, address: identity, abuse_key: null }))
  await enrol(app.database.query, newcomers, app.clock.now())
  const page = async (search: object) => {
    const { body } = await desk.call('POST people/search', search)
    const ids = body.people.map(({ id }) => id)
    return { first: ids[0]!, last: ids.at(-1)!, ids, newer: body.newer, total: body.total }
  }
  const first = await page({})
  expect([first.ids.length, first.newer, first.total]).toEqual([50, 0, 120])
  const second = await page({ below: first.last })
  expect([second.ids.length, second.newer, second.total]).toEqual([50, 50, 120])
  expect((await page({ below: second.last })).ids).toHaveLength(20)
  expect(await page({ above: second.first })).toEqual(first)
})

test('the view of a person shows consent and mails, but not if they opened their page', async () => {
  const { app, desk, id } = await deskWithPerson()
  await app.database.query.updateTable('subscribers').set({ opened_at: 1 }).execute()
  const { body } = await desk.call('GET people/:id', {}, { id })
  expect(body).toMatchObject({
    address: 'ada@example.com',
    state: 'active',
    language: brand.language,
    canSendAgain: true,
  })
  expect(body.wording?.content).toContain('label')
  expect(body.mails).toMatchObject([{ kind: 'sign-up', state: 'sent' }])
  expect(JSON.stringify(body)).not.toContain('open')
  expect((await desk.call('GET people/:id', {}, { id: 999 })).status).toBe(404)
})

test('the mail is sent again once, and not while one is in flight', async () => {
  const { app, desk, id, version } = await deskWithPerson()
  app.clock.advance(minuteMs)
  const both = await Promise.all(
    [1, 2].map(() => desk.call('POST people/:id/send-again', { version }, { id })),
  )
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await waitForMails(app, 2)
})

test('correcting an address sends the mail there, and the old link stops working', async () => {
  const { app, desk, id, version } = await deskWithPerson('ada@exmaple.com')
  const oldLink = await tokenOf(app, id)
  const answer = await desk.call('POST people/:id/correct', { version, address: 'Ada@example.com' }, { id })
  expect(answer).toMatchObject({ status: 200, body: { address: 'Ada@example.com', state: 'active' } })
  await waitForMails(app, 2)
  expect(app.mailer.addresses().at(-1)).toBe('Ada@example.com')
  expect(await tokenOf(app, id)).not.toBe(oldLink)
  expect(await (await app.signUp('ada@example.com')).json()).toMatchObject({ alreadyExists: true })
  const { body } = await desk.call('GET audit', {})
  expect(JSON.stringify(body)).not.toContain('@')
})

test('a wish for news that came from the wrong address does not go on at the corrected one', async () => {
  const { app, desk, id } = await deskWithPerson('ada@exmaple.com')
  await switchAnnouncements(app.database.query, id, 'on', app.clock.now())
  const { version, wantsNewsSince } = (await desk.call('GET people/:id', {}, { id })).body
  expect(wantsNewsSince).not.toBeNull()
  const answer = await desk.call('POST people/:id/correct', { version, address: 'ada@example.com' }, { id })
  expect(answer).toMatchObject({ status: 200, body: { wantsNewsSince: null } })
})

test('an address is not corrected to an invalid one or one that is on the list', async () => {
  const { app, desk, id, version } = await deskWithPerson()
  await app.signUp('ben@example.com')
  const correct = (address: string) => desk.call('POST people/:id/correct', { version, address }, { id })
  expect(await correct('ben@example.com')).toMatchObject(impossible)
  expect(await correct('no address')).toMatchObject({ status: 422 })
  expect((await desk.call('GET people/:id', {}, { id })).body.version).toBe(version)
})

test('an address is not corrected to an inbox whose holder blocked our mail', async () => {
  const { app, desk, id, version } = await deskWithPerson('ada@exmaple.com')
  const blocking = {
    database: app.database,
    secret: await readSecret(app.database.query),
    now: app.clock.now,
  }
  await blockInbox(blocking, { identity: 'ada@example.com', abuse_key: null }, 'link')
  const answer = await desk.call(
    'POST people/:id/correct',
    { version, address: 'Ada+kit@example.com' },
    { id },
  )
  expect(answer).toMatchObject({
    ...impossible,
    body: { error: { message: 'The holder of that inbox blocked our mail.' } },
  })
  expect((await desk.call('GET people/:id', {}, { id })).body.address).toBe('ada@exmaple.com')
})

test('of two browsers that change one person, the second gets a conflict with the new state', async () => {
  const { app, desk, id, version } = await deskWithPerson()
  const other = await signedIn(app)
  await other.call('POST people/:id/correct', { version, address: 'ada2@example.com' }, { id })
  for (const act of ['unsubscribe', 'send-again', 'erase', 'put-back'] as const) {
    const answer = await desk.call(`POST people/:id/${act}`, { version }, { id })
    expect(answer).toMatchObject(changed)
    expect(answer.body).toMatchObject({ error: { now: { address: 'ada2@example.com' } } })
  }
})

test('the owner unsubscribes a person, and can put them back for ten minutes', async () => {
  const { app, desk, id, version } = await deskWithPerson()
  const left = (await desk.call('POST people/:id/unsubscribe', { version }, { id })).body
  expect(left).toMatchObject({ state: 'unsubscribed' })
  expect(left.canPutBackUntil! - app.clock.now()).toBeGreaterThan(9 * minuteMs)
  const back = (await desk.call('POST people/:id/put-back', { version: left.version }, { id })).body
  expect(back).toMatchObject({ state: 'active', canPutBackUntil: null })
  const again = (await desk.call('POST people/:id/unsubscribe', { version: back.version }, { id })).body
  app.clock.advance(11 * minuteMs)
  expect(await desk.call('POST people/:id/put-back', { version: again.version }, { id })).toMatchObject(
    impossible,
  )
})

test('an unsubscription by the person is not undone', async () => {
  const { app, desk, id } = await deskWithPerson()
  await fetch(`${app.url}/kit/${await tokenOf(app, id)}/unsubscribe`, { method: 'POST' })
  const { version } = (await desk.call('GET people/:id', {}, { id })).body
  expect(await desk.call('POST people/:id/put-back', { version }, { id })).toMatchObject(impossible)
})

test('an unsubscription by the owner is not undone once the person has blocked our mail', async () => {
  const { app, desk, id, version } = await deskWithPerson()
  const left = (await desk.call('POST people/:id/unsubscribe', { version }, { id })).body
  await fetch(`${app.url}/kit/${await tokenOf(app, id)}/block`, { method: 'POST' })
  expect(await desk.call('POST people/:id/put-back', { version: left.version }, { id })).toMatchObject(
    impossible,
  )
})

test('an unsubscription is not undone after a new sign-up, also of somebody else with the same number', async () => {
  const { app, desk, id, version } = await deskWithPerson()
  app.clock.advance(minuteMs)
  const left = (await desk.call('POST people/:id/unsubscribe', { version }, { id })).body
  app.clock.advance(minuteMs)
  await app.signUp('ada@example.com')
  await waitForMails(app, 2)
  await fetch(`${app.url}/kit/${await tokenOf(app, id)}/unsubscribe`, { method: 'POST' })
  const now = (await desk.call('GET people/:id', {}, { id })).body
  expect(left.canPutBackUntil).not.toBeNull()
  expect(now).toMatchObject({ state: 'unsubscribed', canPutBackUntil: null })
  expect(await desk.call('POST people/:id/put-back', { version: now.version }, { id })).toMatchObject(
    impossible,
  )
})

test('a parked mail of an announcement does not prevent a resend of the kit', async () => {
  const { app, desk, id, version } = await deskWithPerson()
  const release = { version: '9.0.0', date: '2036-01-04', changes: [] }
  const mail = { subject: 's', html: 'h', text: 't', from: 'a@b.co', replyTo: 'a@b.co', publicUrl: 'u' }
  const order = { release, to: 'everyone', perHour: 1, template: mail } as const
  const announced = await startAnnouncement(app.database, order, app.clock.now())
  await pauseAnnouncement(app.database, '9.0.0', app.clock.now())
  const how = { senderDomain: 'b.co', now: app.clock.now }
  await queueRecipients(app.database, announced.id, how)
  app.clock.advance(minuteMs)
  expect((await desk.call('GET people/:id', {}, { id })).body).toMatchObject({
    canSendAgain: true,
    mails: [{ kind: '9.0.0', state: 'queued' }, { kind: 'sign-up' }],
  })
  expect((await desk.call('POST people/:id/send-again', { version }, { id })).status).toBe(200)
})

test('erasing needs a fresh proof, and leaves only the count and a number in the audit', async () => {
  const { app, desk, id, version } = await deskWithPerson()
  app.clock.advance(15 * minuteMs)
  expect(await desk.call('POST people/:id/erase', { version }, { id })).toMatchObject({
    status: 403,
    body: { error: { code: 'proof-needed' } },
  })
  await desk.signIn()
  expect(await desk.call('POST people/:id/erase', { version }, { id })).toMatchObject({ status: 200 })
  expect((await desk.call('GET people/:id', {}, { id })).status).toBe(404)
  const rows = await sql`select * from subscribers`.execute(app.database.query)
  expect(rows.rows).toEqual([])
  const { body } = await desk.call('GET audit', {})
  expect(body.acts[0]).toMatchObject({ act: 'person-erased', about: String(id) })
})

test('without a session the people API answers 401', async () => {
  const { app, id, version } = await deskWithPerson()
  const stranger = deskBrowser(app)
  expect((await stranger.call('GET people/:id', {}, { id })).status).toBe(401)
  expect((await stranger.call('POST people/search', {})).status).toBe(401)
  expect((await stranger.call('POST people/:id/erase', { version }, { id })).status).toBe(401)
})

/** Somebody who got the mail. */
async function deskWithPerson(address = 'ada@example.com') {
  const app = await deskApp()
  await app.signUp(address, { [attributionHeader]: 'form=hero' })
  await waitForMails(app, 1)
  const desk = await signedIn(app)
  const id = (await desk.call('POST people/search', {})).body.people[0]!.id
  const { version } = (await desk.call('GET people/:id', {}, { id })).body
  return { app, desk, id, version }
}

/** Until so many are recorded as sent, and the owner's own are not counted. */
async function waitForMails({ database }: TestApp, number: number): Promise<void> {
  for (;;) {
    const sent = await database.query
      .selectFrom('deliveries')
      .select('id')
      .where('state', '=', 'sent')
      .execute()
    if (sent.length >= number) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function tokenOf({ database }: TestApp, id: number): Promise<string | null> {
  const row = await database.query
    .selectFrom('subscribers')
    .select('token')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.token ?? null
}
