import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { defaultContent } from '#content/content.ts'
import type { KitVersion } from '#content/releases.ts'
import { changeMailing } from '#owner/mailings/change-mailing.ts'
import { addMailing, type NewMailing } from '#owner/mailings/mailings.ts'
import { sendMailings } from '#owner/mailings/sending/send-mailings.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { mailingRules } from '#owner/mailings/sending/may-go.ts'
import { ownerExtension } from '#owner/start/extension.ts'
import { configOf } from '#owner/acts/owned-database.ts'
import type { Config } from '#server/settings/config.ts'
import type { MailingRules } from '#server/deliveries/mailing-rules.ts'
import { dayMs } from '#server/database/clock.ts'
import type { Database } from '#server/database/database.ts'
import { Worker, type WorkerDeps } from '#server/deliveries/worker/worker.ts'
import { createLog, type Log } from '#server/log.ts'
import { Counts } from '#server/statistics/counts.ts'
import type { SiteHolder } from '#server/site/served-site.ts'
import { switchAnnouncements } from '#server/subscribers/announcement-consent.ts'
import type { RecordEvent } from '#server/subscribers/events.ts'
import { newToken, type Subscriber } from '#server/subscribers/subscribers.ts'
import { wordingsOf } from '#server/subscribers/wordings.ts'
import { temporaryDatabase } from '../database/temporary-database.ts'
import { type ProgrammableMailer, programmableMailer } from '../mail/programmable-mailer.ts'
import { addPeople } from '../server/people.ts'
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
  mailings: MailingRules
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
  /**
   * Puts people on the list: a day before the start, if no time is given. Returns their numbers.
   */
  signUp(names: readonly string[], options?: SignUpOptions): Promise<number[]>
  /** The number of somebody on the list. */
  idOf(identity: string): Promise<number>
  /** Queues what is due of all letters. */
  sendMailings(): Promise<void>
  /** Adds a letter and starts it at once, or switches it on. Returns its number. */
  send(letter: NewMailing): Promise<number>
  /**
   * Sends all mail that is due, as a running server does, and returns how many were handed over.
   */
  deliver(): Promise<number>
  /** Turns somebody's news on or off, as the personal page does. */
  turn(identity: string, to: 'on' | 'off'): Promise<void>
  /** The subjects of all mails that were tried, in order. */
  subjects(): string[]
}

interface SignUpOptions {
  /** They agreed to news. */
  agreed?: boolean
  /** ms since 1970. */
  at?: number
  /** The kit in their starter mail. */
  kit?: KitVersion
}

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
    recordEvent: ownerExtension.recordEvent(config),
    mailings: mailingRules,
    wakeDeliveries: () => {},
    log: createLog('info', (lines) => void (logged += lines)),
  }
  return {
    ...context,
    ...actsOn(context),
    context,
    url,
    start,
    logged: () => logged,
    at: (ms) => void (time = start + ms),
    signUp: (names, options) => addPeople(database, names, { at: start - dayMs, ...options }),
    idOf: (identity) => idOf(database, identity),
  }
}

/** The acts of the server, the owner and people. */
function actsOn(context: ListContext) {
  const { config, database, mailer, now } = context
  const queueMailings = () => sendMailings({ ...context, site: letterSite })
  return {
    sendMailings: queueMailings,
    async send(letter: NewMailing) {
      const id = await database.transaction((transaction) => addMailing(transaction, letter, now()))
      await changeMailing(database, id, { act: 'send', now: now(), isStartedNow: true })
      await queueMailings()
      return id
    },
    async deliver() {
      await queueMailings()
      return deliver({ ...context, ...config }, mailer)
    },
    turn: (identity: string, to: 'on' | 'off') => turnNews(context, identity, to),
    subjects: () => mailer.attempts.map(({ message }) => message.subject),
  }
}

const wording = wordingsOf(defaultContent).news.switch

function turnNews(
  { database, now, recordEvent }: ListContext,
  identity: string,
  to: 'on' | 'off',
): Promise<void> {
  return database.transaction(async (transaction) => {
    const person = await transaction.row<Subscriber>(
      sql`select * from subscribers where identity = ${identity}`,
    )
    const isChanged = await switchAnnouncements(transaction, person!, to, { now: now(), wording })
    if (!isChanged) return
    await recordEvent(transaction, to === 'on' ? 'consented' : 'left', person!.id, now())
  })
}

const frame = { subject: '', html: '{body}', text: '{body}\n{reason}', attributes: {} }
/** The parts that a letter is made from. */
export const letterSite = {
  current: { content: defaultContent, mails: { letter: frame, versionLetter: frame } },
} as unknown as SiteHolder

async function idOf(database: Database, identity: string): Promise<number> {
  const row = await database.row<{ id: number }>(
    sql`select id from subscribers where identity = ${identity}`,
  )
  return row!.id
}

type Context = Omit<
  WorkerDeps,
  'counts' | 'worker' | 'mailConcurrency' | 'mailTimeoutSeconds' | 'random' | 'sender'
>

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
    mailTimeoutSeconds: 30,
    random: () => 0,
    sender: () => sender,
  }
  const worker = new Worker({ ...context, ...own })
  await expect.poll(() => isMailUnderWay(database, now())).toBe(false)
  await worker.stop(10_000)
  return attempts.length - before
}
