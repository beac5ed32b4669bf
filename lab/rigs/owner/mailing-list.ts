import sql, { join } from 'sql-template-tag'
import { expect } from 'vitest'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { eventRecorder } from '#owner/mail/webhooks/record-event.ts'
import { configOf } from '#owner/acts/owned-database.ts'
import type { Config } from '#server/settings/config.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database } from '#server/database/database.ts'
import { Worker, type WorkerDeps } from '#server/deliveries/worker.ts'
import { createLog, type Log } from '#server/log.ts'
import { Counts } from '#server/statistics/counts.ts'
import type { RecordEvent } from '#server/subscribers/events.ts'
import { addSubscriber, newToken } from '#server/subscribers/subscribers.ts'
import { temporaryDatabase } from '../database/temporary-database.ts'
import { type ProgrammableMailer, programmableMailer } from '../mail/programmable-mailer.ts'
import { sender } from '../server/queue-mails.ts'
import { isMailUnderWay } from '../server/rows.ts'

/** The parts of a server that rooms of the owner take. */
export interface ListContext {
  config: Config
  database: Database
  mailer: ProgrammableMailer
  /** ms since 1970. */
  now: () => number
  secret: string
  recordEvent: RecordEvent
  wakeDeliveries: () => void
  log: Log
}

export interface MailingList extends ListContext {
  context: ListContext
  /** The address of the database. */
  url: string
  /** The clock's first time, in ms since 1970. */
  start: number
  /** Everything that was logged so far. */
  logged(): string
  /** Sets the clock to `ms` after the start. */
  at(ms: number): void
  /** Puts people on the list: a day before the start, if no time is given. */
  signUp(names: readonly string[], options?: SignUpOptions): Promise<void>
  /** The number of somebody on the list. */
  idOf(identity: string): Promise<number>
  /** Sends all mail that is due, as a running server does, and returns how many were handed over. */
  deliver(): Promise<number>
}

interface SignUpOptions {
  /** They agreed to mail about versions, or to letters as well. */
  asked?: Cover
  /** ms since 1970. */
  at?: number
}

type Cover = 'versions' | 'news'

/**
 * A list in a new database, with a clock that only the test moves, and a worker whose mailer a test
 * can program.
 */
export async function makeMailingList(
  environment: Record<string, string> = {},
  start = Date.UTC(2026, 0, 5, 12),
): Promise<MailingList> {
  const { url, database } = await temporaryDatabase(ownerMigrations)
  const mailer = programmableMailer()
  let time = start
  let logged = ''
  const config = configOf({
    environment: { DATABASE_URL: url, MAIL_FROM: 'Bot <bot@mail.example>', ...environment },
  })
  const context = {
    config,
    database,
    mailer,
    now: () => time,
    secret: 'key',
    recordEvent: eventRecorder(config),
    wakeDeliveries: () => {},
    log: createLog('info', (lines) => void (logged += lines)),
  }
  return {
    ...context,
    context,
    url,
    start,
    logged: () => logged,
    at: (ms) => void (time = start + ms),
    signUp: (names, { asked, at = start - dayMs } = {}) => signUp(database, names, { asked, at }),
    idOf: (identity) => idOf(database, identity),
    deliver: () => deliver({ ...context, ...config }, mailer),
  }
}

async function signUp(
  database: Database,
  names: readonly string[],
  { asked, at }: { asked: Cover | undefined; at: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const ids: number[] = []
    for (const name of names) {
      ids.push(await addSubscriber(transaction, { identity: name, address: name }, at))
    }
    if (asked) {
      await transaction.run(sql`
        update subscribers set announcements_agreed_at = ${at}, announcements_cover = ${asked}
        where id in (${join(ids)})`)
    }
  })
}

async function idOf(database: Database, identity: string): Promise<number> {
  const row = await database.row<{ id: number }>(
    sql`select id from subscribers where identity = ${identity}`,
  )
  return row!.id
}

type Context = Omit<WorkerDeps, 'counts' | 'worker' | 'mailConcurrency' | 'random' | 'sender'>

async function deliver(
  context: Context,
  { attempts }: { attempts: readonly unknown[] },
): Promise<number> {
  const { database, now } = context
  const before = attempts.length
  const own = {
    retrySeconds: [60, 300],
    counts: new Counts(now),
    worker: newToken(),
    mailConcurrency: 4,
    random: () => 0,
    sender: () => sender,
  }
  const worker = new Worker({ ...context, ...own })
  await expect.poll(() => isMailUnderWay(database, now())).toBe(false)
  await worker.stop(10_000)
  return attempts.length - before
}
