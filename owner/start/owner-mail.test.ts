import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { monday, ownerEmail, ownersList } from '#rigs/owner/owners-list.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { type Reader, Unavailable } from '#server/database/database.ts'
import { listConditions } from '#owner/conditions/list-conditions.ts'
import { startOwnerMail, watchDatabase } from './start-owner-mail.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

test('a start sends what is due, with the address of the desk', async () => {
  const list = await ownersList()
  const runs: Promise<void>[] = []
  const config = { ...list.deps.config, ownerEmail }
  startOwnerMail({
    ...list.deps,
    config,
    repeat: (_name, _everyMs, work) => void runs.push(work()),
  })
  await Promise.all(runs)
  expect(list.mailer.addresses()).toEqual([ownerEmail])
  expect(list.texts()[0]).toMatch(/\n\nYour desk: https?:\/\/\S+\/desk\n$/)
})

test('of several instances that check at the same time, one sends', async () => {
  const list = await ownersList()
  await Promise.all([1, 2, 3, 4].map(list.check))
  expect(list.mailer.attempts).toHaveLength(1)
})

test('a temporary failure is tried at the next check; a refusal ends the week, and nobody is named in the log', async () => {
  const list = await ownersList()
  list.mailer.answer(() => temporary)
  await list.check()
  list.mailer.answer(() => permanent)
  await list.check()
  await list.check()
  expect(list.mailer.attempts).toHaveLength(2)
  await expect.poll(list.logged).toContain('mail to the owner not sent, refused')
  expect(list.logged()).not.toContain('@')
})

test('a process that dies while sending loses no mail: another sends it later, with the same Message-ID', async () => {
  const list = await ownersList()
  list.mailer.answer(() => {
    throw new Error('killed')
  })
  await expect(list.check()).rejects.toThrow('killed')
  list.mailer.answer(() => accepted)
  for (const minutes of [14, 16, 17]) {
    list.at(minutes * minuteMs)
    await list.check()
  }
  const [killed, sent, ...more] = list.mailer.attempts.map(({ message }) => message)
  expect([killed?.messageId, more]).toEqual([sent?.messageId, []])
  expect(sent?.date).toEqual(new Date(monday + 16 * minuteMs))
})

test('stuck mail is told once, and its end; what the dead relay does not take is tried again', async () => {
  const list = await ownersList({ isReportSent: true })
  await queueMails(list.database, ['ada@example.com'], { now: list.now() })
  list.mailer.answer(() => relayAway)
  list.at(4 * minuteMs)
  await list.check()
  expect(list.mailer.attempts).toEqual([])
  list.at(6 * minuteMs)
  await list.check()
  expect(list.subjects()).toEqual(['Bot, alarm: mail is stuck'])

  list.mailer.answer(() => accepted)
  await list.run(sql`update deliveries set state = 'sent', finished_at = ${list.now()}`)
  list.at(20 * minuteMs)
  await list.check()
  await list.check()
  expect(list.subjects()).toHaveLength(1)
  list.at(40 * minuteMs)
  list.mailer.answer(() => temporary)
  await list.check()
  list.mailer.answer(() => accepted)
  await list.check()
  await list.check()
  expect(list.subjects().slice(2)).toEqual(['Bot, all clear: email is being delivered'])
  expect(list.texts().at(-1)).toContain('It began on 2026-01-12 07:00:00 UTC (mail is stuck)')
})

test('what alarms are made of is read beside the visitors', async () => {
  const list = await ownersList({ isReportSent: true })
  const asked: string[] = []
  const reader: Reader = {
    row: (query) => list.database.row((asked.push(query.sql), query)),
    rows: (query) => list.database.rows((asked.push(query.sql), query)),
  }
  const database = { ...list.database, ...reader, ownerReads: list.database.ownerReads }
  await listConditions({ ...list.deps, database })
  expect(asked).toEqual([])
})

test('trouble that comes back within half an hour is told once', async () => {
  const list = await ownersList({ isReportSent: true })
  await queueMails(list.database, ['ada@example.com'], { now: list.now() })
  for (const [minute, state] of [
    [6, 'queued'],
    [20, 'sent'],
    [30, 'queued'],
    [50, 'sent'],
  ] as const) {
    await list.run(sql`update deliveries set state = ${state}`)
    list.at(minute * minuteMs)
    await list.check()
  }
  expect(list.subjects()).toEqual(['Bot, alarm: mail is stuck'])
})

test.each(['3 of the last 100 failed or came back', 'a backup was restored'])(
  'a letter that paused because %s is told once, with the way on',
  async (why) => {
    const list = await ownersList({ isReportSent: true })
    await list.run(sql`
    insert into mailings (state, subject, changed_at, paused_why)
    values ('paused', 'News', 0, ${why})`)
    await list.check()
    await list.run(sql`update mailings set state = 'sending', paused_why = null`)
    list.at(hourMs)
    await list.check()
    expect(list.subjects()).toEqual(['Bot, alarm: the letter “News” has paused'])
    expect(list.texts()[0]).toContain(`It paused because ${why}.`)
    expect(list.texts()[0]).toContain('“Go on”')
  },
)

test('a database that does not answer is told after five minutes, and when it is back', async () => {
  const list = await ownersList()
  const watch = watchDatabase(list.deps)
  const away = () => watch(() => Promise.reject(new Unavailable('away'))).catch(() => {})
  await away()
  list.at(4 * minuteMs)
  await away()
  expect(list.subjects()).toEqual([])
  list.at(6 * minuteMs)
  await away()
  await away()
  expect(list.subjects()).toEqual(['Bot, alarm: the database does not answer'])
  await watch(async () => {})
  await watch(async () => {})
  expect(list.subjects().slice(1)).toEqual(['Bot, all clear: the database answers again'])
})
