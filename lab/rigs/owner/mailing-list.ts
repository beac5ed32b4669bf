import sql, { join } from 'sql-template-tag'
import { expect } from 'vitest'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { eventRecorder } from '#owner/webhooks/record-event.ts'
import { configOf } from '#owner/command-line/owned-database.ts'
import type { Database } from '#server/database/database.ts'
import { isMailDue } from '#server/deliveries/deliveries.ts'
import { Worker, type WorkerDeps } from '#server/deliveries/worker.ts'
import { createLog } from '#server/log.ts'
import { Counts } from '#server/statistics/counts.ts'
import { addSubscriber, newToken } from '#server/subscribers/subscribers.ts'
import { temporaryDatabase } from '../database/temporary-database.ts'
import { programmableMailer } from '../mail/programmable-mailer.ts'

export type MailingList = Awaited<ReturnType<typeof makeMailingList>>

const dayMs = 24 * 60 * 60_000

/**
 * A list in a new database, with a clock that only the test moves, and a worker whose mailer a test
 * can program.
 */
export async function makeMailingList(
  environment: Record<string, string> = {},
  start = Date.UTC(2026, 0, 5, 12),
) {
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
    /** Sets the clock to `ms` after the start. */
    at: (ms: number) => void (time = start + ms),
    /**
     * Puts people on the list. `asked`: they agreed to mail about versions, or to letters as well.
     */
    signUp: (
      names: readonly string[],
      { asked, at = start - dayMs }: { asked?: Cover; at?: number } = {},
    ) => signUp(database, names, { asked, at }),
    idOf: (identity: string) => idOf(database, identity),
    /**
     * Sends all mail that is due, as a running server does, and returns how many were handed over.
     */
    deliver: () => deliver({ ...context, ...config }, mailer),
  }
}

type Cover = 'versions' | 'news'

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

type Context = Omit<WorkerDeps, 'counts' | 'worker' | 'mailConcurrency'>

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
  }
  const worker = new Worker({ ...context, ...own })
  const isUnderWay = async () =>
    (await isMailDue(database, now())) ||
    (await database.row(sql`select 1 from deliveries where state = 'sending'`)) !== undefined
  await expect.poll(isUnderWay).toBe(false)
  await worker.stop(10_000)
  return attempts.length - before
}
