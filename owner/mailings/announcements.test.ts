import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { accepted, permanent, temporary } from '#rigs/mail/programmable-mailer.ts'
import { makeMailingList, type MailingList } from '#rigs/owner/mailing-list.ts'
import { shortTemplate } from '#rigs/server/queue-mails.ts'
import type { Reader } from '#server/database/database.ts'
import { readMailState } from '#server/deliveries/mail-state.ts'
import { defaultContent } from '#content/content.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import { wordingsOf } from '#server/subscribers/wordings.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { blockInbox, leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { findFailed, retry } from '#owner/mail/retry-deliveries.ts'
import { changeAnnouncement, startAnnouncement } from './announce.ts'
import { type AnnouncementOrder, lockAnnouncement, pause } from './announcements.ts'
import { planAnnouncement } from './plan.ts'
import { readHourlyProgress, readProgress } from './progress.ts'
import { releaseMail } from './release.ts'
import { durationInWords, hoursFor } from './pace/slow-start.ts'

const wording = wordingsOf(defaultContent).news.switch

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const name = '1.1.0'

let list: MailingList
beforeEach(async () => {
  list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: 'off' })
})

test('an announcement goes to those on the list who asked for it, each once, however often it is confirmed', async () => {
  await list.signUp(['asked@example.com', 'left@example.com'], { asked: 'versions' })
  await list.signUp(['never@example.com'])
  await leave('left@example.com')
  await announce()
  expect(await announce()).toBe(false)
  await sendAll()
  expect(list.mailer.addresses()).toEqual(['asked@example.com'])
  expect(await progress()).toMatchObject({ state: 'done', recipients: 1, sent: 1 })
})

test('to everyone after to those who asked: only the rest is mailed, and nobody who turned it off', async () => {
  await list.signUp(['asked@example.com'], { asked: 'versions' })
  await list.signUp(['never@example.com', 'refused@example.com'])
  await switchTo('refused@example.com', 'off')
  await announce()
  await sendAll()
  expect(await announce({ to: 'everyone' })).toBe(true)
  await sendAll()
  expect(list.mailer.addresses()).toEqual(['asked@example.com', 'never@example.com'])
  expect(await announce()).toBe(false)
  expect(await announce({ to: 'everyone' })).toBe(false)
})

test('one that is widened while it goes on is not marked as paused', async () => {
  await list.signUp(['asked@example.com'], { asked: 'versions' })
  await announce()
  await announce({ to: 'everyone' })
  const row = sql`select state, paused_at as "pausedAt" from announcements`
  expect(await list.database.row(row)).toEqual({ state: 'running', pausedAt: null })
})

test('people who signed up after the day of the release have the version, and get no mail about it', async () => {
  const before = list.start - hourMs
  await list.signUp(['last@example.com'], { asked: 'versions', at: before - 1 })
  await list.signUp(['later@example.com'], { asked: 'versions', at: before })
  await announce({ signedUpBefore: before })
  await sendAll()
  expect(list.mailer.addresses()).toEqual(['last@example.com'])
})

test('a letter goes to people whose wording covers letters, and to nobody who signs up after it starts', async () => {
  await list.signUp(['versions@example.com'], { asked: 'versions' })
  await list.signUp(['news@example.com'], { asked: 'news' })
  await list.signUp(['later@example.com'], { asked: 'news', at: list.start + hourMs })
  await announce({ kind: 'letter' })
  await sendAll()
  expect(list.mailer.addresses()).toEqual(['news@example.com'])
  await expect(announce({ kind: 'version' })).rejects.toThrow(
    'There is another announcement named 1.1.0.',
  )
})

test('nothing is queued for a minute, and until then it can be taken back and announced again', async () => {
  await list.signUp(['asked@example.com'], { asked: 'versions' })
  await startAnnouncement(list.database, order(), list.now())
  await releaseMail(list.context)
  expect(await progress()).toMatchObject({
    state: 'starting',
    startsAt: list.start + minuteMs,
    stillToCome: 1,
  })
  list.at(minuteMs - 1)
  await releaseMail(list.context)
  await changeAnnouncement(list.database, name, 'cancel', list.now())
  list.at(hourMs)
  expect([await sendAll(), await readProgress(list.database, list.now())]).toEqual([0, []])
  expect(await startAnnouncement(list.database, order(), list.now())).toBe(true)
  list.at(hourMs + minuteMs)
  expect(await sendAll()).toBe(1)
})

