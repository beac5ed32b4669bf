import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { makeSeriesList, type SeriesList } from '#rigs/owner/series-list.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { dayMs } from '#server/database/clock.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { startAnnouncement } from '../announce.ts'
import { releaseMail } from '../release.ts'
import { addToSeries, changeSeriesLetter, removeFromSeries, switchSeries } from './series.ts'

const hourMs = 60 * 60_000
const { series } = defaultContent
const letter = { subject: 'Tips', preview: '', text: 'Hello' }

let list: SeriesList
beforeEach(async () => {
  list = await makeSeriesList()
})

test('while the series is off nobody gets anything', async () => {
  await list.agree('ada@example.com')
  await list.daysPass(15)
  expect(list.subjects()).toEqual([])
})

test('switched on, its letters come at the hour of the sign-up, so many days after the consent', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(dayMs - 1)
  expect(await list.deliver()).toBe(0)
  list.at(dayMs)
  expect(await list.deliver()).toBe(1)
  await list.daysPass(15)
  expect(list.subjects()).toEqual([
    series.firstAlert.subject,
    series.sideways.subject,
    series.realMoney.subject,
  ])
})

test.each<[string, (id: number) => Promise<unknown>]>([
  ['left', (id) => list.change((transaction) => leaveTheList(transaction, id, 'unsubscribed', 0))],
  [
    'is undeliverable',
    (id) => list.change((transaction) => leaveTheList(transaction, id, 'undeliverable', 0)),
  ],
  ['turned news off', () => list.turn('ada@example.com', 'off')],
])('whoever %s gets nothing from then on, also no letter that is queued', async (_what, end) => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(dayMs)
  await list.release()
  await end(await list.idOf('ada@example.com'))
  await list.daysPass(15)
  expect(list.subjects()).toEqual([])
})

test('whoever agreed to words that do not tell of the series gets no letter of it', async () => {
  await switchSeries(list.series, true)
  await list.signUp(['ada@example.com'], { asked: 'news', at: list.start })
  await list.daysPass(15)
  expect(list.subjects()).toEqual([])
})

test('a letter that is added later goes only to people who have not passed its day', async () => {
  await switchSeries(list.series, true)
  await list.agree('early@example.com')
  list.at(3 * dayMs)
  await list.agree('late@example.com')
  list.at(6 * dayMs)
  await addToSeries(list.series, { ...letter, name: 'tips', afterDays: 5 })
  await list.daysPass(15, 6)
  const tips = list.mailer.attempts.filter(({ message }) => message.subject === 'Tips')
  expect(tips.map(({ address }) => address)).toEqual(['late@example.com'])
})

test('after the site was down, what is at most three days late comes, and the rest is left out', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(4 * dayMs + hourMs)
  await list.deliver()
  expect(list.subjects()).toEqual([series.sideways.subject])
})

test('a letter gives way to an announcement, and comes a day later', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(dayMs)
  const order = { name: 'news', kind: 'letter', to: 'consented', template: shortTemplate } as const
  await startAnnouncement(list.database, { ...order, isStartedNow: true }, list.now())
  await releaseMail(list.context)
  await list.deliver()
  list.at(dayMs + 60_000)
  expect(await list.deliver()).toBeLessThanOrEqual(1)
  expect(list.subjects()).toEqual([shortTemplate.subject])
  list.at(2 * dayMs - 1)
  expect(await list.deliver()).toBe(0)
  list.at(2 * dayMs + 60_000)
  expect(await list.deliver()).toBe(1)
  expect(list.subjects().at(-1)).toBe(series.firstAlert.subject)
})

test('an announcement waits for a day after a letter of the series', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(dayMs)
  await list.deliver()
  list.at(dayMs + hourMs)
  const order = { name: 'news', kind: 'letter', to: 'consented', template: shortTemplate } as const
  await startAnnouncement(list.database, { ...order, isStartedNow: true }, list.now())
  await releaseMail(list.context)
  expect(await list.deliver()).toBe(0)
  list.at(2 * dayMs)
  expect(await list.deliver()).toBe(1)
})

test.each<{ what: string; change: () => Promise<void> }>([
  {
    what: 'has new words',
    change: () => changeSeriesLetter(list.series, 'tips', { words: { ...letter, text: 'New' } }),
  },
  {
    what: 'comes on a later day',
    change: () => changeSeriesLetter(list.series, 'tips', { afterDays: 2 }),
  },
  {
    what: 'is switched off and on',
    change: async () => {
      await switchSeries(list.series, false, 'tips')
      await switchSeries(list.series, true, 'tips')
    },
  },
  {
    what: 'goes off and on with the series',
    change: async () => {
      await switchSeries(list.series, false)
      await switchSeries(list.series, true)
    },
  },
  {
    what: 'is removed and added on a later day',
    change: async () => {
      await removeFromSeries(list.series, 'tips')
      await addToSeries(list.series, { ...letter, name: 'tips', afterDays: 3 })
    },
  },
])('nobody gets a letter again that $what', async ({ change }) => {
  await addToSeries(list.series, { ...letter, name: 'tips', afterDays: 1 })
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(dayMs)
  await list.deliver()
  await change()
  await list.daysPass(10, 1)
  expect(list.subjects().filter((subject) => subject === 'Tips')).toHaveLength(1)
})

