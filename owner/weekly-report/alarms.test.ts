import { expect, test, vi } from 'vitest'
import { brand } from '#content/brand.ts'
import { ownerMailText } from '#content/owner-mail.ts'
import { accepted, permanent, temporary } from '#rigs/programmable-mailer.ts'
import { leaseMs, makeOwnerMail } from '#rigs/test-owner-mail.ts'
import type { SendOutcome } from '#server/transports/mailer.ts'

const words = ownerMailText.alarm
const stuck = { kind: 'stuck' as const, since: Date.parse('2026-01-06T09:05:00Z'), why: 'ECONNREFUSED' }

test('mail that is stuck is told at once, with what waits and why; while it lasts, once a day', async () => {
  const owner = await start()
  await owner.signUp('ada@example.com', { owed: true })
  owner.at('2026-01-06T09:10:00Z')
  await owner.look(stuck)
  expect(owner.subjects()).toEqual([subjectOf(words.stuck.isSo)])
  const [text] = owner.texts()
  expect(text).toContain(words.stuck.now('6 January 2026 at 09:05 UTC'))
  expect(text).toContain(words.stuck.waiting('1', 'ECONNREFUSED'))
  expect(text).not.toContain('@')
  owner.at('2026-01-07T09:09:00Z')
  await owner.look(stuck)
  expect(owner.subjects()).toHaveLength(1)
  owner.at('2026-01-07T09:10:00Z')
  await owner.look(stuck)
  expect(owner.subjects()).toHaveLength(2)
})

test('mail that is late is told too, in its own words', async () => {
  const owner = await start()
  owner.at('2026-01-06T09:10:00Z')
  await owner.look({ ...stuck, kind: 'late' })
  expect(owner.subjects()).toEqual([subjectOf(words.late.isSo)])
  expect(owner.texts()[0]).toContain(words.late.now('6 January 2026 at 09:05 UTC'))
})

test('an alarm that cannot go out is kept, over a restart too, and sent when mail flows again', async () => {
  const owner = await start()
  owner.mailer.answer(() => temporary)
  owner.at('2026-01-06T09:10:00Z')
  await owner.look(stuck)
  owner.at('2026-01-06T09:40:00Z')
  const restarted = await owner.instance()
  await restarted.look({ ...stuck, since: Date.parse('2026-01-06T09:30:00Z') })
  owner.mailer.answer(() => accepted)
  owner.at('2026-01-06T11:00:00Z')
  await restarted.look()
  await restarted.look()
  expect(owner.subjects()).toEqual([
    subjectOf(words.stuck.isSo),
    subjectOf(words.stuck.isSo),
    subjectOf(words.stuck.wasSo),
  ])
  const told = words.stuck.before('6 January 2026 at 09:05 UTC', '6 January 2026 at 09:40 UTC')
  expect(owner.texts().at(-1)).toContain(told)
  expect(new Set(owner.mailer.attempts.map(({ message }) => message.messageId)).size).toBe(1)
})

test('one alarm a day in all: what comes up meanwhile goes with the next, even if it is over by then', async () => {
  const owner = await start()
  await owner.count('2026-01-06', 'failed', 9)
  owner.at('2026-01-06T08:00:00Z')
  await owner.look()
  owner.at('2026-01-06T09:10:00Z')
  await owner.look(stuck)
  owner.at('2026-01-07T07:59:00Z')
  await owner.look()
  expect(owner.subjects()).toEqual([subjectOf(words.bounces.isSo)])
  owner.at('2026-01-07T08:00:00Z')
  await owner.look()
  await owner.look()
  expect(owner.subjects().slice(1)).toEqual([subjectOf(words.stuck.wasSo)])
})

test('of two times that mail was stuck, the later is told with its own beginning', async () => {
  const owner = await start()
  owner.mailer.answer(() => temporary)
  owner.at('2026-01-06T09:10:00Z')
  await owner.look(stuck)
  owner.at('2026-01-06T15:00:00Z')
  await owner.look({ ...stuck, since: Date.parse('2026-01-06T14:50:00Z') })
  expect(owner.texts().at(-1)).toContain(words.stuck.now('6 January 2026 at 14:50 UTC'))
})

