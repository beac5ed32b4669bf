import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { renderLetter } from '#site/mail/letter.tsx'
import { permanent } from '#rigs/mail/programmable-mailer.ts'
import { makeSeriesList, type SeriesList } from '#rigs/owner/series-list.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { dayMs } from '#server/database/clock.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { changeAnnouncement, startAnnouncement } from '../announce.ts'
import { readProgress } from '../progress.ts'
import {
  addToSeries,
  changeSeriesLetter,
  moveUp,
  removeFromSeries,
  seriesContext,
  switchSeries,
} from './series.ts'

const hourMs = 60 * 60_000
const words = { subject: 'Tips', preview: '', text: 'Hello' }
const tips = { ...words, name: 'tips' }
const withoutDescription = { ...words, text: '![](/pictures/chart.png)' }

let list: SeriesList
beforeEach(async () => {
  list = await makeSeriesList()
})

test('a letter of the series is no announcement', async () => {
  await switchSeries(list.series, true)
  expect(await readProgress(list.database, list.now())).toEqual([])
  const pausing = changeAnnouncement(list.database, 'sideways', 'pause', list.now())
  await expect(pausing).rejects.toThrow('sideways is a letter of the series.')
})

test('each change is in the audit', async () => {
  await addToSeries(list.series, { ...tips, afterDays: 5 })
  await changeSeriesLetter(list.series, 'tips', { afterDays: 6 })
  await moveUp(list.series, 'tips')
  await switchSeries(list.series, true)
  await switchSeries(list.series, false, 'tips')
  await removeFromSeries(list.series, 'tips')
  const audit = await readAudit(list.database)
  expect(audit.toReversed().map(({ action, about }) => [action, about])).toEqual([
    ['Added to the series', 'tips'],
    ['Changed a letter of the series', 'tips'],
    ['Changed a letter of the series', 'tips'],
    ['Switched on the series', ''],
    ['Switched off the series', 'tips'],
    ['Removed from the series', 'tips'],
  ])
})

test('the mail is written to people who asked for news', () => {
  const { database, now } = list
  const mails = { announcement: null, letter: renderLetter(defaultContent) }
  const { compose } = seriesContext({ database, now, content: defaultContent, mails })
  const mail = compose(words)
  expect(mail).toMatchObject({ subject: 'Tips', leaves: 'announcements' })
  expect(mail.text).toContain('Hello')
  const [reason] = defaultContent.letter.reason.consented.split('{address}')
  expect(mail.text).toContain(reason)
})

test.each([0, 61, 1.5])('a letter cannot come %d days after the consent', async (afterDays) => {
  const adding = addToSeries(list.series, { ...tips, afterDays })
  await expect(adding).rejects.toThrow('1 to 60 days')
})

test.each([1, 60])('a letter can come %d days after the consent', async (afterDays) => {
  await addToSeries(list.series, { ...tips, afterDays })
  expect(await letterNamed('tips')).toMatchObject({ afterDays })
})

test('a letter cannot be moved to a day outside of these', async () => {
  await expect(changeSeriesLetter(list.series, 'sideways', { afterDays: 61 })).rejects.toThrow(
    '1 to 60 days',
  )
})

test('a letter cannot have the name of an announcement', async () => {
  const order = { name: 'tips', kind: 'letter', to: 'consented', template: shortTemplate } as const
  await startAnnouncement(list.database, { ...order, isStartedNow: true }, list.now())
  await expect(addToSeries(list.series, { ...tips, afterDays: 5 })).rejects.toThrow(
    'There is another announcement named tips.',
  )
})

test('a letter is added once', async () => {
  await addToSeries(list.series, { ...tips, afterDays: 5 })
  await expect(addToSeries(list.series, { ...tips, afterDays: 6 })).rejects.toThrow(
    'tips is in the series.',
  )
})

test('a letter that was removed comes back with the words and day that it is added with', async () => {
  await addToSeries(list.series, { ...tips, afterDays: 5 })
  await removeFromSeries(list.series, 'tips')
  await addToSeries(list.series, { ...tips, text: 'New', afterDays: 6 })
  expect(await letterNamed('tips')).toMatchObject({ text: 'New', afterDays: 6 })
})

