import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { accepted, permanent } from '#rigs/mail/programmable-mailer.ts'
import { makeSeriesList, type SeriesList } from '#rigs/owner/series-list.ts'
import { dayMs } from '#server/database/clock.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { findFailed, retry } from '#owner/mail/retry-deliveries.ts'
import { addToSeries, changeSeriesLetter, removeFromSeries, switchSeries } from './series.ts'

const hourMs = 60 * 60_000
const tips = { name: 'tips', subject: 'Tips', preview: 'Three of them', text: 'Hello' }

let list: SeriesList
beforeEach(async () => {
  list = await makeSeriesList()
})

test('a list that nobody has touched shows the letters of content/, and is off', async () => {
  const { isOn, letters } = await list.shown()
  expect(isOn).toBe(false)
  expect(letters.map(({ name, afterDays }) => [name, afterDays])).toEqual([
    ['first-alert', 1],
    ['sideways', 4],
    ['real-money', 10],
  ])
  expect(letters[0]).toEqual({
    name: 'first-alert',
    ...defaultContent.series.firstAlert,
    afterDays: 1,
    isOn: true,
    isOfContent: true,
    pausedWhy: null,
    due: 0,
    sent: 0,
    failed: 0,
    left: 0,
  })
})

test('a letter of content/ shows the same once it has its row', async () => {
  const before = await list.shown()
  await switchSeries(list.series, true)
  expect(await list.shown()).toEqual({ isOn: true, letters: before.letters })
})

test('a letter of the owner has its own words, and stands at its day', async () => {
  await addToSeries(list.series, { ...tips, afterDays: 5 })
  const { letters } = await list.shown()
  expect(letters.map(({ name }) => name)).toEqual(['first-alert', 'sideways', 'tips', 'real-money'])
  expect(letters[2]).toMatchObject({ ...tips, afterDays: 5, isOfContent: false })
})

test('a letter of content/ with words of its own is of content/ no more', async () => {
  const { name, ...words } = { ...tips, name: 'sideways' }
  await changeSeriesLetter(list.series, name, { words })
  expect((await list.shown()).letters[1]).toMatchObject({ ...words, isOfContent: false })
})

test('a letter that was removed is not shown, also if it is one of content/', async () => {
  await removeFromSeries(list.series, 'sideways')
  expect((await list.shown()).letters.map(({ name }) => name)).toEqual([
    'first-alert',
    'real-money',
  ])
})

test('the figures are of what fell due, was sent and failed', async () => {
  await switchSeries(list.series, true)
  await sendTo('stays@example.com', 'other@example.com', 'gone@example.com')
  expect(await first()).toMatchObject({ due: 3, sent: 2, failed: 1, left: 0 })
})

test.each<{ how: string; end: (id: number) => Promise<unknown> }>([
  { how: 'leaves the list', end: (id) => leave(id, 'unsubscribed') },
  { how: 'reports it as spam', end: (id) => leave(id, 'blocked') },
  { how: 'turns news off', end: () => list.turn('leaves@example.com', 'off') },
])('whoever $how within a day is counted as left', async ({ end }) => {
  await switchSeries(list.series, true)
  await sendTo('stays@example.com', 'leaves@example.com')
  list.at(dayMs + hourMs)
  await end(await list.idOf('leaves@example.com'))
  expect(await first()).toMatchObject({ sent: 2, left: 1 })
})

test('whoever leaves more than a day later is not', async () => {
  await switchSeries(list.series, true)
  await sendTo('leaves@example.com')
  list.at(2 * dayMs + 1)
  await leave(await list.idOf('leaves@example.com'), 'unsubscribed')
  expect(await first()).toMatchObject({ sent: 1, left: 0 })
})

test('an address that came back is not', async () => {
  await switchSeries(list.series, true)
  await sendTo('leaves@example.com')
  await leave(await list.idOf('leaves@example.com'), 'undeliverable')
  expect(await first()).toMatchObject({ sent: 1, left: 0 })
})

test('the figures stay the same once they are counted for good', async () => {
  await switchSeries(list.series, true)
  await sendTo('stays@example.com', 'leaves@example.com', 'gone@example.com')
  await leave(await list.idOf('leaves@example.com'), 'unsubscribed')
  const figures = { due: 3, sent: 2, failed: 1, left: 1 }
  expect(await first()).toMatchObject(figures)
  list.at(2 * dayMs)
  await list.release()
  expect(await first()).toMatchObject(figures)
  expect(await keptFigures()).toMatchObject({ sent: 2, left: 1 })
})

test('a mail that is retried is added to the figures that are counted for good', async () => {
  await switchSeries(list.series, true)
  await sendTo('stays@example.com', 'gone@example.com')
  list.at(2 * dayMs)
  await list.release()
  list.mailer.answer(() => accepted)
  await retry(list.context, (await findFailed(list.database, list.now())).hopeful)
  await list.deliver()
  expect(await first()).toMatchObject({ due: 2, sent: 2, failed: 0 })
  list.at(4 * dayMs)
  await list.release()
  expect(await keptFigures()).toMatchObject({ sent: 2 })
})

test('they are counted for good once in an hour', async () => {
  await switchSeries(list.series, true)
  const { countedTo } = await keptFigures()
  list.at(dayMs + hourMs - 1)
  await list.release()
  expect(await keptFigures()).toMatchObject({ countedTo })
  list.at(dayMs + hourMs)
  await list.release()
  expect(await keptFigures()).toMatchObject({ countedTo: countedTo + hourMs })
})

test('a clock that is ahead in the first hour of a process keeps no mail from being counted', async () => {
  await switchSeries(list.series, true)
  await list.agree('stays@example.com')
  list.at(dayMs)
  await list.release()
  list.at(10 * dayMs)
  await list.release(hourMs - 1)
  list.at(dayMs)
  await list.deliver()
  expect(await first()).toMatchObject({ sent: 1 })
})

/** They agree now, and get the first letter after a day. Addresses with "gone" refuse it. */
async function sendTo(...names: string[]): Promise<void> {
  await list.agree(...names)
  list.at(dayMs)
  list.mailer.answer((address) => (address.startsWith('gone') ? permanent : { kind: 'accepted' }))
  await list.deliver()
}

function leave(id: number, to: 'unsubscribed' | 'blocked' | 'undeliverable') {
  return list.change((transaction) => leaveTheList(transaction, id, to, list.now()))
}

async function first() {
  return (await list.shown()).letters[0]
}

async function keptFigures(): Promise<{ sent: number; left: number; countedTo: number }> {
  const row = await list.database.row<{ sent: number; left: number; countedTo: number }>(sql`
    select sent, left_after as "left", counted_to as "countedTo"
    from announcements where name = 'first-alert'`)
  return row!
}
