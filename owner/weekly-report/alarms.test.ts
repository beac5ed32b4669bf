import { expect, test } from 'vitest'
import { brand } from '#content/brand.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { accepted, temporary } from '#rigs/mail/programmable-mailer.ts'
import { leaseMs, makeOwnerMail } from '#rigs/owner/test-owner-mail.ts'
import type { SendOutcome } from '#server/transports/mailer.ts'

const words = ownerMailText.alarm
const stuck = { kind: 'stuck' as const, since: Date.parse('2026-01-06T09:05:00Z'), why: 'ECONNREFUSED' }

test('stuck mail is reported at once with count and reason, then once a day while it lasts', async () => {
  const owner = await start()
  await owner.signUp('ada@example.com', { queued: true })
  owner.at('2026-01-06T09:10:00Z')
  await owner.check(stuck)
  expect(owner.subjects()).toEqual([subjectOf(words.stuck.isSo)])
  const [text] = owner.texts()
  expect(text).toContain(words.stuck.now('6 January 2026 at 09:05 UTC'))
  expect(text).toContain(words.stuck.waiting('1', 'ECONNREFUSED'))
  expect(text).not.toContain('@')
  owner.at('2026-01-07T09:09:00Z')
  await owner.check(stuck)
  expect(owner.subjects()).toHaveLength(1)
  owner.at('2026-01-07T09:10:00Z')
  await owner.check(stuck)
  expect(owner.subjects()).toHaveLength(2)
})

test('late mail is reported in its own words', async () => {
  const owner = await start()
  owner.at('2026-01-06T09:10:00Z')
  await owner.check({ ...stuck, kind: 'late' })
  expect(owner.subjects()).toEqual([subjectOf(words.late.isSo)])
  expect(owner.texts()[0]).toContain(words.late.now('6 January 2026 at 09:05 UTC'))
})

test('an alarm that cannot go out is kept across a restart, and sent when mail flows again', async () => {
  const owner = await start()
  owner.mailer.answer(() => temporary)
  owner.at('2026-01-06T09:10:00Z')
  await owner.check(stuck)
  owner.at('2026-01-06T09:40:00Z')
  const restarted = await owner.instance()
  await restarted.check(stuck)
  owner.mailer.answer(() => accepted)
  owner.at('2026-01-06T11:00:00Z')
  await restarted.check()
  await restarted.check()
  expect(owner.subjects()).toEqual([
    subjectOf(words.stuck.isSo),
    subjectOf(words.stuck.isSo),
    subjectOf(words.stuck.wasSo),
  ])
  const told = words.stuck.before('6 January 2026 at 09:05 UTC', '6 January 2026 at 09:40 UTC')
  expect(owner.texts().at(-1)).toContain(told)
  expect(new Set(owner.mailer.attempts.map(({ message }) => message.messageId)).size).toBe(1)
})

test('at most one alarm a day is sent; later findings go with the next one, even if they are over', async () => {
  const owner = await start()
  await owner.count('2026-01-06', 'failed', 9)
  owner.at('2026-01-06T08:00:00Z')
  await owner.check()
  owner.at('2026-01-06T09:10:00Z')
  await owner.check(stuck)
  owner.at('2026-01-07T07:59:00Z')
  await owner.check()
  expect(owner.subjects()).toEqual([subjectOf(words.bounces.isSo)])
  owner.at('2026-01-07T08:00:00Z')
  await owner.check()
  await owner.check()
  expect(owner.subjects().slice(1)).toEqual([subjectOf(words.stuck.wasSo)])
})

test('the second time mail is stuck is reported with its own start', async () => {
  const owner = await start()
  owner.mailer.answer(() => temporary)
  owner.at('2026-01-06T09:10:00Z')
  await owner.check(stuck)
  owner.at('2026-01-06T15:00:00Z')
  await owner.check({ ...stuck, since: Date.parse('2026-01-06T14:50:00Z') })
  expect(owner.texts().at(-1)).toContain(words.stuck.now('6 January 2026 at 14:50 UTC'))
})

