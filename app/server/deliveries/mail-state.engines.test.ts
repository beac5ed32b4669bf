import { repairClocks } from '../database/clock.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { noMailings } from './mailing-rules.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { queueMails } from '#rigs/server/queue-mails.ts'
import { createLog } from '../log.ts'
import { claimMails, type MailOutcome, recordOutcome } from './deliveries.ts'
import {
  forgetFutureRelay,
  noteSameRefusals,
  readMailState,
  readRelay,
  recordFlow,
  watchMail,
} from './mail-state.ts'

const minuteMs = 60_000
const start = Date.UTC(2026, 0, 5)
const sent: MailOutcome = { kind: 'sent', ms: 1 }

test('mail is stuck after five minutes of a relay that takes none, for as long as that lasts, and is logged once', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.settle(heldUp('smtp 421 to EHLO', 0))
  expect(await mail.troubleAt(4)).toBeUndefined()
  expect(await mail.troubleAt(5)).toEqual({ kind: 'stuck', since: start, why: 'smtp 421 to EHLO' })
  await mail.settle(heldUp('ECONNREFUSED', 0))
  expect(await mail.troubleAt(6)).toEqual({ kind: 'stuck', since: start, why: 'ECONNREFUSED' })
  await mail.settle(sent)
  expect(await mail.troubleAt(6)).toBeUndefined()
  expect(await mail.logged()).toEqual(['mail is stuck', 'mail flows again'])
})

test('a relay that refuses mail after mail in the same words does so since the first, until an hour after the last', async () => {
  const { database } = await temporaryDatabase()
  const refuse = (minute: number) =>
    database.transaction((transaction) =>
      noteSameRefusals(transaction, 'smtp 554 Spam', start + minute * minuteMs),
    )
  const refusalsAt = async (minute: number) =>
    (await readRelay(database, start + minute * minuteMs)).sameRefusals
  await refuse(0)
  await refuse(59)
  const lastAt = start + 59 * minuteMs
  expect(await refusalsAt(118)).toEqual({ since: start, lastAt, why: 'smtp 554 Spam' })
  expect(await refusalsAt(119)).toBeUndefined()
  await refuse(119)
  expect(await refusalsAt(119)).toMatchObject({ since: start + 119 * minuteMs })
})

test('mail that waits before its next try is stuck too, if the relay is at fault', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.settle(heldUp('smtp 550 5.7.1 to RCPT TO', 30))
  expect(await mail.troubleAt(5)).toMatchObject({
    kind: 'stuck',
    why: 'smtp 550 5.7.1 to RCPT TO',
  })
})

test('mail that was never tried is stuck too, and says so', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  expect(await mail.troubleAt(4)).toBeUndefined()
  expect(await mail.troubleAt(5)).toMatchObject({
    kind: 'stuck',
    since: start,
    why: expect.stringMatching(/^none was tried/),
  })
})

test('mail that cannot be written is stuck too, and the relay is not blamed', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  const why = 'the mail cannot be written'
  await mail.settle({ kind: 'unwritten', why, dueAt: start + 60 * minuteMs })
  expect(await mail.troubleAt(4)).toBeUndefined()
  expect(await mail.troubleAt(5)).toEqual({ kind: 'stuck', since: start, why })
})

test('a relay that was at fault before the mail was queued gives it five minutes', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.settle(heldUp('ECONNREFUSED', 0))
  await mail.settle({ kind: 'cancelled' })
  mail.at(60)
  await mail.queue('bob@example.com')
  expect(await mail.troubleAt(64)).toBeUndefined()
  expect(await mail.troubleAt(65)).toMatchObject({ kind: 'stuck', why: 'ECONNREFUSED' })
})

