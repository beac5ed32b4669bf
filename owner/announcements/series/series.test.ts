import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { permanent } from '#rigs/mail/programmable-mailer.ts'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import { dayMs } from '#server/database/clock.ts'
import type { SiteHolder } from '#server/site/served-site.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { wordingsOf } from '#server/subscribers/wordings.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import { readAudit } from '../../command-line/audit.ts'
import { changeAnnouncement, startAnnouncement } from '../announce.ts'
import { readProgress } from '../progress.ts'
import { releaseMail } from '../release.ts'
import { readSeries } from './figures.ts'
import { releaseSeries } from './release-series.ts'
import { addToSeries, changeSeriesLetter, removeFromSeries, switchSeries } from './series.ts'

const wording = wordingsOf(defaultContent).news

const hourMs = 60 * 60_000
const { series } = defaultContent
const letter = { subject: 'Tips', preview: '', text: 'Hello' }

let list: MailingList
beforeEach(async () => {
  list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off' })
})

test('the series of the repository is off, and nobody gets anything', async () => {
  await agree('ada@example.com')
  await daysPass(15)
  expect(subjects()).toEqual([])
  const { isOn, letters } = await shown()
  expect(isOn).toBe(false)
  expect(letters.map(({ name, afterDays }) => [name, afterDays])).toEqual([
    ['first-alert', 1],
    ['sideways', 4],
    ['real-money', 10],
  ])
})

test('switched on, its letters come at the hour of the sign-up, so many days after the consent', async () => {
  await switchSeries(context(), true)
  await agree('ada@example.com')
  list.at(dayMs - 1)
  expect(await deliver()).toBe(0)
  list.at(dayMs)
  expect(await deliver()).toBe(1)
  await daysPass(15)
  expect(subjects()).toEqual([
    series.firstAlert.subject,
    series.sideways.subject,
    series.realMoney.subject,
  ])
})

test.each<[string, (id: number) => Promise<unknown>]>([
  ['left', (id) => change((transaction) => leaveTheList(transaction, id, 'unsubscribed', 0))],
  [
    'is undeliverable',
    (id) => change((transaction) => leaveTheList(transaction, id, 'undeliverable', 0)),
  ],
  ['turned news off', () => turn('ada@example.com', 'off')],
])('whoever %s gets nothing from then on, also no letter that is queued', async (_what, end) => {
  await switchSeries(context(), true)
  await agree('ada@example.com')
  list.at(dayMs)
  await releaseSeries(releaseContext())
  await end(await list.idOf('ada@example.com'))
  await daysPass(15)
  expect(subjects()).toEqual([])
})

test('whoever agreed to words that do not tell of the series gets no letter of it', async () => {
  await switchSeries(context(), true)
  await list.signUp(['ada@example.com'], { asked: 'news', at: list.start })
  await daysPass(15)
  expect(subjects()).toEqual([])
})

test('a letter that is added later goes only to people who have not passed its day', async () => {
  await switchSeries(context(), true)
  await agree('early@example.com')
  list.at(3 * dayMs)
  await agree('late@example.com')
  list.at(6 * dayMs)
  await addToSeries(context(), { ...letter, name: 'tips', afterDays: 5 })
  await daysPass(15, 6)
  const tips = list.mailer.attempts.filter(({ message }) => message.subject === 'Tips')
  expect(tips.map(({ address }) => address)).toEqual(['late@example.com'])
})

test('after the site was down, what is at most three days late comes, and the rest is left out', async () => {
  await switchSeries(context(), true)
  await agree('ada@example.com')
  list.at(4 * dayMs + hourMs)
  await deliver()
  expect(subjects()).toEqual([series.sideways.subject])
  await switchSeries(context(), false)
})

test('a letter gives way to an announcement, and comes a day later', async () => {
  await switchSeries(context(), true)
  await agree('ada@example.com')
  list.at(dayMs)
  const order = { name: 'news', kind: 'letter', to: 'consented', template: shortTemplate } as const
  await startAnnouncement(list.database, { ...order, isStartedNow: true }, list.now())
  await releaseMail(list.context)
  await deliver()
  list.at(dayMs + 60_000)
  expect(await list.deliver()).toBeLessThanOrEqual(1)
  expect(subjects()).toEqual([shortTemplate.subject])
  list.at(2 * dayMs - 1)
  expect(await deliver()).toBe(0)
  list.at(2 * dayMs + 60_000)
  expect(await deliver()).toBe(1)
  expect(subjects().at(-1)).toBe(series.firstAlert.subject)
})

test('an announcement waits for a day after a letter of the series', async () => {
  await switchSeries(context(), true)
  await agree('ada@example.com')
  list.at(dayMs)
  await deliver()
  list.at(dayMs + hourMs)
  const order = { name: 'news', kind: 'letter', to: 'consented', template: shortTemplate } as const
  await startAnnouncement(list.database, { ...order, isStartedNow: true }, list.now())
  await releaseMail(list.context)
  expect(await deliver()).toBe(0)
  list.at(2 * dayMs)
  expect(await deliver()).toBe(1)
})