test('findings of the same check go in one mail', async () => {
  const owner = await start()
  owner.at('2026-01-06T09:10:00Z')
  await owner.count('2026-01-06', 'failed', 9)
  await owner.check(stuck)
  expect(owner.subjects()).toEqual([subjectOf(`${words.stuck.isSo}, ${words.bounces.isSo}`)])
})

test.each([
  ['4 of 10: too few to tell', 4, 10, 0],
  ['5 of 250: 2 %', 5, 250, 0],
  ['6 of 250: above 2 %', 6, 250, 1],
  ['5 while nothing went out', 5, 0, 1],
  ['more than was handed over', 15, 10, 1],
])('mail that failed or came back in the last 7 days, %s', async (_what, bad, delivered, alarms) => {
  const owner = await start()
  owner.at('2026-01-10T12:00:00Z')
  await owner.count('2026-01-03', 'bounced', 500)
  await owner.count('2026-01-04', 'bounced', bad - 2)
  await owner.count('2026-01-10', 'failed', 2)
  await owner.count('2026-01-05', 'delivered', delivered)
  await owner.check()
  expect(owner.subjects()).toEqual(Array.from({ length: alarms }, () => subjectOf(words.bounces.isSo)))
  if (alarms > 0) expect(owner.texts()[0]).toContain('4 January 2026')
  if (bad > delivered) expect(owner.texts()[0]).not.toMatch(/\(\d/) // no share
})

test('bounces that go on are reported again after 7 days', async () => {
  const owner = await start()
  const days: number[] = []
  for (let day = 6; day <= 20; day += 1) {
    const date = `2026-01-${String(day).padStart(2, '0')}`
    await owner.count(date, 'bounced', 5)
    owner.at(`${date}T12:00:00Z`)
    await owner.check()
    if (owner.mailer.attempts.splice(0).length > 0) days.push(day)
  }
  expect(days).toEqual([6, 13, 20])
})

test('sign-ups are compared by the last full day', async () => {
  const owner = await start()
  const usual = Array.from({ length: 28 }, (_, index) => 18 + (index % 5))
  await owner.countSignUps('2026-01-30', [...usual, 0])
  owner.at('2026-01-30T23:45:00Z')
  await owner.check()
  expect(owner.subjects()).toEqual([])
  owner.at('2026-01-31T00:00:00Z')
  await owner.check()
  expect(owner.subjects()).toEqual([subjectOf(words.noSignUps.isSo)])
  expect(owner.texts()[0]).toContain(words.noSignUps.seen('30 January 2026', '20'))
})

test.each([
  [2, words.fewSignUps.isSo],
  [300, words.manySignUps.isSo],
])('%d sign-ups where some 20 are usual are told', async (count, what) => {
  const owner = await start()
  await owner.countSignUps('2026-01-30', [...Array.from({ length: 28 }, () => 20), count])
  owner.at('2026-01-31T00:10:00Z')
  await owner.check()
  expect(owner.subjects()).toEqual([subjectOf(what)])
  expect(owner.texts()[0]).toContain(`${count} on 30 January 2026`)
})

test('while one instance sends an alarm, no other instance does', async () => {
  const owner = await start()
  owner.at('2026-01-06T09:10:00Z')
  owner.mailer.answer(() => new Promise<SendOutcome>(() => {}))
  void owner.check(stuck)
  await expect.poll(() => owner.mailer.attempts).toHaveLength(1)
  const { check } = await owner.instance()
  owner.mailer.answer(() => accepted)
  await check(stuck)
  expect(owner.mailer.attempts).toHaveLength(1)
  owner.at(new Date(owner.now() + leaseMs).toISOString())
  await check(stuck)
  expect(owner.mailer.attempts).toHaveLength(2)
})

function subjectOf(what: string): string {
  return `${brand.name}, ${words.subject(what)}`
}

/** No weekly report is due. */
async function start() {
  const owner = await makeOwnerMail()
  await owner.withoutWeeklyReport()
  return owner
}
