import { defaultContent } from '#content/content.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { accepted, permanent, relayAway, temporary } from '#rigs/mail/programmable-mailer.ts'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { type Reader, Unavailable } from '#server/database/database.ts'
import { addDailyCounts, type CountedEvent, dayOf } from '#server/statistics/daily-counts.ts'
import { listConditions } from '#owner/conditions/list-conditions.ts'
import type { SiteHolder } from '#server/site/served-site.ts'
import { type SettingsHolder, settingsWithoutDatabase } from '#server/settings/site-settings.ts'
import { checkOnce, startOwnerMail, watchDatabase } from './start-owner-mail.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const ownerEmail = 'owner@example.org'
/** A Monday after 07:00 UTC. */
const monday = Date.UTC(2026, 0, 12, 7)

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

test('the weekly report compares the week with the one before, and names its sources', async () => {
  const list = await ownersList()
  await countTwoWeeks(list.count)
  await list.check()
  const [report] = list.texts()
  expect(list.subjects()).toEqual(['Bot, 5 January 2026 to 11 January 2026: sign-ups 1,042'])
  for (const line of [
    'New sign-ups: 1,042 (30)',
    '  form at the foot: 42 (30)',
    'Repeated by people on the list: 7 (0)',
    'Mistyped addresses corrected before sending: 2 (0)',
    "  the hour's ceiling of the whole site: 4 (0)",
    'Handed to the mail server: 1,040 (29)',
    'Came back as undeliverable: 3 (1)',
    'Page opened: 600 (0)',
    'Not counted above are machines such as mail scanners: page 2,000, script 60, guide 50.',
    'SOURCES',
    'not named: views 9,000, sign-ups 1,000, pages opened 0, scripts downloaded 0',
    '"launch": views 200, sign-ups 40, pages opened 30, scripts downloaded 20',
    'others: views 0, sign-ups 1, pages opened 0, scripts downloaded 0',
    'On the list: 0',
  ]) {
    expect(report!.split('\n')).toContain(line)
  }
})

test('a campaign called like a property of every object is named in the weekly report', async () => {
  const list = await ownersList()
  await list.count('2026-01-06', 'came-from', 3, 'constructor')
  await list.check()
  expect(list.texts()[0]).toContain('"constructor": views 0, sign-ups 3,')
})

test('the weekly report is sent once a week, on Monday from 07:00 UTC on, and never for earlier weeks', async () => {
  const list = await ownersList()
  const sentAt = async (ms: number) => {
    list.at(ms)
    await list.check()
    return list.mailer.attempts.splice(0).length
  }
  expect(await sentAt(0)).toBe(1)
  expect(await sentAt(7 * dayMs - 1)).toBe(0)
  expect(await sentAt(7 * dayMs)).toBe(1)
  expect(await sentAt(7 * dayMs + minuteMs)).toBe(0)
  expect(await sentAt(40 * dayMs)).toBe(1)
  expect(await sentAt(40 * dayMs + 1)).toBe(0)
})

test.each([
  ['a minute', -minuteMs],
  ['ten weeks', 70 * dayMs],
])(
  'a report is not repeated when the clock was wrong by %s and is set right',
  async (_what, ms) => {
    const list = await ownersList()
    list.at(-7 * dayMs)
    await list.check()
    list.at(0)
    await list.check()
    list.at(ms)
    await list.check()
    const sent = list.subjects().length
    list.at(0)
    await list.check()
    expect(list.subjects()).toHaveLength(sent)
    expect(new Set(list.subjects()).size).toBe(sent)
  },
)

test('a site that is younger than Monday gets its first report a week later', async () => {
  const list = await ownersList({ firstDay: '2026-01-12' })
  await list.check()
  expect(list.mailer.attempts).toEqual([])
  list.at(7 * dayMs)
  await list.check()
  expect(list.subjects()).toEqual(['Bot, 12 January 2026 to 18 January 2026: sign-ups 0'])
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
  await run(list, sql`update deliveries set state = 'sent', finished_at = ${list.now()}`)
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
    await run(list, sql`update deliveries set state = ${state}`)
    list.at(minute * minuteMs)
    await list.check()
  }
  expect(list.subjects()).toEqual(['Bot, alarm: mail is stuck'])
})

