import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { addresses } from '#rigs/server/people.ts'
import { queueForTheOthers, queueMailing } from '#rigs/server/queue-mails.ts'
import { pauseReason, readSample, type Sample } from './sample.ts'

const none: Sample = { mails: 0, returned: 0, complaints: 0 }

test.each<{ mails: number; returned: number }>([
  { mails: 1000, returned: 20 },
  { mails: 150, returned: 3 },
  { mails: 50, returned: 1 },
  { mails: 1, returned: 1 },
  { mails: 0, returned: 0 },
])('$returned of $mails mails may come back', ({ mails, returned }) => {
  expect(pauseReason({ ...none, mails, returned })).toBeUndefined()
})

test.each<{ mails: number; returned: number }>([
  { mails: 1000, returned: 21 },
  { mails: 150, returned: 4 },
  { mails: 50, returned: 2 },
  { mails: 2, returned: 2 },
])('$returned of $mails mails that came back are too many', ({ mails, returned }) => {
  expect(pauseReason({ ...none, mails, returned })).toBe(
    `${returned} of the last ${mails} failed or came back`,
  )
})

test('a letter that one person reports as spam goes on', () => {
  expect(pauseReason({ ...none, mails: 5, complaints: 1 })).toBeUndefined()
})

test('a letter that two people report as spam pauses', () => {
  expect(pauseReason({ ...none, mails: 1000, complaints: 2 })).toBe(
    '2 of the last 1000 were reported as spam',
  )
})

test('what came back is named before what was reported as spam', () => {
  expect(pauseReason({ mails: 100, returned: 3, complaints: 2 })).toBe(
    '3 of the last 100 failed or came back',
  )
})

test('mail on its way is not in the sample', async () => {
  const list = await sendTo(3)
  await list.finish('sent', 1)
  expect(await list.sample()).toEqual({ ...none, mails: 1 })
})

test('mail that failed counts as returned', async () => {
  const list = await sendTo(3)
  await list.finish('sent', 2)
  await list.finish('failed', 1)
  expect(await list.sample()).toEqual({ ...none, mails: 3, returned: 1 })
})

test('mail whose address came back later counts as returned', async () => {
  const list = await sendTo(3)
  await list.finish('sent', 3)
  await list.become('undeliverable', 2)
  expect(await list.sample()).toEqual({ ...none, mails: 3, returned: 2 })
})

test('a person who reported the mail as spam counts as a complaint, and one who left does not', async () => {
  const list = await sendTo(3)
  await list.finish('sent', 3)
  await list.become('blocked', 1)
  await list.become('unsubscribed', 1)
  expect(await list.sample()).toEqual({ ...none, mails: 3, complaints: 1 })
})

test('mail from before the letter was resumed is not in the sample', async () => {
  const list = await sendTo(3)
  await list.finish('failed', 1, -1)
  await list.finish('sent', 2, 0)
  expect(await list.sample()).toEqual({ ...none, mails: 2 })
})

test('mail of another letter is not in the sample', async () => {
  const list = await sendTo(3)
  await list.finish('sent', 3)
  await list.startAnother()
  expect(await list.sample()).toEqual(none)
})

test('the sample is of the newest thousand, sent and failed together', async () => {
  const list = await sendTo(1_010)
  await list.finish('failed', 5, 1)
  await list.finish('sent', 600, 2)
  await list.finish('failed', 3, 3)
  await list.finish('sent', 402, 4)
  expect(await list.sample()).toEqual({ ...none, mails: 1_000, returned: 3 })
})

/** A letter with a mail for each of them, in their order; it was resumed at its start. */
async function sendTo(people: number) {
  const list = await makeMailingList()
  const { database, start: resumedAt } = list
  const [first = 0] = await list.signUp(addresses(people), { agreed: true })
  const queueForFirst = async () =>
    (await queueMailing(database, { subscriber: first, now: resumedAt })).mailing
  let id = await queueForFirst()
  await queueForTheOthers(database, { mailing: id, now: resumedAt })
  return {
    /** The next `count` that are queued. `at`: ms after the start. */
    finish: (state: 'sent' | 'failed', count: number, at = 0) =>
      database.transaction((transaction) =>
        transaction.run(sql`
          update deliveries set state = ${state}, finished_at = ${resumedAt + at}
          where id in (
            select id from deliveries where mailing = ${id} and state = 'queued'
            order by id limit ${count})`),
      ),
    /** The next `count` people who are active. */
    become: (state: string, count: number) =>
      database.transaction((transaction) =>
        transaction.run(sql`
          update subscribers set state = ${state}
          where id in (
            select id from subscribers where state = 'active' order by id limit ${count})`),
      ),
    startAnother: async () => {
      id = await queueForFirst()
    },
    sample: () => readSample(database, { id, resumedAt }),
  }
}
