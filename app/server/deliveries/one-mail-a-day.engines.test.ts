import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { queueAnnouncement } from '#rigs/server/queue-announcement.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { clockToleranceMs, dayMs } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { findPutOff, isInTime } from './one-mail-a-day.ts'

const minuteMs = 60_000
const now = Date.UTC(2026, 5, 1, 12)

describe('a letter of the series is in time', () => {
  test.each([
    { when: 'the moment it is due', dueAt: now },
    { when: 'three days later', dueAt: now - 3 * dayMs },
    { when: 'when another clock is a minute ahead', dueAt: now + clockToleranceMs },
  ])('$when', ({ dueAt }) => {
    expect(isInTime(dueAt, now)).toBe(true)
  })
})

describe('a letter of the series is not in time', () => {
  test.each([
    { when: 'after more than three days', dueAt: now - 3 * dayMs - 1 },
    { when: 'before it is due', dueAt: now + clockToleranceMs + 1 },
    { when: 'for somebody without a series', dueAt: null },
  ])('$when', ({ dueAt }) => {
    expect(isInTime(dueAt, now)).toBe(false)
  })
})

describe('a letter of the series', () => {
  test('goes to somebody who gets nothing else', async () => {
    const person = await newPerson()
    const letter = await person.queue('series')
    expect(await person.putOffOf(letter, 'series')).toBeUndefined()
  })

  test('goes beside a starter mail that waits', async () => {
    const person = await newPerson({ hasStarterMail: true })
    const letter = await person.queue('series')
    expect(await person.putOffOf(letter, 'series')).toBeUndefined()
  })

  test('goes beside what waits for somebody else', async () => {
    const person = await newPerson()
    const letter = await person.queue('series')
    await person.queueForSomebodyElse('version')
    expect(await person.putOffOf(letter, 'series')).toBeUndefined()
  })

  test.each(['version', 'letter'] as const)(
    'waits a day for a mail of the kind %s that has not gone yet',
    async (kind) => {
      const person = await newPerson()
      const letter = await person.queue('series')
      await person.queue(kind)
      expect(await person.putOffOf(letter, 'series')).toBe(now + dayMs)
    },
  )

  test('waits a day for an earlier letter of the series that is being sent', async () => {
    const person = await newPerson()
    const earlier = await person.queue('series')
    const letter = await person.queue('series')
    await person.setState(earlier, 'sending')
    expect(await person.putOffOf(letter, 'series')).toBe(now + dayMs)
  })

  test('does not wait for an earlier letter of the series that is queued', async () => {
    const person = await newPerson()
    await person.queue('series')
    const letter = await person.queue('series')
    expect(await person.putOffOf(letter, 'series')).toBeUndefined()
  })

  test('does not wait for a later letter of the series that is being sent', async () => {
    const person = await newPerson()
    const letter = await person.queue('series')
    await person.setState(await person.queue('series'), 'sending')
    expect(await person.putOffOf(letter, 'series')).toBeUndefined()
  })

  test('waits until a day after the last mail that has gone', async () => {
    const person = await newPerson()
    const letter = await person.queue('series')
    await person.send(await person.queue('version'), now - 20 * minuteMs)
    await person.send(await person.queue('letter'), now - 30 * minuteMs)
    expect(await person.putOffOf(letter, 'series')).toBe(now - 20 * minuteMs + dayMs)
  })

  test.each([
    { sentAt: now - dayMs + 1, dueAt: now + 1 },
    { sentAt: now - dayMs, dueAt: undefined },
    { sentAt: now + clockToleranceMs, dueAt: now + clockToleranceMs + dayMs },
    { sentAt: now + clockToleranceMs + 1, dueAt: undefined },
  ])('is due again at $dueAt after a mail of $sentAt', async ({ sentAt, dueAt }) => {
    const person = await newPerson()
    const letter = await person.queue('series')
    await person.send(await person.queue('version'), sentAt)
    expect(await person.putOffOf(letter, 'series')).toBe(dueAt)
  })
})

describe('an announcement', () => {
  test('goes beside letters of the series that wait, and other announcements', async () => {
    const person = await newPerson()
    const mail = await person.queue('version')
    await person.queue('series')
    await person.setState(await person.queue('letter'), 'sending')
    expect(await person.putOffOf(mail, 'version')).toBeUndefined()
  })

  test('waits a minute for a letter of the series that is being sent', async () => {
    const person = await newPerson()
    const mail = await person.queue('version')
    await person.setState(await person.queue('series'), 'sending')
    expect(await person.putOffOf(mail, 'version')).toBe(now + minuteMs)
  })

  test('waits until a day after a letter of the series', async () => {
    const person = await newPerson()
    const mail = await person.queue('version')
    await person.send(await person.queue('series'), now - minuteMs)
    expect(await person.putOffOf(mail, 'version')).toBe(now - minuteMs + dayMs)
  })

  test('goes on the day of another announcement', async () => {
    const person = await newPerson()
    const mail = await person.queue('version')
    await person.send(await person.queue('letter'), now - minuteMs)
    expect(await person.putOffOf(mail, 'version')).toBeUndefined()
  })
})

type Kind = 'version' | 'letter' | 'series'

async function newPerson({ hasStarterMail = false } = {}) {
  const { database } = await temporaryDatabase()
  const [subscriber = 0, somebodyElse = 0] = await queueMails(
    database,
    ['ada@example.com', 'ben@example.com'],
    { now },
  )
  if (!hasStarterMail) await run(database, sql`delete from deliveries`)
  const queueFor = (person: number) => async (kind: Kind) => {
    const { id } = await queueAnnouncement(database, { subscriber: person, now, kind })
    return id
  }
  return {
    /** Returns the number of the mail. */
    queue: queueFor(subscriber),
    queueForSomebodyElse: queueFor(somebodyElse),
    setState: (id: number, state: string) =>
      run(database, sql`update deliveries set state = ${state} where id = ${id}`),
    send: (id: number, at: number) =>
      run(
        database,
        sql`update deliveries set state = 'sent', finished_at = ${at} where id = ${id}`,
      ),
    putOffOf: (id: number, kind: Kind) => findPutOff(database, { id, subscriber, kind }, now),
  }
}

async function run(database: Database, query: Sql): Promise<void> {
  await database.transaction((transaction) => transaction.run(query))
}
