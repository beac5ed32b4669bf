import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { makeMailingList } from '#rigs/owner/mailing-list.ts'
import { queueAnnouncement, queueForTheOthers } from '#rigs/server/queue-announcement.ts'
import { type PaceSoFar, readPaceSoFar, readRoom } from './room.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

test('outcomes of the last ten seconds may still change, and are counted anew each time', async () => {
  const mail = await announceToFive()
  await mail.finish(2, minuteMs)
  await mail.finish(1, 30 * minuteMs - 5 * secondMs)
  expect(await mail.soFarAt(30 * minuteMs)).toMatchObject({
    since: mail.start,
    settledAt: mail.start + 30 * minuteMs - 10 * secondMs,
    settled: 2,
  })
})

test('in the first ten seconds of an hour nothing of it is settled', async () => {
  const mail = await announceToFive()
  expect(await mail.soFarAt(hourMs + 5 * secondMs)).toMatchObject({
    since: mail.start + hourMs,
    settledAt: mail.start + hourMs,
    settled: 0,
  })
})

test('each mail of the hour takes one place, finished or not', async () => {
  const mail = await announceToFive()
  await mail.finish(2, minuteMs)
  const soFar = await mail.soFarAt(30 * minuteMs)
  await mail.finish(1, 30 * minuteMs)
  expect(await mail.roomAt(30 * minuteMs, soFar)).toBe(10 - 5)
})

test('an hour that has begun since counts none of the mails of the one before', async () => {
  const mail = await announceToFive()
  await mail.finish(2, minuteMs)
  const soFar = await mail.soFarAt(59 * minuteMs)
  expect(await mail.roomAt(61 * minuteMs, soFar)).toBe(10 - 3)
})

test('mail that its recipient put off takes a place in the hour in which it was queued', async () => {
  const mail = await announceToFive()
  await mail.putOff(2, 3 * hourMs)
  expect(await mail.roomAt(minuteMs, await mail.soFarAt(minuteMs))).toBe(10 - 5)
  expect(await mail.roomAt(hourMs, await mail.soFarAt(hourMs))).toBe(10 - 3)
})

/** Ten mails an hour, of which five are queued. Times are ms after the start. */
async function announceToFive() {
  const list = await makeMailingList()
  const { database, start } = list
  const addresses = Array.from({ length: 5 }, (_, index) => `person-${index}@example.com`)
  await list.signUp(addresses, { asked: 'versions' })
  const subscriber = await list.idOf(addresses[0]!)
  const { announcement } = await queueAnnouncement(database, { subscriber, now: start })
  await queueForTheOthers(database, { announcement, now: start })
  const paced = { id: announcement, resumedAt: start, perHour: 10, siteMailsPerHour: Infinity }
  const firstQueued = (count: number) => sql`
    id in (select id from deliveries where state = 'queued' order by id limit ${count})`
  return {
    start,
    finish: (count: number, at: number) =>
      database.transaction((transaction) =>
        transaction.run(sql`
          update deliveries set state = 'sent', finished_at = ${start + at}
          where ${firstQueued(count)}`),
      ),
    putOff: (count: number, dueAt: number) =>
      database.transaction((transaction) =>
        transaction.run(sql`
          update deliveries set due_at = ${start + dueAt} where ${firstQueued(count)}`),
      ),
    soFarAt: (at: number) => readPaceSoFar(database.ownerReads, paced, start + at),
    roomAt: (at: number, soFar: PaceSoFar) => readRoom(database, paced, soFar, start + at),
  }
}
