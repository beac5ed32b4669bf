import type { Database } from '#server/database/database.ts'
import { createLog } from '#server/log.ts'
import {
  type ClaimedMail,
  claimMail,
  enqueue,
  isStillWanted,
  type MailOutcome,
  record,
} from '#server/deliveries/deliveries.ts'
import { type DeliveryDeps, send } from '#server/deliveries/mail-queue.ts'
import type { Lane } from '#server/deliveries/lanes.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import { Counts } from '#server/statistics/counts.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { programmableMailer } from '../mail/programmable-mailer.ts'
import { newcomer, shortTemplate } from './queue-mails.ts'
import { openTemporaryDatabase } from '../database/temporary-database.ts'

export const minuteMs = 60_000

/** Deliveries in a new database, with a clock that only the test moves, unless `settings` has another. */
export async function makeTestDeliveries(settings: Partial<DeliveryDeps> = {}) {
  const database = await openTemporaryDatabase()
  const { query } = database
  const start = Date.UTC(2026, 0, 5)
  let time = start
  const { deps, mailer, log } = makeDeps(database, () => time, settings)
  const template = await keepTemplate(query, shortTemplate)
  const queueFor = (subscriber: number, afterMs = 0, lane: Lane = 0) => {
    const now = (settings.now?.() ?? start) + afterMs
    return enqueue(query, [subscriber], { template, senderDomain: 'mail.example', lane, now })
  }
  return {
    database,
    query,
    deps,
    mailer,
    start,
    queueFor,
    log,
    /** Sets the clock to `ms` after the start. */
    at: (ms: number) => void (time = start + ms),
    /** Adds a subscriber with one delivery that is due after `ms`. */
    async queue(address: string, afterMs = 0, lane: Lane = 0) {
      const [enrolled] = await enrol(query, [newcomer(address)], start)
      await queueFor(enrolled!.id, afterMs, lane)
      return enrolled!.id
    },
    async deliverAll(by: DeliveryDeps = deps) {
      for (const mail of (await claimMail(by, 100)).mails) await record(by, [await attempt(by, mail)])
    },
    states: () => statesIn(database, 'deliveries'),
    subscriberStates: () => statesIn(database, 'subscribers'),
  }
}

function makeDeps(database: Database, now: () => number, settings: Partial<DeliveryDeps>) {
  const mailer = programmableMailer()
  let logged = ''
  const deps: DeliveryDeps = {
    database,
    mailer,
    worker: 'this one',
    now,
    retrySeconds: [60],
    siteMailsPerHour: Infinity,
    counts: new Counts(now),
    log: createLog('info', 'key', (lines) => void (logged += lines)),
    ...settings,
  }
  return { deps, mailer, log: () => logged }
}

/** As the worker makes one, without waiting for the database. */
export async function attempt(deps: DeliveryDeps, mail: ClaimedMail): Promise<MailOutcome> {
  return (await isStillWanted(deps, mail)) ? send(deps, mail) : { claim: mail, kind: 'cancelled' }
}

async function statesIn({ query }: Database, table: 'deliveries' | 'subscribers'): Promise<string[]> {
  const rows: { state: string }[] = await query.selectFrom(table).select('state').execute()
  return rows.map(({ state }) => state).toSorted()
}
