import sql, { join, type Sql } from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/errors.ts'
import type { RetryOutcome } from '#owner/acts/jobs/job-words.ts'
import { startJob } from '#owner/acts/jobs/jobs.ts'
import type { JobAct } from '#owner/acts/jobs/run-jobs.ts'
import { explainNoRetry } from './delivery-words.ts'
import { findDelivery } from './list-deliveries.ts'
import { explainReason } from './reasons.ts'

type RetryDeps = Pick<ServerContext, 'now' | 'recordEvent'>

const action = 'Retried mail'

/**
 * Queues failed mail again and makes waiting mail due now: a few mails, many are a job. Throws a
 * CommandError if none of them can be retried.
 */
export function retry(
  { database, now, recordEvent }: RetryDeps & Pick<ServerContext, 'database'>,
  ids: readonly number[],
): Promise<RetryOutcome> {
  return database.transaction(async (transaction) => {
    const outcome = await retryIn(transaction, ids, { now, recordEvent })
    const [first] = ids
    if (first !== undefined && outcome.queued + outcome.held === 0) {
      const mail = await findDelivery(transaction, first)
      throw new CommandError(mail ? explainNoRetry(mail.state) : `There is no mail ${first}.`)
    }
    await recordActionIn(transaction, { at: now(), action, about: ids.join(',') })
    return outcome
  })
}

/** Retries mails as a job. Returns its number. */
export function startRetry(
  database: Database,
  ids: readonly number[],
  now: number,
): Promise<number> {
  return startJob(database, { kind: 'retry', action, now }, ids)
}

/** Does a piece of it. */
export function retryAct(deps: RetryDeps): JobAct {
  return async (transaction, items) => {
    const outcome = await retryIn(transaction, items as number[], deps) // as startRetry gave them
    return { ...outcome }
  }
}

async function retryIn(
  transaction: Transaction,
  ids: readonly number[],
  { now, recordEvent }: RetryDeps,
): Promise<RetryOutcome> {
  if (ids.length === 0) return { queued: 0, held: 0 }
  const batch = sql`d.id in (${join([...ids])})`
  for (const person of await putBackOnTheList(transaction, batch)) {
    await recordEvent(transaction, 'joined', person, now())
  }
  return queueAgain(transaction, batch, now())
}

/** Subscribers whose mail came back, and goes out again. Returns their numbers. */
async function putBackOnTheList(transaction: Transaction, batch: Sql): Promise<number[]> {
  const rows = await transaction.rows<{ id: number }>(sql`
    update subscribers set state = 'active', left_at = null
    where state = 'undeliverable' and id in (
      select d.subscriber from deliveries d
      where ${batch} and d.state = 'failed' and ${isRetryable}
    )
    returning id`)
  return rows.map(({ id }) => id)
}

/**
 * The condition is asked by the update itself: a worker may have claimed the mail meanwhile. The
 * mail of a paused mailing is held until it goes on.
 */
async function queueAgain(
  transaction: Transaction,
  batch: Sql,
  now: number,
): Promise<RetryOutcome> {
  await transaction.run(sql`
    update mailings set failed = failed - (
      select count(*) from deliveries d
      where d.mailing = mailings.id and ${batch} and d.state = 'failed' and ${isRetryable})
    where id in (select d.mailing from deliveries d where ${batch} and d.mailing is not null)`)
  const isPaused = sql`exists (
    select 1 from mailings m where m.id = d.mailing and m.state = 'paused')`
  const rows = await transaction.rows<{ id: number; state: 'queued' | 'held' }>(sql`
    update deliveries as d
    set state = case when ${isPaused} then 'held' else 'queued' end,
      due_at = ${now}, worker = null, finished_at = null,
      failures = case when state = 'failed' then 0 else failures end, refused_since = null
    where ${batch} and ${isRetryable}
    returning id, state`)
  const queued = rows.filter(({ state }) => state === 'queued').length
  return { queued, held: rows.length - queued }
}

/** Returns those of these numbers that may be tried again. */
export async function findRetryable(reader: Reader, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  return findChosen(reader, sql`d.id in (${join([...ids])})`)
}

/** Returns the numbers of the mails that a restore holds. */
export function findHeld(reader: Reader): Promise<number[]> {
  return findChosen(reader, sql`d.state = 'held'`)
}

async function findChosen(reader: Reader, chosen: Sql): Promise<number[]> {
  const rows = await reader.rows<{ id: number }>(sql`
    select d.id from deliveries d where ${chosen} and ${isRetryable} order by d.id`)
  return rows.map(({ id }) => id)
}

export interface FailedMail {
  /** The numbers of those that another try may help. */
  hopeful: number[]
  /** How many need another address first: another try would make a dead mailbox active again. */
  hopeless: number
}

/** All failed mail that may be tried again. */
export async function findFailed(reader: Reader): Promise<FailedMail> {
  // The state stands in the query itself, for the index of failed mail.
  const rows = await reader.rows<{ id: number; fault: string | null }>(sql`
    select d.id, d.last_fault as fault from deliveries d
    where d.state = 'failed' and ${isRetryable} order by d.id`)
  const hopeful = rows.filter(({ fault }) => explainReason(fault ?? '', true).helps !== 'correct')
  return { hopeful: hopeful.map(({ id }) => id), hopeless: rows.length - hopeful.length }
}

const hasNotLeft = sql`exists (
  select 1 from subscribers s
  where s.id = d.subscriber and s.state in ('active', 'undeliverable'))`
const isCancelled = sql`exists (
  select 1 from mailings m where m.id = d.mailing and m.state = 'cancelled')`
const hasNewer = sql`exists (
  select 1 from deliveries newer
  where newer.subscriber = d.subscriber and newer.id > d.id and newer.mailing is null)`

/**
 * Waiting mail `d` may be tried again, and starter mail that a restore holds; that of a mailing is
 * held by its pause. Of failed mail the newest starter mail of a subscriber may, and that of a
 * mailing which was not cancelled, unless the subscriber has left.
 */
const isRetryable = sql`(d.state = 'queued'
  or (d.state = 'held' and d.mailing is null)
  or (d.state = 'failed' and ${hasNotLeft} and not ${isCancelled}
    and not (d.mailing is null and ${hasNewer})))`