test.each([
  ['90 seconds', 90_000],
  ['two days', 48 * hourMs],
])(
  'after the clock was set back by %s, the minute to take it back begins again',
  async (_what, aheadMs) => {
    await list.signUp(['asked@example.com'], { asked: 'versions' })
    list.at(aheadMs)
    await startAnnouncement(list.database, order(), list.now())
    list.at(0)
    expect(await sendAll()).toBe(0)
    list.at(minuteMs - 1)
    expect(await sendAll()).toBe(0)
    list.at(minuteMs)
    expect(await sendAll()).toBe(1)
  },
)

test('widened while its pages are released, it stops for a minute in which it can be taken back', async () => {
  await list.signUp(many(300), { asked: 'versions' })
  await announce({ perHour: 1_000 })
  let isWidened = false
  const { database, context } = list
  const widening: typeof database = {
    ...database,
    async transaction(work) {
      const result = await database.transaction(work)
      if (!isWidened) {
        isWidened = true
        await startAnnouncement(database, order({ to: 'everyone', perHour: 1_000 }), list.now())
      }
      return result
    },
  }
  await releaseMail({ ...context, database: widening })
  expect(await progress()).toMatchObject({ state: 'starting', waiting: 20, stillToCome: 280 })
  list.at(minuteMs)
  await releaseMail(context)
  expect(await progress()).toMatchObject({ state: 'running', waiting: 300 })
})

test('mails of the first minute of an hour count until its end', async () => {
  await list.signUp(many(150), { asked: 'versions' })
  await announce()
  expect(await sendAll()).toBe(100)
  list.at(hourMs - 1)
  expect(await sendAll()).toBe(0)
  list.at(hourMs)
  expect(await sendAll()).toBe(50)
})

test('each hour admits twice as many mails, up to three quarters of the ceiling of the site', async () => {
  list = await makeMailingList({ LIMIT_SITE_MAILS_PER_HOUR: '400' })
  await list.signUp(many(700), { asked: 'versions' })
  await announce()
  expect(await sendByHour(3)).toEqual([100, 200, 300])
})

test('an announcement to exactly as many as an hour admits ends once they are sent', async () => {
  await list.signUp(many(100), { asked: 'versions' })
  await announce()
  await sendAll()
  expect(await progress()).toMatchObject({ state: 'done', sent: 100 })
})

test.each([
  ['--per-hour replaces the slow start', { perHour: 150 }, [150, 150]],
  ['a cap above the slow start does not make it faster', { mostPerHour: 150 }, [100, 150]],
  ['a cap below the slow start holds from the first hour', { mostPerHour: 30 }, [30, 30]],
])('%s', async (_what, pace, expected) => {
  await list.signUp(many(400), { asked: 'versions' })
  await announce(pace)
  expect(await sendByHour(2)).toEqual(expected)
})

test.each([{ perHour: 0 }, { perHour: -5 }, { mostPerHour: 0.5 }, { mostPerHour: NaN }])(
  'a pace of %o is refused with a sentence',
  async (pace) => {
    await expect(startAnnouncement(list.database, order(pace), list.now())).rejects.toThrow(
      'mails an hour is not a pace: give a whole number of at least 1.',
    )
  },
)

test.each([-5, 0, NaN])('at most %d mails an hour never end', (mostPerHour) => {
  expect(hoursFor(100, { mostPerHour, siteMailsPerHour: Infinity })).toBe(Infinity)
})

test.each([
  [1, '1 hour'],
  [47, '47 hours'],
  [48, '2 days'],
  [100, '4 days'],
])('%i hours are told as %s', (hours, words) => {
  expect(durationInWords(hours)).toBe(words)
})