test('no change of a letter sends it again: edited, moved, off and on, removed and added', async () => {
  await addToSeries(context(), { ...letter, name: 'tips', afterDays: 1 })
  await switchSeries(context(), true)
  await agree('ada@example.com')
  list.at(dayMs)
  await deliver()
  await changeSeriesLetter(context(), 'tips', { words: { ...letter, text: 'New' }, afterDays: 2 })
  await switchSeries(context(), false)
  await switchSeries(context(), true)
  await removeFromSeries(context(), 'tips')
  expect((await shown()).letters.map(({ name }) => name)).not.toContain('tips')
  await addToSeries(context(), { ...letter, name: 'tips', afterDays: 3 })
  await daysPass(10)
  expect(subjects().filter((subject) => subject === 'Tips')).toHaveLength(1)
})

test('one letter is off while the others go, and on again for those who have not passed it', async () => {
  await switchSeries(context(), true)
  await switchSeries(context(), false, 'sideways')
  await agree('ada@example.com')
  await daysPass(5)
  expect(subjects()).toEqual([series.firstAlert.subject])
  await switchSeries(context(), true, 'sideways')
  await daysPass(12, 6)
  expect(subjects()).toEqual([series.firstAlert.subject, series.realMoney.subject])
})

test('its figures tell what fell due, was sent and failed, and who left within a day, also once they are counted for good', async () => {
  await switchSeries(context(), true)
  await agree('stays@example.com', 'leaves@example.com', 'gone@example.com')
  list.at(dayMs)
  list.mailer.answer((address) => (address.startsWith('gone') ? permanent : { kind: 'accepted' }))
  await deliver()
  const id = await list.idOf('leaves@example.com')
  await change((transaction) => leaveTheList(transaction, id, 'unsubscribed', list.now() + hourMs))
  const first = { name: 'first-alert', due: 3, sent: 2, failed: 1, left: 1 }
  expect((await shown()).letters[0]).toMatchObject(first)
  list.at(3 * dayMs)
  await releaseSeries(releaseContext())
  expect((await shown()).letters[0]).toMatchObject(first)
  expect(
    await list.database.row(sql`
    select sent, left_after as "left" from announcements where name = 'first-alert'`),
  ).toEqual({
    sent: 2,
    left: 1,
  })
})

test('above 2 % returned mail a letter pauses itself', async () => {
  await switchSeries(context(), true)
  await agree(...Array.from({ length: 60 }, (_, index) => `n${index}@example.com`))
  list.at(dayMs)
  list.mailer.answer(() => (list.mailer.attempts.length <= 4 ? permanent : { kind: 'accepted' }))
  await deliver()
  await releaseSeries(releaseContext())
  expect((await shown()).letters[0]?.pausedWhy).toBe('4 of the last 60 failed or came back')
})

test('a letter of the series is no announcement, and its acts are in the audit', async () => {
  await switchSeries(context(), true)
  expect(await readProgress(list.database, list.now())).toEqual([])
  const pausing = changeAnnouncement(list.database, 'sideways', 'pause', list.now())
  await expect(pausing).rejects.toThrow('sideways is a letter of the series.')
  expect(await readAudit(list.database)).toMatchObject([{ action: 'Switched on the series' }])
})

test.each([0, 61, 1.5])('a letter cannot come %d days after the consent', async (afterDays) => {
  const adding = addToSeries(context(), { ...letter, name: 'tips', afterDays })
  await expect(adding).rejects.toThrow('1 to 60 days')
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

function context() {
  return {
    database: list.database,
    now: list.now,
    content: defaultContent,
    compose: ({ subject, text }: { subject: string; text: string }) => ({
      ...shortTemplate,
      subject,
      text,
    }),
  }
}

function releaseContext() {
  const frame = { subject: '', html: '{body}', text: '{body}\n{reason}', attributes: {} }
  const mails = { announcement: null, letter: frame }
  // The parts that a release reads.
  const site = { current: { content: defaultContent, mails } } as unknown as SiteHolder
  return { ...list.context, site }
}

/** They sign up and agree at the same moment. */
async function agree(...names: string[]): Promise<void> {
  await list.signUp(names, { at: list.now() })
  for (const name of names) await turn(name, 'on')
}

async function turn(identity: string, to: 'on' | 'off') {
  return change(async (transaction) => {
    const row = await transaction.row<Subscriber>(
      sql`select * from subscribers where identity = ${identity}`,
    )
    return switchAnnouncements(transaction, row!, to, { now: list.now(), wording })
  })
}

function change<Result>(work: Parameters<typeof list.database.transaction<Result>>[0]) {
  return list.database.transaction(work)
}

async function deliver(): Promise<number> {
  await releaseSeries(releaseContext())
  return list.deliver()
}

async function daysPass(to: number, from = 0): Promise<void> {
  for (let day = from; day <= to; day += 1) {
    list.at(day * dayMs)
    await deliver()
  }
}

function subjects(): string[] {
  return list.mailer.attempts.map(({ message }) => message.subject)
}

function shown() {
  return readSeries(list.database, defaultContent)
}