test('a letter that paused automatically is told once, with its reason and the way on', async () => {
  const list = await ownersList({ isReportSent: true })
  const why = '3 of the last 100 failed or came back'
  await run(
    list,
    sql`insert into mailings (state, subject, changed_at, paused_why)
      values ('paused', 'News', 0, ${why})`,
  )
  await list.check()
  await run(list, sql`update mailings set state = 'sending', paused_why = null`)
  list.at(hourMs)
  await list.check()
  expect(list.subjects()).toEqual(['Bot, alarm: the letter “News” has paused'])
  expect(list.texts()[0]).toContain(why)
  expect(list.texts()[0]).toContain('“Go on”')
})

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

/** A list, and the mail to its owner. */
async function ownersList({ isReportSent = false, firstDay = '2025-12-01' } = {}) {
  const list = await makeMailingList({ MAIL_TIMEOUT_SECONDS: '30' }, monday)
  const deps = {
    ...list.context,
    ownerEmail,
    settings: { current: settingsWithoutDatabase(list.context.config) } as SettingsHolder, // the part that it reads
    site: { current: { content: defaultContent } } as SiteHolder, // the part that it reads
  }
  const { database, mailer } = list
  const count = (day: string, event: CountedEvent, many: number, detail = '') =>
    database.transaction((transaction) =>
      addDailyCounts(transaction, [{ day, event, detail, count: many }]),
    )
  await count(firstDay, 'delivered', 1)
  if (isReportSent) {
    await checkOnce(deps)
    mailer.attempts.splice(0)
  }
  return {
    ...list,
    deps,
    check: () => checkOnce(deps),
    errors: async () => (await listConditions(deps)).filter(({ severity }) => severity === 'error'),
    subjects: () => mailer.attempts.map(({ message }) => message.subject),
    texts: () => mailer.attempts.map(({ message }) => message.text),
    count,
  }
}

async function countTwoWeeks(count: Awaited<ReturnType<typeof ownersList>>['count']) {
  await count('2025-12-29', 'signed-up', 30, 'closing')
  await count('2026-01-04', 'delivered', 29)
  await count('2026-01-04', 'bounced', 1)
  await count('2026-01-05', 'signed-up', 1_000, 'hero')
  await count('2026-01-11', 'signed-up', 42, 'closing')
  await count('2026-01-05', 'viewed-from', 9_000, 'none')
  await count('2026-01-05', 'came-from', 1_000, 'none')
  await count('2026-01-06', 'viewed-from', 200, 'launch')
  await count('2026-01-06', 'came-from', 40, 'launch')
  await count('2026-01-06', 'opened-from', 30, 'launch')
  await count('2026-01-06', 'taken-from', 20, 'launch')
  await count('2026-01-06', 'came-from', 1, 'other')
  await count('2026-01-07', 'already-listed', 7)
  await count('2026-01-07', 'suggestion-accepted', 2)
  await count('2026-01-07', 'limit-hit', 4, 'site')
  await count('2026-01-08', 'delivered', 1_040)
  await count('2026-01-08', 'bounced', 3)
  await count('2026-01-10', 'page-opened', 600, 'person')
  await count('2026-01-10', 'page-opened', 2_000, 'machine')
  await count('2026-01-10', 'script-downloaded', 60, 'machine')
  await count('2026-01-10', 'guide-downloaded', 50, 'machine')
  await count('2026-01-12', 'signed-up', 49, 'hero')
}

async function run(
  { database }: Pick<Awaited<ReturnType<typeof ownersList>>, 'database'>,
  query: ReturnType<typeof sql>,
) {
  await database.transaction((transaction) => transaction.run(query))
}