test('a run that dies in the middle of a page leaves neither a gap nor a double', async () => {
  await list.signUp(many(250), { asked: 'versions' })
  await announce({ perHour: 1_000 })
  let inserts = 0
  const { database } = list
  const dying: typeof database = {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          ...transaction,
          run(query) {
            inserts += query.sql.includes('insert into deliveries') ? 1 : 0
            return inserts === 130 ? Promise.reject(new Error('killed')) : transaction.run(query)
          },
        }),
      ),
  }
  await expect(releaseMail({ ...list.context, database: dying })).rejects.toThrow('killed')
  expect(await progress()).toMatchObject({ waiting: 120, stillToCome: 130, recipients: 250 })
  await sendAll()
  expect(list.mailer.addresses().toSorted()).toEqual(many(250).toSorted())
})

test('no more than 500 mails wait for the relay at a time, so that a pause is felt soon', async () => {
  await list.signUp(many(700), { asked: 'versions' })
  await announce({ perHour: 5_000 })
  await releaseMail(list.context)
  expect(await progress()).toMatchObject({ waiting: 500, stillToCome: 200 })
})

test('a mail goes to the address that its subscriber has when it is sent', async () => {
  await list.signUp(['old@example.com'], { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  await run(sql`update subscribers set address = 'new@example.com'`)
  await list.deliver()
  expect(list.mailer.addresses()).toEqual(['new@example.com'])
})

test('nobody who turned it off, left or was erased after the mail was queued gets it, and the figures add up', async () => {
  const names = ['sent', 'refuses', 'leaves', 'erased', 'fails'].map((one) => `${one}@example.com`)
  await list.signUp(names, { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  await switchTo('refuses@example.com', 'off')
  await leave('leaves@example.com')
  const erased = await list.idOf('erased@example.com')
  await list.database.transaction((transaction) => eraseSubscriber(transaction, erased, list.now()))
  list.mailer.answer((address) => (address === 'fails@example.com' ? permanent : accepted))
  await sendAll()
  expect(list.mailer.addresses().toSorted()).toEqual(['fails@example.com', 'sent@example.com'])
  expect(await progress()).toMatchObject({
    state: 'done',
    recipients: 4,
    sent: 1,
    failed: 1,
    cancelled: 2,
  })
})

test('during a pause nothing goes out, also no mail that its recipient put off before; then the slow start begins again', async () => {
  await list.signUp(many(300), { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  list.mailer.answer(() => temporary)
  const tried = await list.deliver()
  list.mailer.answer(() => accepted)
  // Mail that its recipient puts off counts in the hour all the same.
  await run(sql`update deliveries set due_at = ${list.now() + 10 * minuteMs}`)
  expect(await sendAll()).toBe(0)
  await changeAnnouncement(list.database, name, 'pause', list.now())
  await expect(changeAnnouncement(list.database, name, 'pause', list.now())).rejects.toThrow(
    '1.1.0 is paused.',
  )
  list.at(5 * hourMs)
  expect([tried, await sendAll()]).toEqual([100, 0])
  expect(await progress()).toMatchObject({
    state: 'paused',
    held: 100,
    waiting: 0,
    stillToCome: 200,
  })

  await changeAnnouncement(list.database, name, 'resume', list.now())
  expect(await sendAll()).toBe(100)
  list.at(6 * hourMs)
  await sendAll()
  expect(new Set(list.mailer.addresses())).toEqual(new Set(many(300)))
  expect(await progress()).toMatchObject({ state: 'done', sent: 300 })
})

test('what a pause held goes first, and keeps to the hour; a pause by the owner keeps its own pace', async () => {
  await list.signUp(many(300), { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  await changeAnnouncement(list.database, name, 'pause', list.now())
  list.at(2 * hourMs)
  await changeAnnouncement(list.database, name, 'resume', list.now())
  expect(await sendAll()).toBe(100)
  expect(list.mailer.addresses().toSorted()).toEqual(many(100).toSorted())
  await run(sql`update announcements set per_hour = 150`)
  await changeAnnouncement(list.database, name, 'pause', list.now())
  await changeAnnouncement(list.database, name, 'resume', list.now())
  expect(await progress()).toMatchObject({ perHour: 150 })
})

test('an announcement that is paused between the look and the page releases nothing', async () => {
  await list.signUp(many(3), { asked: 'versions' })
  await announce()
  await changeAnnouncement(list.database, name, 'pause', list.now())
  const stale = { ...list.database, rows: async <Row>() => [{ name }] as Row[] }
  await releaseMail({ ...list.context, database: stale })
  expect(await progress()).toMatchObject({ state: 'paused', stillToCome: 3 })
})

test('a running server is woken for each page that is released', async () => {
  await list.signUp(many(3), { asked: 'versions' })
  await announce()
  let wakes = 0
  await releaseMail({ ...list.context, wakeDeliveries: () => void (wakes += 1) })
  expect(wakes).toBeGreaterThan(0)
})

test('a mail in hand during a pause is held by the worker, and keeps its date: an attempt before may have reached the relay', async () => {
  await list.signUp(['a@example.com', 'b@example.com'], { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  await run(sql`update announcements set state = 'paused'`)
  expect(await list.deliver()).toBe(0)
  expect(await progress()).toMatchObject({ held: 2, waiting: 0 })
  const dates = () => list.database.rows(sql`select queued_at from deliveries order by id`)
  const before = await dates()
  list.at(5 * hourMs)
  await changeAnnouncement(list.database, name, 'resume', list.now())
  await releaseMail(list.context)
  expect(await progress()).toMatchObject({ held: 0, waiting: 2 })
  expect(await dates()).toEqual(before)
})

test('above 2 % returned mail it pauses with the reason, and resumes slowly and with new figures', async () => {
  await list.signUp(many(600), { asked: 'versions' })
  await announce({ perHour: 150 })
  await releaseMail(list.context)
  list.mailer.answer(() => (list.mailer.attempts.length <= 4 ? permanent : accepted))
  await list.deliver()
  list.at(hourMs + minuteMs)
  expect(await sendAll()).toBe(0)
  expect(await progress()).toMatchObject({
    state: 'paused',
    pausedWhy: '4 of the last 150 failed or came back',
    failed: 4,
    sent: 146,
  })
  await changeAnnouncement(list.database, name, 'resume', list.now())
  expect(await sendAll()).toBe(100)
  expect(await progress()).toMatchObject({ state: 'running', perHour: null, pausedWhy: null })
})

test('2 % returned, or one bad address among the first, is no reason to pause', async () => {
  await list.signUp(many(300), { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  list.mailer.answer(() => (list.mailer.attempts.length <= 2 ? permanent : accepted))
  await list.deliver()
  list.at(hourMs)
  await releaseMail(list.context)
  expect(await progress()).toMatchObject({ state: 'running' })
})

test.each([
  [1, { state: 'running', pausedWhy: null }],
  [2, { state: 'paused', pausedWhy: '2 of the last 100 were reported as spam' }],
])('reports as spam by %i of the first 100 recipients: %o', async (reports, expected) => {
  await list.signUp(many(200), { asked: 'versions' })
  await announce()
  await sendAll()
  for (const identity of many(reports)) await block(identity)
  list.at(hourMs)
  await releaseMail(list.context)
  expect(await progress()).toMatchObject(expected)
})

test('a paused announcement can be cancelled', async () => {
  await list.signUp(many(3), { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  await changeAnnouncement(list.database, name, 'pause', list.now())
  await changeAnnouncement(list.database, name, 'cancel', list.now())
  expect(await progress()).toMatchObject({ state: 'cancelled', held: 0, cancelled: 3 })
})

test('a cancelled announcement sends nothing more, also no mail in hand, until it is finished: then each of the rest gets it once', async () => {
  await list.signUp(many(300), { asked: 'versions' })
  await announce()
  await sendAll()
  list.at(hourMs + minuteMs)
  await releaseMail(list.context)
  await run(sql`update deliveries set state = 'sending', worker = 'dead', due_at = ${list.now()}
    where id = (select max(id) from deliveries)`)
  await changeAnnouncement(list.database, name, 'cancel', list.now())
  expect(await sendAll()).toBe(0)
  expect(await progress()).toMatchObject({
    state: 'cancelled',
    recipients: 300,
    sent: 100,
    cancelled: 200,
  })
  await expect(announce({ to: 'everyone' })).rejects.toThrow('1.1.0 was cancelled.')
  await changeAnnouncement(list.database, name, 'resume', list.now())
  expect(await progress()).toMatchObject({
    state: 'running',
    held: 200,
    sent: 100,
    recipients: 300,
  })
  expect(await sendAll()).toBe(100)
  list.at(2 * hourMs + minuteMs)
  expect(await sendAll()).toBe(100)
  expect(list.mailer.addresses().toSorted()).toEqual(many(300).toSorted())
  expect(await progress()).toMatchObject({ state: 'done', sent: 300 })
})

test.each<{ how: string; stop: () => Promise<unknown> }>([
  {
    how: 'was cancelled',
    stop: () => changeAnnouncement(list.database, name, 'cancel', list.now()),
  },
  {
    how: 'has paused itself',
    stop: () =>
      list.database.transaction(async (transaction) => {
        const { id } = (await lockAnnouncement(transaction, name))!
        await pause(transaction, id, { why: 'too many came back', now: list.now() })
      }),
  },
])('one that $how and is resumed before its start begins with the slow start', async ({ stop }) => {
  await list.signUp(['asked@example.com'], { asked: 'versions' })
  await list.signUp(many(300))
  await announce()
  await sendAll()
  const sendAt = list.now() + 5 * 24 * hourMs
  await announce({ to: 'everyone', isStartedNow: false, sendAt })
  await stop()
  await changeAnnouncement(list.database, name, 'resume', list.now())
  expect(await sendAll()).toBe(0)
  list.at(5 * 24 * hourMs)
  expect(await sendAll()).toBe(100)
})

test('one that a restore ended cannot be finished: nobody knows who has it', async () => {
  await list.signUp(many(3), { asked: 'versions' })
  await announce()
  await sendAll()
  await run(sql`
    update announcements set state = 'cancelled', paused_why = 'a backup was restored'`)
  const finishing = changeAnnouncement(list.database, name, 'resume', list.now())
  await expect(finishing).rejects.toThrow('1.1.0 ended: a backup was restored')
})

test('after a pause by the owner the slow start goes on in the hour where it stopped', async () => {
  await list.signUp(many(900), { asked: 'versions' })
  await announce()
  expect(await sendByHour(2)).toEqual([100, 200])
  await changeAnnouncement(list.database, name, 'pause', list.now())
  list.at(50 * hourMs)
  await changeAnnouncement(list.database, name, 'resume', list.now())
  expect(await sendAll()).toBe(200)
  await changeAnnouncement(list.database, name, 'pause', list.now())
  await changeAnnouncement(list.database, name, 'resume', list.now())
  expect(await sendAll()).toBe(0)
  list.at(51 * hourMs)
  expect(await sendAll()).toBe(400)
})

test('a letter waits for the moment that the owner chose, and goes to whoever signed up until then', async () => {
  await list.signUp(['early@example.com'], { asked: 'news' })
  await list.signUp(['late@example.com'], { asked: 'news', at: list.start + 40 * hourMs })
  const sendAt = list.start + 48 * hourMs
  await startAnnouncement(list.database, order({ kind: 'letter', sendAt }), list.now())
  list.at(47 * hourMs)
  expect(await sendAll()).toBe(0)
  list.at(48 * hourMs)
  expect(await sendAll()).toBe(2)
  const past = startAnnouncement(list.database, order({ name: 'other', sendAt }), list.now())
  await expect(past).rejects.toThrow('This time has passed')
})

test('to the people of some campaigns, and to the rest later: nobody gets it twice', async () => {
  await list.signUp(['a@example.com', 'b@example.com', 'c@example.com'], { asked: 'versions' })
  await run(sql`update subscribers set campaign = 'a' where address = 'a@example.com'`)
  await run(sql`update subscribers set campaign = 'b' where address = 'b@example.com'`)
  await announce({ campaigns: ['a', 'none'] })
  await expect(announce({ campaigns: ['b'] })).rejects.toThrow('is still going out to other people')
  await sendAll()
  expect(list.mailer.addresses().toSorted()).toEqual(['a@example.com', 'c@example.com'])
  expect(await announce({ campaigns: ['a'] })).toBe(false)
  expect(await announce()).toBe(true)
  await sendAll()
  expect(list.mailer.addresses().at(-1)).toBe('b@example.com')
  expect(await progress()).toMatchObject({ state: 'done', sent: 3 })
})

test('the audit tells who did what, whichever door it came through', async () => {
  await list.signUp(many(1), { asked: 'versions' })
  await announce()
  await changeAnnouncement(list.database, name, 'pause', list.now())
  expect(await readAudit(list.database)).toMatchObject([
    { action: 'Paused the announcement of', about: name },
    { action: 'Started an announcement', about: name },
  ])
})

test('once it has ended its figures are kept, whoever is erased later', async () => {
  await list.signUp(many(3), { asked: 'versions' })
  await announce()
  await sendAll()
  expect(await progress()).toMatchObject({ state: 'done', sent: 3 })
  const id = await list.idOf(many(1)[0]!)
  await list.database.transaction((transaction) => eraseSubscriber(transaction, id, list.now()))
  expect(await progress()).toMatchObject({ sent: 3, recipients: 3 })
})

test('figures that are kept are read without counting deliveries', async () => {
  await list.signUp(many(3), { asked: 'versions' })
  await announce()
  await sendAll()
  const asked: string[] = []
  const reader: Reader = {
    row: (query) => list.database.row((asked.push(query.sql), query)),
    rows: (query) => list.database.rows((asked.push(query.sql), query)),
  }
  await readProgress(reader, list.now())
  expect(asked.join()).not.toContain('deliveries')
})

test('a mail that is retried after the end changes the figures that were kept', async () => {
  await list.signUp(many(2), { asked: 'versions' })
  await announce()
  list.mailer.answer((address) => (address === many(1)[0] ? permanent : accepted))
  await sendAll()
  expect(await progress()).toMatchObject({ state: 'done', sent: 1, failed: 1 })
  list.mailer.answer(() => accepted)
  await retry(list.context, (await findFailed(list.database, list.now())).hopeful)
  expect(await progress()).toMatchObject({ sent: 1, failed: 0, waiting: 1 })
  await sendAll()
  expect(await progress()).toMatchObject({ state: 'done', sent: 2, failed: 0, waiting: 0 })
})

test('of a cancelled announcement the figures are kept once no mail is in hand', async () => {
  await list.signUp(many(2), { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  await run(sql`update deliveries set state = 'sending', worker = 'w' where id = 1`)
  await changeAnnouncement(list.database, name, 'cancel', list.now())
  await releaseMail(list.context)
  expect(await progress()).toMatchObject({ waiting: 1, cancelled: 1 })
  await run(sql`update deliveries set state = 'sent', finished_at = ${list.now()} where id = 1`)
  await releaseMail(list.context)
  expect(await progress()).toMatchObject({ sent: 1, cancelled: 1, waiting: 0 })
  const kept = await list.database.row(sql`select sent, cancelled from announcements`)
  expect(kept).toEqual({ sent: 1, cancelled: 1 })
})

test('those still to come are counted at the start, and nobody is left at the end', async () => {
  await list.signUp(many(150), { asked: 'versions' })
  await announce()
  await sendAll()
  expect(await progress()).toMatchObject({ sent: 100, stillToCome: 50 })
  for (const identity of many(150).slice(120)) await leave(identity)
  list.at(hourMs)
  await sendAll()
  expect(await progress()).toMatchObject({ state: 'done', sent: 120, stillToCome: 0 })
})

test('a letter keeps its subject beside its name', async () => {
  await list.signUp(['news@example.com'], { asked: 'news' })
  await announce({ kind: 'letter', template: { ...shortTemplate, subject: 'Hello again' } })
  expect(await progress()).toMatchObject({ name, subject: 'Hello again' })
})

test('a draft has no name, so an announcement called like one loses none of its audience', async () => {
  await list.signUp(['ada@example.com'], { asked: 'news' })
  await announce({ name: 'desk-draft', kind: 'letter' })
  await sendAll()
  const to = { to: 'everyone', now: list.now() } as const
  const plan = await planAnnouncement(list.database, { kind: 'letter' }, to)
  expect(plan.people).toMatchObject({ asked: 1, announcedTo: 0 })
})

test('an announcement that waits does not make mail late', async () => {
  await list.signUp(many(100), { asked: 'versions' })
  await announce()
  await releaseMail(list.context)
  const state = await readMailState(list.database, list.now() + 5 * hourMs)
  expect(state).toMatchObject({ trouble: undefined, waiting: 0, announcementsWaiting: 100 })
})

test('its course names each hour, what was admitted, and why mail failed', async () => {
  await list.signUp(many(250), { asked: 'versions' })
  await announce()
  list.at(20 * minuteMs) // an hour of the start that is no full hour of the clock
  list.mailer.answer((address) => (address === many(1)[0] ? permanent : accepted))
  await sendAll()
  list.at(hourMs + 20 * minuteMs)
  await sendAll()
  expect(await readHourlyProgress(list.database, await progress(), Infinity)).toEqual({
    hours: [
      { at: list.start, sent: 99, admitted: 100 },
      { at: list.start + hourMs, sent: 150, admitted: 200 },
    ],
    sample: { mails: 250, returned: 1, complaints: 0 },
    faults: [{ fault: '550', state: 'failed', count: 1, oneId: 1 }],
  })
})

test('after a pause its course goes on by the hours since its start', async () => {
  await list.signUp(many(400), { asked: 'versions' })
  await announce()
  await sendAll()
  await changeAnnouncement(list.database, name, 'pause', list.now())
  const resumedAt = 90 * minuteMs
  list.at(resumedAt)
  await changeAnnouncement(list.database, name, 'resume', list.now())
  await sendAll()
  list.at(resumedAt + hourMs)
  await sendAll()
  const course = await readHourlyProgress(list.database, await progress(), Infinity)
  expect(course.hours).toEqual([
    { at: list.start, sent: 100, admitted: 100 },
    { at: list.start + hourMs, sent: 100, admitted: 100 },
    { at: list.start + hourMs + hourMs, sent: 200, admitted: 200 },
  ])
})

test('without an announcement under way a run writes nothing', async () => {
  await list.signUp(['asked@example.com'], { asked: 'versions' })
  await announce()
  await sendAll()
  const silent = { ...list.database, transaction: () => Promise.reject(new Error('a write')) }
  await releaseMail({ ...list.context, database: silent })
})

function order(more: Partial<AnnouncementOrder> = {}): AnnouncementOrder {
  return { name, kind: 'version', to: 'consented', template: shortTemplate, ...more }
}

/** It has started. */
function announce(more: Partial<AnnouncementOrder> = {}) {
  return startAnnouncement(list.database, order({ isStartedNow: true, ...more }), list.now())
}

/** Releases and sends what may go now, and returns how many mails. */
async function sendAll(): Promise<number> {
  let sent = 0
  for (;;) {
    await releaseMail(list.context)
    const now = await list.deliver()
    if (now === 0) return sent
    sent += now
  }
}

async function sendByHour(hours: number): Promise<number[]> {
  const sent: number[] = []
  for (let hour = 0; hour < hours; hour += 1) {
    // The minute that began an hour ago still counts for the ceiling of the site.
    list.at(hour * (hourMs + minuteMs))
    sent.push(await sendAll())
    list.at((hour + 1) * hourMs - 1)
    expect(await sendAll()).toBe(0)
  }
  return sent
}

async function progress() {
  const [found] = await readProgress(list.database, list.now(), name)
  const { recipients, sent, failed, waiting, held, cancelled, stillToCome } = found!
  expect(sent + failed + waiting + held + cancelled + stillToCome).toBe(recipients)
  return found!
}

async function block(identity: string) {
  const row = await list.database.row<Subscriber>(
    sql`select * from subscribers where identity = ${identity}`,
  )
  await list.database.transaction((transaction) => blockInbox(transaction, row!, list.now()))
}

async function leave(identity: string) {
  const id = await list.idOf(identity)
  await list.database.transaction((transaction) =>
    leaveTheList(transaction, id, 'unsubscribed', list.now()),
  )
}

async function switchTo(identity: string, to: 'on' | 'off') {
  const row = await list.database.row<Subscriber>(
    sql`select * from subscribers where identity = ${identity}`,
  )
  await list.database.transaction((transaction) =>
    switchAnnouncements(transaction, row!, to, { now: list.now(), wording }),
  )
}

async function run(query: ReturnType<typeof sql>) {
  await list.database.transaction((transaction) => transaction.run(query))
}

function many(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `n${index}@example.com`)
}
