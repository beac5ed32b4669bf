import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { eventually } from '#rigs/eventually.ts'
import { accepted } from '#rigs/mail/programmable-mailer.ts'
import { linkOf, type TestApp } from '#rigs/server/test-app.ts'
import type { KitRelease } from '#content/releases.ts'
import { addDailyCounts } from '#server/statistics/daily-counts.ts'

const minuteMs = 60_000
const impossible = { status: 409 }
const everyone = { text: '', who: 'everyone', days: '', campaign: '', after: null } as const

test('people are found by any part of an address, in any case, and by group, day and campaign', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await app.signUp('Ada.Lovelace@example.com')
  await app.signUp('ben@example.org')
  await change(app, sql`campaign = 'hn'`, 'ada.lovelace@example.com')
  await change(app, sql`state = 'undeliverable', signed_up_at = 0`, 'ben@example.org')
  const find = async (search: object) => {
    const { people } = await desk.people.search.query({ ...everyone, ...search })
    return people.map(({ address }) => address)
  }
  expect(await find({})).toEqual(['Ada.Lovelace@example.com', 'ben@example.org'])
  expect(await find({ text: ' LACE@ex' })).toEqual(['Ada.Lovelace@example.com'])
  expect(await find({ text: '%' })).toEqual([])
  expect(await find({ who: 'undeliverable' })).toEqual(['ben@example.org'])
  expect(await find({ who: 'wants-news' })).toEqual([])
  expect(await find({ campaign: 'hn' })).toEqual(['Ada.Lovelace@example.com'])
  expect(await find({ days: '7' })).toEqual(['Ada.Lovelace@example.com'])
  const nobody = { people: [], last: null }
  const after = { at: 0, id: 1 }
  expect(await desk.people.search.query({ ...everyone, after })).toEqual(nobody)
})

test('the list is counted by state, and its campaigns are those of the sign-ups', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await app.signUp('ada@example.com')
  await app.signUp('ben@example.org')
  await change(app, sql`announcements_agreed_at = 1`, 'ada@example.com')
  await change(app, sql`state = 'undeliverable', announcements_agreed_at = 1`, 'ben@example.org')
  await app.database.transaction((transaction) =>
    addDailyCounts(transaction, [
      { day: '2026-11-20', event: 'came-from', detail: 'none', count: 1 },
      { day: '2026-11-20', event: 'came-from', detail: 'hn', count: 2 },
      { day: '2026-11-20', event: 'viewed-from', detail: 'other', count: 9 },
    ]),
  )
  const nobody = { unsubscribed: 0, blocked: 0 }
  expect(await desk.people.onTheList.query()).toEqual({
    counts: { active: 1, undeliverable: 1, wantNews: 1, ...nobody },
    campaigns: ['hn', 'none'],
  })
})

test('people found are counted', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await app.signUp('ada@example.com')
  const picks = { text: 'ada', who: 'everyone', days: '', campaign: '' } as const
  expect(await desk.people.countFound.query(picks)).toBe(1)
})

test('a person has consent, mails and what the owner did, but not if they opened their page', async () => {
  const { desk, id } = await deskWithPerson()
  const person = await desk.people.show.query({ id })
  expect(person).toMatchObject({ address: 'ada@example.com', state: 'active', version: '1.1.0' })
  expect(person.mails).toMatchObject([{ letter: null, state: 'sent' }])
  expect(JSON.stringify(person)).not.toContain('open')
  expect(await refusalOf(desk.people.show.query({ id: 999 }))).toMatchObject({ status: 404 })
})

test('the mail is sent again once, and not while one is in flight', async () => {
  const { app, desk, id } = await deskWithPerson()
  app.clock.advance(minuteMs)
  await change(app, sql`version = null, version_date = null`, 'ada@example.com')
  const send = app.mailer.hold()
  const both = await Promise.allSettled([1, 2].map(() => desk.people.sendAgain.mutate({ id })))
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  send(accepted)
  await untilMailed(app, 2)
  const kit = sql`select version, version_date as date from subscribers`
  const [{ version, date }] = app.context.site.current.releases as [KitRelease]
  expect(await app.database.rows(kit)).toEqual([{ version, date }])
  const { audit } = await desk.people.show.query({ id })
  expect(audit).toMatchObject([{ action: 'Sent the mail again to a person' }])
})

test('correcting an address sends the mail there, ends the old link, and stands in the history without it', async () => {
  const { app, desk, id } = await deskWithPerson('ada@exmaple.com')
  const oldLink = await linkOf(app, 'ada@exmaple.com')
  await change(app, sql`announcements_agreed_at = 1`, 'ada@exmaple.com')
  await desk.people.correct.mutate({ id, address: 'Ada@example.com' })
  expect(await desk.people.show.query({ id })).toMatchObject({ announcements_agreed_at: null })
  await untilMailed(app, 2)
  expect(app.mailer.addresses().at(-1)).toBe('Ada@example.com')
  expect((await fetch(app.url + oldLink)).status).toBe(404)
  const { audit } = await desk.people.show.query({ id })
  expect(audit).toMatchObject([{ action: 'Corrected the address of a person' }])
  expect(JSON.stringify((await desk.you.show.query()).audit)).not.toContain('@')
})

