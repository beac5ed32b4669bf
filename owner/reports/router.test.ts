import { expect, test } from 'vitest'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { addDailyCounts, type CountedEvent, dayOf } from '#server/statistics/daily-counts.ts'

const dayMs = 24 * 60 * 60_000

test('Today has the sign-ups of the period and of the one before, and the views by people and machines', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await count(app, 0, 'signed-up', 'hero', 20)
  await count(app, 6, 'signed-up', 'closing', 10)
  await count(app, 7, 'signed-up', 'hero', 5)
  await count(app, 14, 'signed-up', 'hero', 3)
  await count(app, 1, 'landing-viewed', 'person', 40)
  await count(app, 1, 'landing-viewed', 'machine', 8)
  const today = await desk.today.figures.query({ days: 7 })
  expect(today.period).toMatchObject({ signUps: 30, views: { people: 40, machines: 8 } })
  expect(today.before).toEqual({ signUps: 5, isUnknown: false })
})

test('after the first week Today has bars of days, of all sign-ups, of each campaign and of each form', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await count(app, 0, 'signed-up', 'hero', 20)
  await count(app, 6, 'signed-up', 'closing', 10)
  await count(app, 7, 'signed-up', 'hero', 5)
  const { bars, inBars, sources } = await desk.today.figures.query({ days: 7 })
  expect(bars).toMatchObject({ unit: 'days', span: 1 })
  expect(inBars).toEqual([10, 0, 0, 0, 0, 0, 20])
  expect(sources).toMatchObject([
    { name: 'hero', inBars: [0, 0, 0, 0, 0, 0, 20] },
    { name: 'closing', inBars: [10, 0, 0, 0, 0, 0, 0] },
  ])
  await count(app, 13, 'came-from', 'forum', 1)
  await count(app, 7, 'came-from', 'forum', 3)
  await count(app, 6, 'came-from', 'forum', 4)
  await count(app, 0, 'came-from', 'forum', 5)
  await count(app, 0, 'came-from', 'video', 2)
  await count(app, 100, 'signed-up', 'hero', 1)
  expect((await desk.today.figures.query({ days: 90 })).sources.slice(0, 2)).toMatchObject([
    { name: 'forum', inBars: [...Array.from({ length: 11 }, () => 0), 4, 9] },
    { name: 'video', inBars: [...Array.from({ length: 12 }, () => 0), 2] },
  ])
})

test('Today lists the campaigns by their sign-ups, with what people did, and then the forms', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await count(app, 0, 'came-from', 'forum', 2)
  await count(app, 0, 'came-from', 'video', 7)
  await count(app, 2, 'viewed-from', 'video', 30)
  await count(app, 2, 'opened-from', 'video', 6)
  await count(app, 0, 'signed-up', 'hero', 9)
  const { sources } = await desk.today.figures.query({ days: 7 })
  const video = { views: 30, signUps: 7, opened: 6, gotScript: 0 }
  expect(sources).toMatchObject([
    { kind: 'campaign', name: 'video', ...video },
    { kind: 'campaign', name: 'forum', signUps: 2 },
    { kind: 'form', name: 'hero', views: null, signUps: 9 },
  ])
})

test('in the week of the first sign-up the bars are hours, of all and of a campaign', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  expect(await desk.today.figures.query({ days: 28 })).toMatchObject({
    bars: null,
    inBars: [],
  })
  await app.signUp('ada@example.com', { 'x-attribution': 'form=hero&campaign=youtube' })
  app.clock.advance(2 * 60 * 60_000)
  await app.signUp('bob@example.com')
  await count(app, 0, 'signed-up', 'hero', 2)
  await count(app, 0, 'came-from', 'youtube', 1)
  const today = await desk.today.figures.query({ days: 28 })
  expect(today.bars).toMatchObject({ unit: 'hours', span: 1 })
  expect(today.inBars).toEqual([1, 0, 1])
  expect(today.sources[0]).toMatchObject({ name: 'youtube', inBars: [1, 0, 0] })
  expect(today).toMatchObject({ before: { isUnknown: true } })
})

test('the state of the product has all conditions, the gravest first', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await count(app, 0, 'bounced', '', 9)
  const { conditions } = await desk.today.state.query()
  expect(conditions[0]?.severity).toBe('error')
  expect(conditions.at(-1)?.severity).toBe('fine')
  expect(conditions.find(({ id }) => id === 'mail.returned')).toMatchObject({
    severity: 'error',
    place: 'mail',
    why: expect.stringContaining('9 mails failed or came back'),
  })
  const ids = conditions.map(({ id }) => id)
  expect(ids).toContain('mail.stuck')
  expect(ids.includes('database.disk')).toBe(app.database.engine === 'sqlite')
  expect(new Set(ids).size).toBe(ids.length)
})

test('another number of days is not a period', async () => {
  const { desk } = await signedIn(await deskApp())
  expect(await refusalOf(desk.today.figures.query({ days: 30 as 28 }))).toMatchObject({
    status: 400,
  })
})

function count(app: TestApp, daysAgo: number, event: CountedEvent, detail: string, number: number) {
  const day = dayOf(app.clock.now() - daysAgo * dayMs)
  return app.database.transaction((transaction) =>
    addDailyCounts(transaction, [{ day, event, detail, count: number }]),
  )
}