test('what is seen at once goes in one mail', async () => {
  const owner = await start()
  owner.at('2026-01-06T09:10:00Z')
  await owner.count('2026-01-06', 'failed', 9)
  await owner.look(stuck)
  expect(owner.subjects()).toEqual([subjectOf(`${words.stuck.isSo}, ${words.bounces.isSo}`)])
})

test.each([
  ['4 of 10: too few to tell', 4, 10, 0],
  ['5 of 250: 2 %', 5, 250, 0],
  ['6 of 250: above 2 %', 6, 250, 1],
  ['5 while nothing went out', 5, 0, 1],
])('mail that failed or came back in the last 7 days, %s', async (_what, bad, delivered, alarms) => {
  const owner = await start()
  owner.at('2026-01-10T12:00:00Z')
  await owner.count('2026-01-03', 'bounced', 500)
  await owner.count('2026-01-04', 'bounced', bad - 2)
  await owner.count('2026-01-10', 'failed', 2)
  await owner.count('2026-01-05', 'delivered', delivered)
  await owner.look()
  expect(owner.subjects()).toEqual(Array.from({ length: alarms }, () => subjectOf(words.bounces.isSo)))
  if (alarms > 0) expect(owner.texts()[0]).toContain('4 January 2026')
})

test('bounces that go on are told again after 7 days, not each day', async () => {
  const owner = await start()
  const days: number[] = []
  for (let day = 6; day <= 20; day += 1) {
    const date = `2026-01-${String(day).padStart(2, '0')}`
    await owner.count(date, 'bounced', 5)
    owner.at(`${date}T12:00:00Z`)
    await owner.look()
    if (owner.mailer.attempts.splice(0).length > 0) days.push(day)
  }
  expect(days).toEqual([6, 13, 20])
})

test('sign-ups are judged by the last full day', async () => {
  const owner = await start()
  const usual = Array.from({ length: 28 }, (_, index) => 18 + (index % 5))
  await owner.countSignUps('2026-01-30', [...usual, 0])
  owner.at('2026-01-30T23:45:00Z')
  await owner.look()
  expect(owner.subjects()).toEqual([])
  owner.at('2026-01-31T00:00:00Z')
  await owner.look()
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
  await owner.look()
  expect(owner.subjects()).toEqual([subjectOf(what)])
  expect(owner.texts()[0]).toContain(`${count} on 30 January 2026`)
})

test('of many instances that see it at once, one sends', async () => {
  const owner = await start()
  owner.at('2026-01-06T09:10:00Z')
  const instances = await Promise.all([1, 2, 3, 4].map(() => owner.instance()))
  await Promise.all(instances.map(({ look }) => look(stuck)))
  await Promise.all(instances.map(({ look }) => look(stuck)))
  expect(owner.mailer.attempts).toHaveLength(1)
})

test('while one instance sends an alarm, no other does', async () => {
  const owner = await start()
  owner.at('2026-01-06T09:10:00Z')
  owner.mailer.answer(() => new Promise<SendOutcome>(() => {}))
  void owner.look(stuck)
  await vi.waitFor(() => expect(owner.mailer.attempts).toHaveLength(1))
  const { look } = await owner.instance()
  owner.mailer.answer(() => accepted)
  await look(stuck)
  expect(owner.mailer.attempts).toHaveLength(1)
  owner.at(new Date(owner.now() + leaseMs).toISOString())
  await look(stuck)
  expect(owner.mailer.attempts).toHaveLength(2)
})

test('an alarm that is refused is given up, not tried at each look', async () => {
  const owner = await start()
  owner.mailer.answer(() => permanent)
  owner.at('2026-01-06T09:10:00Z')
  await owner.look(stuck)
  await owner.look(stuck)
  expect(owner.mailer.attempts).toHaveLength(1)
  expect(await owner.log()).toContain('mail to the owner refused, given up')
  expect(await owner.log()).not.toContain('@')
})

function subjectOf(what: string): string {
  return `${brand.name}, ${words.subject(what)}`
}

/** No postcard is due. */
async function start() {
  const owner = await makeOwnerMail()
  await owner.withoutPostcard()
  return owner
}