test('a new letter with a picture without a description is refused', async () => {
  const letter = { ...withoutDescription, name: 'tips', afterDays: 5 }
  await expect(addToSeries(list.series, letter)).rejects.toThrow('A picture has no description')
})

test('new words with a picture without a description are refused', async () => {
  const changing = changeSeriesLetter(list.series, 'sideways', { words: withoutDescription })
  await expect(changing).rejects.toThrow('A picture has no description')
})

test('new words leave the day', async () => {
  await changeSeriesLetter(list.series, 'sideways', { words })
  expect(await letterNamed('sideways')).toMatchObject({ ...words, afterDays: 4 })
})

test('a new day leaves the words', async () => {
  await changeSeriesLetter(list.series, 'sideways', { afterDays: 7 })
  const { sideways } = defaultContent.series
  expect(await letterNamed('sideways')).toMatchObject({ ...sideways, afterDays: 7 })
})

test('a letter that was moved to an earlier day passes those by who are past it', async () => {
  await addToSeries(list.series, { ...tips, afterDays: 20 })
  await switchSeries(list.series, true)
  await list.agree('early@example.com')
  list.at(3 * dayMs)
  await list.agree('late@example.com')
  await changeSeriesLetter(list.series, 'tips', { afterDays: 2 })
  await list.daysPass(8, 3)
  expect(receiversOf('Tips')).toEqual(['late@example.com'])
})

test.each<{ what: string; change: (name: string) => Promise<void> }>([
  { what: 'changed', change: (name) => changeSeriesLetter(list.series, name, { words }) },
  { what: 'moved up', change: (name) => moveUp(list.series, name) },
  { what: 'switched', change: (name) => switchSeries(list.series, true, name) },
  { what: 'removed', change: (name) => removeFromSeries(list.series, name) },
])('a letter that is not there cannot be $what', async ({ change }) => {
  await expect(change('tips')).rejects.toThrow('The series has no letter tips.')
  await removeFromSeries(list.series, 'sideways')
  await expect(change('sideways')).rejects.toThrow('The series has no letter sideways.')
})

test('a letter that is moved up changes places with the one before it', async () => {
  await moveUp(list.series, 'real-money')
  expect(await days()).toEqual({ 'first-alert': 1, 'real-money': 4, sideways: 10 })
})

test('the first letter cannot be moved up', async () => {
  await expect(moveUp(list.series, 'first-alert')).rejects.toThrow('It is the first letter.')
})

test('a letter cannot be moved before one of the same day', async () => {
  await addToSeries(list.series, { ...tips, afterDays: 4 })
  await expect(moveUp(list.series, 'sideways')).rejects.toThrow(
    'tips comes on the same day. Give one of the two another day.',
  )
})

test('two letters of one day stand in the order in which they were added', async () => {
  await addToSeries(list.series, { ...tips, afterDays: 20 })
  await addToSeries(list.series, { ...tips, name: 'more', afterDays: 20 })
  await changeSeriesLetter(list.series, 'tips', { words: { ...words, text: 'New' } })
  expect(Object.keys(await days()).slice(-2)).toEqual(['tips', 'more'])
})

test('a letter that moved up passes those by who are past its new day', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(5 * dayMs)
  await moveUp(list.series, 'real-money')
  await list.daysPass(8, 5)
  expect(receiversOf(defaultContent.series.realMoney.subject)).toEqual([])
})

test('a letter that is off by itself stays off when the series goes on', async () => {
  await switchSeries(list.series, false, 'sideways')
  await switchSeries(list.series, true)
  expect(await states()).toEqual({
    'first-alert': 'running',
    sideways: 'paused',
    'real-money': 'running',
  })
  expect(await letterNamed('sideways')).toMatchObject({ isOn: false })
})

test('a letter that is switched on waits while the series is off', async () => {
  await switchSeries(list.series, false, 'sideways')
  await switchSeries(list.series, true, 'sideways')
  expect(await letterNamed('sideways')).toMatchObject({ isOn: true })
  expect((await list.shown()).isOn).toBe(false)
})

