import { expect, test } from 'vitest'
import { deskApp, refusalOf, signedIn } from '#rigs/owner/test-desk.ts'
import type { TestApp } from '#rigs/server/test-app.ts'
import { addDailyCounts, type CountedEvent, dayOf } from '#server/statistics/daily-counts.ts'

const dayMs = 24 * 60 * 60_000

test('today shows views and sign-ups of the period, of the one before, and a bar for each day', async () => {
  const app = await deskApp()
  const { desk } = await signedIn(app)
  await count(app, 0, 'signed-up', 'hero', 20)
  await count(app, 6, 'signed-up', 'closing', 10)
  await count(app, 7, 'signed-up', 'hero', 5)
  await count(app, 1, 'landing-viewed', 'person', 40)
  await count(app, 1, 'landing-viewed', 'machine', 8)
  for (let index = 0; index < 7; index += 1) {
    await count(app, 0, 'came-from', `c${index}`, 7 - index)
  }
  await count(app, 2, 'viewed-from', 'c0', 30)
  await count(app, 2, 'opened-from', 'c0', 6)
  const today = await desk.today.figures.query({ days: 7 })
  expect(today.period).toMatchObject({ signUps: 30, views: { people: 40, machines: 8 } })
  expect(today.before).toEqual({ signUps: 5, isUnknown: false })
  expect(today.bars).toMatchObject({ unit: 'days', span: 1 })
  expect(today.inBars).toEqual([10, 0, 0, 0, 0, 0, 20])
  const [c0, ...others] = today.sources
  expect(c0).toMatchObject({
    kind: 'campaign',
    name: 'c0',
    views: 30,
    signUps: 7,
    opened: 6,
    gotScript: 0,
  })
  expect(others.map(({ name }) => name)).toEqual([
    'c1',
    'c2',
    'c3',
    'c4',
    'c5',
    'c6',
    'hero',
    'closing',
  ])
  expect(others[5]?.inBars.at(-1)).toBe(1)
  expect(others[6]).toMatchObject({ kind: 'form', views: null, signUps: 20 })
  expect(others[6]?.inBars).toEqual([0, 0, 0, 0, 0, 0, 20])
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
