import { setImmediate as turn } from 'node:timers/promises'
import { createLog } from '#server/log.ts'
import type { Database } from '#server/database/database.ts'
import type { Mailer } from '#server/transports/mailer.ts'
import type { MailTrouble } from '#server/deliveries/backlog.ts'
import { configOf } from '#owner/command-line/owned-database.ts'
import type { OwnerMailDeps } from '#owner/weekly-report/send-once.ts'
import { checkOnce } from '#owner/weekly-report/start-owner-mail.ts'
import { addDailyCounts, type CountedEvent, dayOf } from '#server/statistics/daily-counts.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { newcomer, queueMails } from '../server/queue-mails.ts'
import { programmableMailer } from '../mail/programmable-mailer.ts'
import { openForTest, temporaryDatabase } from '../database/temporary-database.ts'

export const ownerEmail = 'owner@example.org'
export const leaseMs = 120_000

/** A new database, a clock that only the test moves, and instances that send mail to the owner. */
export async function makeOwnerMail() {
  const { url, database } = await temporaryDatabase()
  const mailer = programmableMailer()
  let [time, logged] = [0, '']

  async function instance(by: Mailer = mailer) {
    const deps: OwnerMailDeps = {
      database: await openForTest(url),
      mailer: by,
      now: () => time,
      secret: 'key',
      config: configOf({ environment: { MAIL_FROM: 'Bot <bot@mail.example>' } }),
      ownerEmail,
      log: createLog('info', 'key', (lines) => void (logged += lines)),
    }
    return { deps, check: (trouble?: MailTrouble) => checkOnce(deps, trouble) }
  }

  return {
    database,
    mailer,
    instance,
    ...(await instance()),
    ...fillerOf(database, () => time),
    at: (moment: string) => void (time = Date.parse(moment)),
    now: () => time,
    subjects: () => mailer.attempts.map(({ message }) => message.subject),
    texts: () => mailer.attempts.map(({ message }) => (typeof message.text === 'string' ? message.text : '')),
    async log() {
      await turn() // createLog writes at the end of one
      return logged
    },
  }
}

/** Fills the database with what the owner is told about. */
function fillerOf(database: Database, now: () => number) {
  return {
    count: (day: string, event: CountedEvent, count: number, detail = '') =>
      addDailyCounts(database.query, [{ day, event, detail, count }]),
    /** Counts sign-ups on the days up to `last`, in order. */
    countSignUps: (last: string, counts: readonly number[]) =>
      addDailyCounts(
        database.query,
        counts.map((count, index) => {
          const day = dayOf(Date.parse(last) - (counts.length - 1 - index) * 24 * 60 * 60_000)
          return { day, event: 'signed-up', detail: 'hero', count }
        }),
      ),
    async signUp(address: string, { queued = false } = {}) {
      if (queued) await queueMails(database.query, [address], { now: now() })
      else await enrol(database.query, [newcomer(address)], now())
    },
    /** Records this week's report as sent. */
    withoutWeeklyReport: () =>
      database.query
        .insertInto('settings')
        .values({ name: 'weekly-report', value: '{"state":{"sent":"9999-12-31"},"leaseUntil":0}' })
        .execute(),
  }
}
