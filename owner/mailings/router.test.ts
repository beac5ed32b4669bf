import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { eventually } from '#rigs/eventually.ts'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import { newSubscriber, type TestApp } from '#rigs/server/test-app.ts'
import { releaseMail } from './release.ts'

const minuteMs = 60_000
const everyone = { text: '', who: 'everyone', days: '', campaign: '', after: null } as const
const version = { kind: 'version', subject: 'It is here', text: 'Hello' } as const

test('a version has an audience, a preview with the owner’s words, and a test to the owner', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await wantsNews(app)
  await newSubscriber(app)
  expect(await desk.announce.show.query()).toMatchObject({
    version: {
      version: '1.1.0',
      subject: 'Version 1.1.0 of your starter kit',
      changes: ['A stop.'],
    },
    versionObstacle: null,
    all: [],
  })
  expect(await desk.announce.audiences.query({ kind: 'version' })).toEqual({
    consented: 1,
    everyone: 2,
    have: 0,
  })
  const preview = await desk.announce.preview.query(version)
  expect(preview.subject).toBe('It is here')
  expect(preview.html).toContain('Hello')
  expect(preview.html + preview.text).not.toMatch(/\{\{/)
  await desk.announce.test.mutate(version)
  expect(app.mailer.attempts.at(-1)).toMatchObject({
    address: 'owner@example.org',
    message: { subject: '[Test] It is here' },
  })
})

test('an announcement waits a minute on the server, in which it is taken back, and can be started again', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await wantsNews(app)
  await desk.announce.start.mutate({ ...version, to: 'consented', mostPerHour: 50 })
  const { all, versionObstacle } = await desk.announce.show.query()
  const [underWay] = all
  expect(underWay).toMatchObject({
    name: '1.1.0',
    title: 'Version 1.1.0',
    state: 'starting',
    recipients: 1,
    mostPerHour: 50,
  })
  expect(underWay!.startsAt - app.clock.now()).toBeGreaterThan(50_000)
  expect(versionObstacle).toBe('announced')
  await desk.announce.cancel.mutate({ name: '1.1.0' })
  expect(await desk.announce.show.query()).toMatchObject({ all: [], versionObstacle: null })
  await desk.announce.start.mutate({ ...version, to: 'consented' })
  app.clock.advance(minuteMs)
  expect((await desk.announce.show.query()).all[0]?.state).toBe('running')
})

test('a version that everybody on the list got with their kit is none to announce', async () => {
  const app = await deskApp({ releases: [{ version: '1.1.0', date: '2001-01-01', changes: [] }] })
  const { desk } = await signedIn(app)
  expect((await desk.announce.show.query()).versionObstacle).toBe('everybody-has-it')
  await wantsNews(app)
  expect((await desk.announce.show.query()).versionObstacle).toBe('everybody-has-it')
})

test('a kit without release notes has no version to announce', async () => {
  const { desk } = await signedIn(await deskApp({ releases: [] }))
  expect(await desk.announce.show.query()).toMatchObject({
    version: null,
    versionObstacle: 'no-release-notes',
  })
})

test('it is paused, goes on with a fresh proof, is cancelled, and can be finished', async () => {
  const app = await deskApp()
  const browser = await signedIn(app)
  const { desk } = browser
  await wantsNews(app)
  await desk.announce.start.mutate({ ...version, to: 'everyone' })
  const name = '1.1.0'
  const state = async () => (await desk.announce.show.query()).all[0]?.state
  await desk.announce.pause.mutate({ name })
  expect(await state()).toBe('paused')
  expect(await refusalOf(desk.announce.pause.mutate({ name }))).toMatchObject({ status: 409 })
  app.clock.advance(15 * minuteMs)
  expect(await refusalOf(desk.announce.resume.mutate({ name }))).toMatchObject({ status: 403 })
  await browser.signIn()
  await desk.announce.resume.mutate({ name })
  expect(await state()).toBe('running')
  await app.change(sql`
    insert into deliveries (subscriber, announcement, message_id, template, state, priority, due_at, queued_at)
    select s.id, a.id, 'm', a.template, 'sent', 9, 0, 0 from subscribers s, announcements a limit 1`)
  await desk.announce.cancel.mutate({ name })
  expect(await state()).toBe('cancelled')
  await desk.announce.resume.mutate({ name })
  expect(await state()).toBe('running')
})