test('a letter that is added to a series that is off waits', async () => {
  await addToSeries(list.series, { ...tips, afterDays: 5 })
  expect(await states()).toMatchObject({ tips: 'paused' })
})

test('a letter that is added to a series that is on goes', async () => {
  await switchSeries(list.series, true)
  await addToSeries(list.series, { ...tips, afterDays: 5 })
  expect(await states()).toMatchObject({ tips: 'running' })
})

test('a series without letters cannot be switched on', async () => {
  for (const name of Object.keys(await days())) await removeFromSeries(list.series, name)
  await expect(switchSeries(list.series, true)).rejects.toThrow('The series has no letter yet.')
})

test('the series switched off holds the mail that waits, and on again sends it', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(dayMs)
  await list.release()
  await switchSeries(list.series, false)
  expect(await list.deliver()).toBe(0)
  await switchSeries(list.series, true)
  expect(await list.deliver()).toBe(1)
})

test('a letter that was switched off passes those by who passed its day meanwhile', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  await switchSeries(list.series, false)
  list.at(dayMs + hourMs)
  await switchSeries(list.series, true)
  expect(await list.deliver()).toBe(0)
})

test('above 2 % returned mail a letter pauses itself', async () => {
  await pauseFirstLetter()
  expect(await letterNamed('first-alert')).toMatchObject({
    pausedWhy: '4 of the last 60 failed or came back',
  })
})

test('a letter that has paused itself is off, and the series is on', async () => {
  await pauseFirstLetter()
  await switchOffOthers()
  expect((await list.shown()).isOn).toBe(true)
})

test('a letter that has paused itself and is switched off has not paused itself any more', async () => {
  await pauseFirstLetter()
  await switchOffOthers()
  await switchSeries(list.series, false, 'first-alert')
  expect(await letterNamed('first-alert')).toMatchObject({ pausedWhy: null, isOn: false })
  expect((await list.shown()).isOn).toBe(false)
})

test('a letter that has paused itself goes on for those who are at most three days late', async () => {
  await pauseFirstLetter()
  await switchOffOthers()
  await list.agree('ada@example.com')
  list.at(3 * dayMs)
  await switchSeries(list.series, true, 'first-alert')
  expect(await letterNamed('first-alert')).toMatchObject({ pausedWhy: null })
  await list.deliver()
  expect(receiversOf(defaultContent.series.firstAlert.subject)).toContain('ada@example.com')
})

test('a letter that is removed is not sent to those for whom it waits', async () => {
  await switchSeries(list.series, true)
  await list.agree('ada@example.com')
  list.at(dayMs)
  await list.release()
  await removeFromSeries(list.series, 'first-alert')
  expect(await list.deliver()).toBe(0)
})

test('a letter that has paused itself and is removed leaves the series off', async () => {
  await pauseFirstLetter()
  await switchOffOthers()
  await removeFromSeries(list.series, 'first-alert')
  expect((await list.shown()).isOn).toBe(false)
})

/** Four of its first 60 mails fail. */
async function pauseFirstLetter(): Promise<void> {
  await switchSeries(list.series, true)
  await list.agree(...Array.from({ length: 60 }, (_, index) => `n${index}@example.com`))
  list.at(dayMs)
  list.mailer.answer(() => (list.mailer.attempts.length <= 4 ? permanent : { kind: 'accepted' }))
  await list.deliver()
  await list.release()
}

async function switchOffOthers(): Promise<void> {
  await switchSeries(list.series, false, 'sideways')
  await switchSeries(list.series, false, 'real-money')
}

async function letterNamed(name: string) {
  return (await list.shown()).letters.find((one) => one.name === name)
}

/** In the order in which they are shown. */
async function days(): Promise<Record<string, number>> {
  const { letters } = await list.shown()
  return Object.fromEntries(letters.map(({ name, afterDays }) => [name, afterDays]))
}

async function states(): Promise<Record<string, string>> {
  const rows = await list.database.rows<{ name: string; state: string }>(
    sql`select name, state from announcements`,
  )
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}

function receiversOf(subject: string): string[] {
  return list.mailer.attempts
    .filter(({ message }) => message.subject === subject)
    .map(({ address }) => address)
}
