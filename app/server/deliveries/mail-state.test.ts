import { setImmediate as turn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { createLog } from '../log.ts'
import { claimMails, type MailOutcome, recordOutcome } from './deliveries.ts'
import { readMailState, recordFlow, watchMail } from './mail-state.ts'

const minuteMs = 60_000
const start = Date.UTC(2026, 0, 5)
const sent: MailOutcome = { kind: 'sent', ms: 1 }

test('mail is stuck after five minutes without a hand-over, for as long as that lasts, and is logged once', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.settle(postponed('smtp 451 to DATA', 4))
  expect(await mail.troubleAt(4)).toBeUndefined()
  expect(await mail.troubleAt(5)).toEqual({ kind: 'stuck', since: start, why: 'smtp 451 to DATA' })
  await mail.troubleAt(6)
  await mail.settle(sent)
  expect(await mail.troubleAt(6)).toBeUndefined()
  await mail.queue('bob@example.com')
  expect(await mail.troubleAt(12)).toMatchObject({ kind: 'stuck', since: start + 6 * minuteMs })
  expect(await mail.logged()).toEqual([
    'mail has been stuck for 5 minutes: none went out',
    'mail flows again',
    'mail has been stuck for 5 minutes: none went out',
  ])
})

test('mail that was never tried is stuck too, and says so', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  expect(await mail.troubleAt(5)).toMatchObject({
    kind: 'stuck',
    why: expect.stringMatching(/^none was tried/),
  })
})

test('a mail that is postponed for hours is not stuck while others go out', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.settle(postponed('smtp 451 to DATA', 120))
  for (const minute of [4, 8, 12]) {
    expect(await mail.troubleAt(minute)).toBeUndefined()
    await mail.queue(`n${minute}@example.com`)
    await mail.settle(sent)
  }
})

test.each(['smtp 450 to RCPT TO', 'smtp 451 to RCPT TO'])(
  'a recipient who is deferred (%s) is not stuck, and a dead relay beside it is noticed',
  async (deferred) => {
    const mail = await mailAt()
    await mail.queue('ada@example.com')
    await mail.settle(postponed(deferred, 120))
    expect(await mail.troubleAt(60)).toBeUndefined()
    await mail.queue('bob@example.com')
    await mail.settle(away('ECONNREFUSED', 60))
    expect(await mail.troubleAt(64)).toBeUndefined()
    expect(await mail.troubleAt(65)).toMatchObject({ kind: 'stuck', why: 'ECONNREFUSED' })
  },
)

test.each(['smtp 421 to RCPT TO', 'smtp 451 to MAIL FROM', 'smtp 452 to DATA', 'resend 500'])(
  'a mail that waits after %s is stuck',
  async (why) => {
    const mail = await mailAt()
    await mail.queue('ada@example.com')
    await mail.settle(postponed(why, 120))
    expect(await mail.troubleAt(5)).toMatchObject({ kind: 'stuck', why })
  },
)

test('mail is late when some has been due for half an hour although mail goes out', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.queue('bob@example.com')
  for (const minute of [4, 8, 12, 16, 20, 24, 28, 32]) {
    await mail.troubleAt(minute)
    await mail.handOver()
  }
  expect(await mail.troubleAt(33)).toMatchObject({ kind: 'late', since: start })
  expect(await mail.logged()).toEqual([
    'mail has been due for 30 minutes: less goes out than is queued',
  ])
})

test('announcements are counted apart, and are never stuck', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com', 9)
  expect(await mail.troubleAt(600)).toBeUndefined()
  expect(await readMailState(mail.database, start)).toMatchObject({
    waiting: 0,
    announcementsWaiting: 1,
  })
  expect((await readMailState(mail.database, start)).oldestQueuedAt).toBeUndefined()
})

test('the relay is away from a refusal to the next hand-over, and not by a clock that was ahead', async () => {
  const mail = await mailAt()
  const isAway = async () => (await readMailState(mail.database, mail.now())).isRelayAway
  expect(await isAway()).toBe(false)
  await mail.queue('ada@example.com')
  await mail.settle(away('smtp 535 to AUTH', 0))
  expect(await isAway()).toBe(true)
  mail.at(-24 * 60)
  expect(await isAway()).toBe(false)
  mail.at(1)
  await mail.settle(sent)
  expect(await isAway()).toBe(false)
})

function postponed(why: string, minutes: number) {
  return { kind: 'postponed', why, dueAt: start + minutes * minuteMs, isRelayAway: false } as const
}

function away(why: string, minutes: number): MailOutcome {
  return { ...postponed(why, minutes), isRelayAway: true }
}

/** A queue whose clock only the test moves. */
async function mailAt() {
  const { database } = await temporaryDatabase()
  let [time, log] = [start, '']
  const now = () => time
  const watch = watchMail(
    createLog('info', (lines) => void (log += lines)),
    now,
  )
  const at = (minute: number) => void (time = start + minute * minuteMs)
  return {
    database,
    now,
    at,
    queue: (address: string, priority: 0 | 9 = 0) =>
      queueMails(database, [address], { now: time, priority }),
    /** Ends an attempt of the newest mail. */
    settle: (outcome: MailOutcome) =>
      database.transaction(async (transaction) => {
        const claim = { worker: 'w', now: time, most: 10, mostAbove0: 10, ceiling: Infinity }
        await transaction.run(
          sql`update deliveries set due_at = ${time} where id = (select max(id) from deliveries)`,
        )
        for (const mail of (await claimMails(transaction, claim)).mails) {
          await recordOutcome(transaction, mail, outcome, { worker: 'w', now: time })
        }
        await recordFlow(transaction, outcome, time)
      }),
    /** As if another mail had gone out. */
    handOver: () => database.transaction((transaction) => recordFlow(transaction, sent, time)),
    async troubleAt(minute: number) {
      at(minute)
      await watch(database)
      return (await readMailState(database, time)).trouble
    },
    async logged() {
      await turn() // createLog writes at the end of one
      return log
        .split('\n')
        .filter(Boolean)
        .map((line): string => JSON.parse(line).event)
    },
  }
}