test.each([0, -1, 1.5])('at most %s an hour is refused', async (mostPerHour) => {
  const { desk } = await signedIn(await deskApp())
  const starting = desk.announce.start.mutate({ ...version, to: 'consented', mostPerHour })
  expect(await refusalOf(starting)).toMatchObject({ status: 400 })
})

test('a draft is gone once its letter is started, back once that is taken back, and the letter is in the archive', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await wantsNews(app)
  const words = { subject: 'Zwölf neue Bots!', preview: 'Soon', text: 'Hello **you**' }
  const draft = await desk.letters.add.mutate({ subject: words.subject })
  await desk.letters.save.mutate({ draft, preview: words.preview, text: words.text })
  expect(await desk.letters.drafts.query()).toMatchObject([{ id: draft, ...words }])
  const order = { kind: 'letter', ...words, to: 'consented', draft } as const
  const name = await desk.announce.start.mutate(order)
  expect(name).toBe('zwolf-neue-bots')
  expect(await desk.letters.drafts.query()).toEqual([])
  const one = await desk.announce.one.query({ name })
  expect(one).toMatchObject({ state: 'starting', words: words.text, preview: 'Soon' })
  expect(one.mail.html).toContain('<strong>you</strong>')
  expect(await refusalOf(desk.announce.start.mutate(order))).toMatchObject({
    status: 409,
    field: 'subject',
  })
  await desk.announce.cancel.mutate({ name })
  expect(await desk.letters.drafts.query()).toMatchObject([words])
})

test('a draft that is added twice under the id of a browser is one draft', async () => {
  const { desk } = await signedIn(await deskApp())
  await desk.letters.add.mutate({ draft: '-browser', subject: 'N' })
  await desk.letters.add.mutate({ draft: '-browser', subject: 'News' })
  expect(await desk.letters.drafts.query()).toMatchObject([{ id: '-browser', subject: 'News' }])
})

test('a letter to one campaign is sent to the rest later, without those who have it', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await wantsNews(app, 'youtube')
  await wantsNews(app)
  const letter = { kind: 'letter', subject: 'News', text: 'Hello' } as const
  const counted = () => desk.announce.audiences.query({ kind: 'letter', subject: 'News' })
  await desk.announce.start.mutate({ ...letter, to: 'consented', campaigns: ['youtube'] })
  app.later(2 * minuteMs)
  await eventually('it is done', async () => {
    await releaseMail(app.context)
    return (await desk.announce.show.query()).all[0]?.state === 'done'
  })
  expect(await counted()).toEqual({ consented: 1, everyone: 1, have: 1 })
  await desk.announce.start.mutate({ ...letter, to: 'consented' })
  expect((await desk.announce.show.query()).all).toMatchObject([{ sent: 1, stillToCome: 1 }])
})

test('the slow start can be left out, and a letter waits for the moment that was chosen', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await wantsNews(app)
  const sendAt = app.clock.now() + 48 * 60 * minuteMs
  const letter = { kind: 'letter', subject: 'News', text: 'Hello', to: 'consented' } as const
  await desk.announce.start.mutate({ ...letter, isSlowStart: false, mostPerHour: 500, sendAt })
  const [news] = (await desk.announce.show.query()).all
  expect(news).toMatchObject({ state: 'starting', startsAt: sendAt, perHour: 500 })
})

test('a letter is named by its subject, here and beside the mails to a person', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await wantsNews(app)
  const letter = { kind: 'letter', subject: 'Zwölf neue Bots!', text: 'Hello' } as const
  await desk.announce.start.mutate({ ...letter, to: 'consented' })
  const title = 'The letter “Zwölf neue Bots!”'
  expect((await desk.announce.show.query()).all).toMatchObject([{ title }])
  app.later(2 * minuteMs)
  await eventually('the letter is queued', async () => {
    await releaseMail(app.context)
    const { mails } = await desk.mail.list.query({ state: 'sent' })
    return mails.some(({ announced }) => announced === title)
  })
  const { people } = await desk.people.search.query(everyone)
  const { mails } = await desk.people.show.query({ id: people[0]!.id })
  expect(mails.map(({ announced }) => announced)).toContain(title)
})

async function wantsNews(app: TestApp, campaign: string | null = null): Promise<void> {
  const { id } = await newSubscriber(app)
  await app.change(sql`
    update subscribers set announcements_agreed_at = 1, announcements_cover = 'news',
      campaign = ${campaign}
    where id = ${id}`)
}
