import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { dayMs } from '#server/database/clock.ts'

const minuteMs = 60_000

test('a letter is added, saved, tested, sent and taken back', async () => {
  const { app, desk } = await site('ada@example.com')
  const id = await desk.mailings.add.mutate({ kind: 'letter' })
  const changes = { subject: 'News', words: 'Hello', to: 'everyone' as const }
  expect(await desk.mailings.save.mutate({ id, changes, before: {}, revision: 1 })).toEqual({
    kind: 'saved',
    revision: 2,
  })
  expect(await desk.mailings.one.query({ id })).toMatchObject({
    title: 'News',
    state: 'draft',
    mail: { subject: 'News', text: expect.stringContaining('Hello') },
    sample: { mails: 0 },
    faults: [],
  })
  expect(await desk.mailings.audience.query({ id, revision: 2 })).toMatchObject({ recipients: 1 })
  await desk.mailings.test.mutate({ id })
  expect(app.mailer.attempts.at(-1)).toMatchObject({
    address: 'owner@example.org',
    message: { subject: '[Test] News' },
  })
  await desk.mailings.send.mutate({ id })
  expect(await desk.mailings.one.query({ id })).toMatchObject({
    state: 'scheduled',
    startsAt: app.clock.now() + minuteMs,
    toSend: 1,
  })
  await desk.mailings.cancel.mutate({ id })
  expect(await desk.mailings.one.query({ id })).toMatchObject({ state: 'draft' })
})

test('a letter that goes out is shown as it was when it began', async () => {
  const { app, desk } = await site('ada@example.com')
  const id = await desk.mailings.add.mutate({ kind: 'letter' })
  const changes = { subject: 'News', words: 'Hello', to: 'everyone' as const }
  await desk.mailings.save.mutate({ id, changes, before: {}, revision: 1 })
  await app.change(sql`
    insert into mail_templates (hash, content)
    values ('h', ${JSON.stringify({ subject: 'Kept', html: '', text: 'As it went' })})`)
  await app.change(sql`update mailings set state = 'sending', template = 'h' where id = ${id}`)
  expect(await desk.mailings.one.query({ id })).toMatchObject({ mail: { subject: 'Kept' } })
  await desk.mailings.pause.mutate({ id })
  expect(await desk.mailings.one.query({ id })).toMatchObject({ state: 'paused' })
  await desk.mailings.resume.mutate({ id })
  expect(await desk.mailings.one.query({ id })).toMatchObject({ state: 'sending' })
})

test('a removed letter is restored, and one that is unknown is told', async () => {
  const { desk } = await site()
  const id = await desk.mailings.add.mutate({ kind: 'letter' })
  await desk.mailings.cancel.mutate({ id })
  await desk.mailings.restore.mutate({ id })
  expect(await desk.mailings.one.query({ id })).toMatchObject({ state: 'draft' })
  expect(await refusalOf(desk.mailings.one.query({ id: 99 }))).toMatchObject({
    message: 'This letter does not exist any more.',
  })
})

test('another letter like it has its words and people, and one for the others leaves those out', async () => {
  const { desk } = await site('ada@example.com')
  const id = await desk.mailings.add.mutate({ kind: 'letter' })
  const changes = {
    subject: 'News',
    preview: 'Soon',
    words: 'Hello',
    to: 'everyone' as const,
    campaigns: ['youtube'],
  }
  await desk.mailings.save.mutate({ id, changes, before: {}, revision: 1 })
  const like = await desk.mailings.copy.mutate({ id })
  expect(await desk.mailings.one.query({ id: like })).toMatchObject({
    ...changes,
    notMailing: null,
  })
  const others = await desk.mailings.copy.mutate({ id, forOthers: true })
  expect(await desk.mailings.one.query({ id: others })).toMatchObject({ notMailing: id, again: 1 })
  const more = await desk.mailings.copy.mutate({ id: others, forOthers: true })
  expect(await desk.mailings.one.query({ id: more })).toMatchObject({ notMailing: id, again: 1 })
})

test('a letter about the newest version is offered until there is one, and filled in', async () => {
  const { desk } = await withTwoReleases()
  expect(await desk.mailings.list.query()).toMatchObject({ versionToTell: '1.1.0' })
  const id = await desk.mailings.add.mutate({ kind: 'version' })
  expect(await desk.mailings.one.query({ id })).toMatchObject({
    version: '1.1.0',
    subject: expect.stringContaining('1.1.0'),
    words: expect.stringContaining('- A stop.'),
    versionDate: '2026-01-05',
  })
  expect(await desk.mailings.list.query()).toMatchObject({ versionToTell: null })
  await desk.mailings.cancel.mutate({ id })
  expect(await desk.mailings.list.query()).toMatchObject({ versionToTell: '1.1.0' })
})

test('no version is offered where nobody has an older one', async () => {
  const { app, desk } = await withTwoReleases()
  const isOffered = async () => (await desk.mailings.list.query()).versionToTell !== null
  await app.change(sql`update subscribers set version = '1.1.0', version_date = '2026-01-05'`)
  expect(await isOffered()).toBe(false)
  await app.change(sql`update subscribers set version = null, version_date = null`)
  expect(await isOffered()).toBe(true)
  await app.change(sql`update subscribers set state = 'unsubscribed'`)
  expect(await isOffered()).toBe(false)
})