test('one letter is off while the others go, and on again for those who have not passed it', async () => {
  await switchSeries(list.series, true)
  await switchSeries(list.series, false, 'sideways')
  await list.agree('ada@example.com')
  await list.daysPass(5)
  expect(list.subjects()).toEqual([series.firstAlert.subject])
  await switchSeries(list.series, true, 'sideways')
  await list.daysPass(12, 6)
  expect(list.subjects()).toEqual([series.firstAlert.subject, series.realMoney.subject])
})

test('a letter sends no more in an hour than the pace of its slow start', async () => {
  await switchSeries(list.series, true)
  await makePeopleDue(130)
  await list.release()
  await list.release()
  expect(await queued()).toBe(100)
})

test('those for whom an hour has no room come later, and are counted as due once', async () => {
  await switchSeries(list.series, true)
  await makePeopleDue(130)
  await list.release()
  list.at(hourMs)
  await list.release()
  expect(await queued()).toBe(130)
  expect((await list.shown()).letters[0]?.due).toBe(130)
})

test('each page wakes the deliveries', async () => {
  await switchSeries(list.series, true)
  await makePeopleDue(25)
  let woken = 0
  list.context.wakeDeliveries = () => void (woken += 1)
  await list.release()
  expect(woken).toBe(1)
})

test('a letter that is switched off between two pages queues no more', async () => {
  await switchSeries(list.series, true)
  await makePeopleDue(30)
  list.context.wakeDeliveries = () => void switchSeries(list.series, false)
  await list.release()
  expect(await queued()).toBe(20)
})

test('a letter that was resumed between two pages reads its pace again with the next look', async () => {
  await switchSeries(list.series, true)
  await makePeopleDue(30)
  list.context.wakeDeliveries = () =>
    void list.change((transaction) =>
      transaction.run(sql`update announcements set resumed_at = resumed_at + 1`),
    )
  await list.release()
  expect(await queued()).toBe(20)
  await list.release()
  expect(await queued()).toBe(30)
})

test('with nobody due the place in the list is kept once an hour', async () => {
  await switchSeries(list.series, true)
  await list.release()
  const first = await place()
  list.at(hourMs - 1)
  await list.release()
  expect(await place()).toBe(first)
  list.at(hourMs)
  await list.release()
  expect(await place()).toBe(first + hourMs)
})

test('a clock that is set back moves nobody into a second turn', async () => {
  await switchSeries(list.series, true)
  list.at(2 * dayMs)
  await list.release()
  const before = await place()
  list.at(dayMs)
  await makePeopleDue(1)
  await list.release()
  expect(await place()).toBe(before)
})

test('whoever turned news off and on again gets the letter that was cancelled, once', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(dayMs)
  await list.release()
  await list.turn('ada@example.com', 'off')
  list.at(dayMs + hourMs)
  await list.turn('ada@example.com', 'on')
  await list.daysPass(3, 2)
  expect(list.subjects()).toEqual([series.firstAlert.subject])
})

test('an index finds who is due, however many are on the list', async () => {
  if (list.database.engine !== 'sqlite') return
  const plan = await list.database.rows<{ detail: string }>(sql`
    explain query plan select s.id from subscribers s
    where s.series_from is not null and (s.series_from, s.id) > (${1}, ${1}) and s.series_from <= ${2}
      and s.state = 'active'
    order by s.series_from, s.id limit 100`)
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH s USING INDEX subscribers_by_series/),
  ])
})

/** They fall due for the first letter now. */
async function makePeopleDue(count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `due-${index}@example.com`)
  await list.signUp(names, { asked: 'news' })
  await list.change((transaction) =>
    transaction.run(sql`
      update subscribers set series_from = ${list.now() - dayMs} where address like 'due-%'`),
  )
}

async function queued(): Promise<number> {
  const row = await list.database.row<{ count: number }>(
    sql`select count(*) as count from deliveries where announcement is not null`,
  )
  return row!.count
}

/** People of the first letter whose series began by then had their turn: ms since 1970. */
async function place(): Promise<number> {
  const row = await list.database.row<{ place: number }>(
    sql`select series_up_to as place from announcements where name = 'first-alert'`,
  )
  return row!.place
}