test('mail that the owner asks for goes at once, and not at the next look into the queue', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] }) // that look never comes
  onTestFinished(() => void vi.useRealTimers())
  const { app, desk, id } = await deskWithPerson()
  app.clock.advance(minuteMs)
  await desk.people.sendAgain.mutate({ id })
  await untilMailed(app, 2)
  await desk.people.correct.mutate({ id, address: 'ada@example.org' })
  await untilMailed(app, 3)
})

test('correcting an address needs a fresh proof: the link goes to another inbox for good', async () => {
  const { app, browser, desk, id } = await deskWithPerson()
  const correction = { id, address: 'thief@example.com' }
  app.clock.advance(15 * minuteMs)
  expect(await refusalOf(desk.people.correct.mutate(correction))).toMatchObject({ status: 403 })
  await browser.signIn()
  await desk.people.correct.mutate(correction)
  expect(await desk.people.show.query({ id })).toMatchObject({ address: 'thief@example.com' })
})

test('an address is not corrected to itself, an invalid one, one that is on the list, or one that blocked our mail', async () => {
  const { app, desk, id } = await deskWithPerson()
  await app.signUp('ben@example.com')
  await app.signUp('cyd@example.com')
  await change(app, sql`state = 'blocked'`, 'cyd@example.com')
  for (const address of [
    'ADA@example.com',
    'ben@example.com',
    'no address',
    'cyd+kit@example.com',
  ]) {
    expect(await refusalOf(desk.people.correct.mutate({ id, address }))).toMatchObject(impossible)
  }
  expect(await desk.people.show.query({ id })).toMatchObject({
    address: 'ada@example.com',
    audit: [],
  })
})

test('the owner unsubscribes a person, once', async () => {
  const { desk, id } = await deskWithPerson()
  await desk.people.unsubscribe.mutate({ id })
  expect(await refusalOf(desk.people.sendAgain.mutate({ id }))).toMatchObject(impossible)
  expect(await desk.people.show.query({ id })).toMatchObject({
    state: 'unsubscribed',
    left_at: expect.any(Number),
    audit: [{ action: 'Unsubscribed a person' }],
  })
  expect(await refusalOf(desk.people.unsubscribe.mutate({ id }))).toMatchObject(impossible)
})

test('the owner puts somebody back whom they unsubscribed, with the consent as it was', async () => {
  const { app, desk, id } = await deskWithPerson()
  const agreed = { announcements_agreed_at: 5 }
  await change(app, sql`announcements_agreed_at = 5`, 'ada@example.com')
  expect(await refusalOf(desk.people.putBack.mutate({ id }))).toMatchObject(impossible)
  await desk.people.unsubscribe.mutate({ id })
  expect(await desk.people.show.query({ id })).toMatchObject({
    canPutBack: true,
    announcements_agreed_at: null,
  })
  await desk.people.putBack.mutate({ id })
  expect(await desk.people.show.query({ id })).toMatchObject({
    state: 'active',
    left_at: null,
    canPutBack: false,
    ...agreed,
    audit: [{ action: 'Put back a person' }, { action: 'Unsubscribed a person' }],
  })
  expect(await app.database.rows(sql`select id from deliveries`)).toHaveLength(1)
})

test('nobody is put back who left themselves, also after the owner had unsubscribed them once', async () => {
  const { app, desk, id } = await deskWithPerson()
  const link = await linkOf(app, 'ada@example.com')
  await desk.people.unsubscribe.mutate({ id })
  app.clock.advance(minuteMs)
  await app.signUp('ada@example.com')
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  await fetch(`${app.url}${link}/unsubscribe`, { method: 'POST', body })
  expect(await desk.people.show.query({ id })).toMatchObject({
    state: 'unsubscribed',
    canPutBack: false,
  })
  expect(await refusalOf(desk.people.putBack.mutate({ id }))).toMatchObject(impossible)
})

test('erasing needs a fresh proof, and leaves only a number in the audit', async () => {
  const { app, browser, desk, id } = await deskWithPerson()
  app.clock.advance(15 * minuteMs)
  expect(await refusalOf(desk.people.erase.mutate({ id }))).toMatchObject({ status: 403 })
  await browser.signIn()
  await desk.people.erase.mutate({ id })
  expect(await refusalOf(desk.people.show.query({ id }))).toMatchObject({ status: 404 })
  expect(await app.database.rows(sql`select * from subscribers`)).toEqual([])
  expect((await desk.you.show.query()).audit[0]).toMatchObject({
    action: 'Erased a person',
    about: String(id),
  })
})

/** Somebody who got the mail. */
async function deskWithPerson(address = 'ada@example.com') {
  const app = await deskApp()
  await app.signUp(address)
  await untilMailed(app, 1)
  const browser = await signedIn(app)
  const { people } = await browser.desk.people.search.query(everyone)
  return { app, browser, desk: browser.desk, id: people[0]!.id }
}

async function untilMailed({ database }: TestApp, number: number): Promise<void> {
  await eventually(`${number} mails are sent`, async () => {
    const sent = await database.rows(sql`select id from deliveries where state = 'sent'`)
    return sent.length >= number
  })
}

function change({ database }: TestApp, columns: ReturnType<typeof sql>, identity: string) {
  return database.transaction((transaction) =>
    transaction.run(sql`update subscribers set ${columns} where identity = ${identity}`),
  )
}
