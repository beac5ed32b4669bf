import { expect, test } from 'vitest'
import { deskApp, signedIn } from '#rigs/owner/test-desk.ts'
import { addDailyCounts, type CountedEvent, dayOf } from '#server/statistics/daily-counts.ts'
import type { TestApp } from '#rigs/server/test-app.ts'

const dayMs = 24 * 60 * 60_000

test('today shows views and sign-ups of the period, of the one before, and a year of them for the plot', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  await count(app, 0, 'signed-up', 'hero', 20)
  await count(app, 6, 'signed-up', 'closing', 10)
  await count(app, 7, 'signed-up', 'hero', 5)
  await count(app, 1, 'landing-viewed', 'person', 40)
  await count(app, 1, 'landing-viewed', 'machine', 8)
  for (let index = 0; index < 7; index += 1) await count(app, 0, 'came-from', `c${index}`, 7 - index)
  const { body } = await desk.call('GET today', { days: 7 })
  expect(body.period).toMatchObject({ signUps: 30, views: { people: 40, machines: 8 } })
  expect(body.before).toMatchObject({ signUps: 5 })
  expect(body.plot.days).toHaveLength(386)
  expect(body.plot.all.slice(-8)).toEqual([5, 10, 0, 0, 0, 0, 0, 20])
  expect(body.plot.rows.map(({ of, name, inPeriod }) => `${of} ${name} ${inPeriod}`)).toEqual([
    'form hero 20',
    'form closing 10',
    'campaign c0 7',
    'campaign c1 6',
    'campaign c2 5',
    'campaign c3 4',
    'campaign c4 3',
    'campaign other 5',
  ])
})

test('today shows the state of mail, database, disk and alarms', async () => {
  const app = await deskApp()
  const desk = await signedIn(app)
  await count(app, 0, 'failed', '', 9)
  const { body } = await desk.call('GET today', { days: 28 })
  expect(body).toMatchObject({ mail: { trouble: null }, waiting: { count: 0 } })
  expect(body.alarms).toMatchObject([{ kind: 'bounces', bad: 9 }])
  if (app.database.engine === 'sqlite') expect(body.disk?.freeBytes).toBeGreaterThan(0)
  else expect(body.disk).toBeNull()
})

test.each([30, 0, 'x'])('%s days are not a period', async (days) => {
  const desk = await signedIn(await deskApp())
  expect(await desk.call('GET today', { days: days as number })).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid' } },
  })
})

function count(app: TestApp, daysAgo: number, event: CountedEvent, detail: string, number: number) {
  const day = dayOf(app.clock.now() - daysAgo * dayMs)
  return addDailyCounts(app.database.query, [{ day, event, detail, count: number }])
}