test('without versions there is no letter about one', async () => {
  const { desk } = await signedIn(await deskApp({ releases: [] }))
  expect(await refusalOf(desk.mailings.add.mutate({ kind: 'version' }))).toMatchObject({
    status: 409,
    message: 'There are no release notes for the version of the kit.',
  })
})

test('the first version is no news', async () => {
  const { desk } = await site('ada@example.com')
  expect(await desk.mailings.list.query()).toMatchObject({ versionToTell: null })
})

test('letters are listed with the newest first, those of the series by their day, all without their text', async () => {
  const { app, desk } = await site()
  await app.change(sql`delete from mailings`)
  const first = await desk.mailings.add.mutate({ kind: 'letter' })
  const second = await desk.mailings.add.mutate({ kind: 'letter' })
  const late = await desk.mailings.add.mutate({ kind: 'series' })
  const early = await desk.mailings.add.mutate({ kind: 'series' })
  const changes = { afterDays: 9 }
  await desk.mailings.save.mutate({ id: late, changes, before: {}, revision: 1 })
  const { mailings } = await desk.mailings.list.query()
  const once = mailings.filter(({ afterDays }) => afterDays === null)
  const series = mailings.filter(({ afterDays }) => afterDays !== null)
  expect(once.map(({ id }) => id)).toEqual([second, first])
  expect(series.map(({ id }) => id)).toEqual([early, late])
  expect(mailings[0]).not.toHaveProperty('words')
  const read = app.ownersReads.find(({ sql: text }) => text.includes('from mailings order by'))
  expect(read?.sql).toMatch(/\bsubject\b(?!.*\bwords\b)/s)
  expect(mailings[0]).toMatchObject({ title: 'A letter without a subject' })
})

test('the letter that is under way is the newest that goes out once', async () => {
  const { app, desk } = await site()
  const underWay = async () => (await desk.today.state.query()).letter?.id
  expect(await underWay()).toBeUndefined()
  const first = await desk.mailings.add.mutate({ kind: 'letter' })
  const second = await desk.mailings.add.mutate({ kind: 'letter' })
  const series = await desk.mailings.add.mutate({ kind: 'series' })
  await app.change(sql`update mailings set state = 'sending' where id in (${first}, ${series})`)
  expect(await underWay()).toBe(first)
  await app.change(sql`update mailings set state = 'paused' where id = ${second}`)
  expect(await underWay()).toBe(second)
})

test('a letter of the series that is on is saved behind a fresh proof, and tells who would miss it', async () => {
  const { app, desk } = await site('ada@example.com')
  await app.change(sql`update subscribers set announcements_agreed_at = 1,
    series_from = ${app.clock.now() - 4 * dayMs}`)
  const id = await desk.mailings.add.mutate({ kind: 'series' })
  const changes = { subject: 'News', words: 'Hello', afterDays: 10 }
  await desk.mailings.save.mutate({ id, changes, before: {}, revision: 1 })
  await desk.mailings.send.mutate({ id })
  expect(await desk.mailings.missing.query({ id, afterDays: 3 })).toBe(1)
  expect(await desk.mailings.missing.query({ id, afterDays: 5 })).toBe(0)
  const again = { id, changes: { words: 'Other' }, before: {}, revision: 2 }
  expect(await refusalOf(desk.mailings.save.mutate(again))).toMatchObject({
    message: 'This letter goes out by itself. Confirm that it is you to change it.',
  })
  expect(await desk.mailings.saveLive.mutate(again)).toMatchObject({ kind: 'saved' })
})

test('the warm-up is switched off and on, and both are in the audit', async () => {
  const { desk } = await site()
  const warmUp = async () => (await desk.mailings.list.query()).warmUp
  expect(await warmUp()).toEqual({ isOn: true, roomToday: 1_000 })
  await desk.mailings.switchWarmUp.mutate({ isOn: false })
  expect(await warmUp()).toEqual({ isOn: false, roomToday: null })
  await desk.mailings.switchWarmUp.mutate({ isOn: true })
  expect(await warmUp()).toEqual({ isOn: true, roomToday: 1_000 })
  const { audit } = await desk.you.show.query()
  expect(audit.slice(0, 2)).toMatchObject([
    { action: 'Switched on the warm-up' },
    { action: 'Switched off the warm-up' },
  ])
})

/** A desk, and people who signed up. */
async function site(...people: string[]) {
  const app = await deskApp()
  for (const address of people) await app.signUp(address)
  const { desk } = await signedIn(app)
  return { app, desk }
}

/** Ada's starter mail had the older one. */
async function withTwoReleases() {
  const releases = [
    { version: '1.1.0', date: '2026-01-05', changes: ['A stop.'] },
    { version: '1.0.0', date: '2026-01-01', changes: ['The first.'] },
  ]
  const app = await deskApp({ releases })
  await app.signUp('ada@example.com')
  await app.change(sql`update subscribers set version = '1.0.0', version_date = '2026-01-01'`)
  const { desk } = await signedIn(app)
  return { app, desk }
}