test('a recipient who is deferred is not stuck, and a dead relay beside it is noticed', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.settle(deferred(120))
  expect(await mail.troubleAt(60)).toBeUndefined()
  await mail.queue('bob@example.com')
  await mail.settle(heldUp('ECONNREFUSED', 60))
  expect(await mail.troubleAt(64)).toBeUndefined()
  expect(await mail.troubleAt(65)).toMatchObject({ kind: 'stuck', why: 'ECONNREFUSED' })
})

test('mail is late when some has been due for half an hour although mail goes out', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.queue('bob@example.com')
  for (const minute of [4, 8, 12, 16, 20, 24, 28, 32]) {
    await mail.troubleAt(minute)
    await mail.handOver()
  }
  expect(await mail.troubleAt(33)).toMatchObject({ kind: 'late', since: start })
  expect(await mail.logged()).toEqual(['mail is late'])
})

test('announcements are counted apart, and are never stuck', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com', 9)
  expect(await mail.troubleAt(600)).toBeUndefined()
  expect(await readMailState(mail.database, start)).toMatchObject({
    waiting: 0,
    mailingsWaiting: 1,
  })
  expect((await readMailState(mail.database, start)).oldestQueuedAt).toBeUndefined()
})

test('the relay is away from its first fault to its next answer', async () => {
  const mail = await mailAt()
  const away = async () => (await readMailState(mail.database, mail.now())).relayAway
  expect(await away()).toBeUndefined()
  await mail.queue('ada@example.com')
  await mail.settle(heldUp('smtp 535 to AUTH', 0))
  mail.at(2)
  await mail.settle(heldUp('ECONNREFUSED', 4))
  const nextTryAt = start + 4 * minuteMs
  expect(await away()).toEqual({ since: start, why: 'ECONNREFUSED', nextTryAt })
  await mail.settle(deferred(120))
  expect(await away()).toBeUndefined()
  await mail.settle(heldUp('ECONNREFUSED', 4))
  await mail.settle(sent)
  expect(await away()).toBeUndefined()
})

test('the next try is not before the relay is to be left alone no longer', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.settle(heldUp('resend 429', 0), 10 * minuteMs)
  const { relayAway } = await readMailState(mail.database, start)
  expect(relayAway).toMatchObject({ nextTryAt: start + 10 * minuteMs })
})

test('the relay is away since now at the latest, after a clock that was ahead', async () => {
  const mail = await mailAt()
  await mail.queue('ada@example.com')
  await mail.settle(heldUp('ECONNREFUSED', 0))
  mail.at(-24 * 60)
  await repairClocks(mail.database, [forgetFutureRelay], mail.now)
  const { relayAway } = await readMailState(mail.database, mail.now())
  expect(relayAway).toMatchObject({ since: mail.now() })
})

function deferred(minutes: number): MailOutcome {
  return { kind: 'deferred', why: 'smtp 450 to RCPT TO', dueAt: start + minutes * minuteMs }
}

function heldUp(why: string, minutes: number): MailOutcome {
  return { kind: 'held-up', why, dueAt: start + minutes * minuteMs }
}

/** A queue whose clock only the test moves. */
async function mailAt() {
  const { database } = await temporaryDatabase()
  let time = start
  let log = ''
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
    settle: (outcome: MailOutcome, nextTryMs = 0) =>
      database.transaction(async (transaction) => {
        const claim = { worker: 'w', now: time, maxMails: 10, maxAbove0: 10, ceiling: Infinity }
        await transaction.run(
          sql`update deliveries set due_at = ${time} where id = (select max(id) from deliveries)`,
        )
        for (const mail of (await claimMails(transaction, claim)).mails) {
          await recordOutcome(transaction, mail, outcome, {
            worker: 'w',
            now: time,
            rules: noMailings,
          })
        }
        await recordFlow(transaction, outcome, { now: time, nextTryMs })
      }),
    /** As if another mail had gone out. */
    handOver: () =>
      database.transaction((transaction) =>
        recordFlow(transaction, sent, { now: time, nextTryMs: 0 }),
      ),
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
