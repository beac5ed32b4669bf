import { expect, test } from 'vitest'
import { ownersList } from '#rigs/owner/owners-list.ts'
import { dayMs } from '#server/database/clock.ts'
import { dayOf } from '#server/statistics/daily-counts.ts'

interface DayOfSignUps {
  what: string
  before: readonly number[]
  today: number
  alarms: string[]
}

test.each<DayOfSignUps>([
  {
    what: 'three times the average, and 50 at least',
    before: Array<number>(28).fill(10),
    today: 50,
    alarms: ['sign-ups.many'],
  },
  { what: 'less than 50', before: Array<number>(28).fill(10), today: 49, alarms: [] },
  {
    what: 'less than three times the average',
    before: Array<number>(28).fill(100),
    today: 299,
    alarms: [],
  },
  { what: 'on a site of some days', before: Array<number>(6).fill(10), today: 500, alarms: [] },
])('many sign-ups are an alarm: $what', async ({ before, today, alarms }) => {
  const list = await ownersList()
  for (const [index, count] of before.entries()) {
    await list.count(dayOf(list.start - (index + 1) * dayMs), 'signed-up', count, 'hero')
  }
  await list.count(dayOf(list.start), 'signed-up', today, 'hero')
  expect((await list.errors()).map(({ id }) => id)).toEqual(alarms)
})

test.each([
  [4, 10, []],
  [5, 249, ['mail.returned']],
  [5, 250, []],
])('%i bounces of %i mails in a week', async (bad, delivered, alarms) => {
  const list = await ownersList()
  await list.count(dayOf(list.start - 6 * dayMs), 'bounced', bad)
  await list.count(dayOf(list.start - 7 * dayMs), 'bounced', 100)
  await list.count(dayOf(list.start), 'delivered', delivered)
  expect((await list.errors()).map(({ id }) => id)).toEqual(alarms)
})

test('mail that failed is an alarm like mail that came back, and counts once', async () => {
  const list = await ownersList()
  const day = dayOf(list.start)
  await list.count(day, 'bounced', 4) // three of them by a refusal
  await list.count(day, 'failed', 3, 'refused')
  expect(await list.errors()).toEqual([])
  await list.count(day, 'failed', 10, 'gave-up')
  expect(await list.errors()).toMatchObject([
    { id: 'mail.returned', why: expect.stringContaining('14 mails failed or came back') },
  ])
})
