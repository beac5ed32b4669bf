import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'

type RetryDeps = Pick<ServerContext, 'database' | 'now' | 'recordEvent'>

/** Numbers of mails, or all in a state. */
export type Retried = readonly number[] | 'failed' | 'held'

/** Mails that one transaction retries, so that sign-ups wait for none. */
const batchSize = 200

/**
 * Queues failed mail again and makes waiting mail due now: these, all that failed, or all that a
 * restore holds. Returns the numbers of those that go out, or wait for the end of a pause.
 */
export async function retry(
  { database, now, recordEvent }: RetryDeps,
  which: Retried,
  onBatch?: (mails: number) => void,
): Promise<number[]> {
  const ids = typeof which === 'string' ? await findRetryable(database.ownerReads, which) : which
  const retried: number[] = []
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = sql`d.id in (${join(ids.slice(start, start + batchSize))})`
    const queued = await database.transaction(async (transaction) => {
      for (const person of await putBackOnTheList(transaction, batch, now())) {
        await recordEvent(transaction, 'joined', person, now())
      }
      return queueAgain(transaction, batch, now())
    })
    retried.push(...queued)
    onBatch?.(Math.min(batchSize, ids.length - start))
    await nextTurn() // for other work of the server
  }
  return retried
}

/** Subscribers whose mail came back, and goes out again. Returns their numbers. */
async function putBackOnTheList(
  transaction: Transaction,
  batch: Sql,
  now: number,
): Promise<number[]> {
  const rows = await transaction.rows<{ id: number }>(sql`
    update subscribers set state = 'active', left_at = null, last_mailed_at = ${now}
    where state = 'undeliverable' and id in (
      select d.subscriber from deliveries d where ${batch} and d.state = 'failed' and ${isRetryable})
    returning id`)
  return rows.map(({ id }) => id)
}

/**
 * The condition is asked by the update itself: a worker may have claimed the mail meanwhile. The
 * mail of a paused announcement is held until it goes on.
 */
async function queueAgain(transaction: Transaction, batch: Sql, now: number): Promise<number[]> {
  const isPaused = sql`exists (
    select 1 from announcements a where a.id = d.announcement and a.state = 'paused')`
  const rows = await transaction.rows<{ id: number }>(sql`
    update deliveries as d
    set state = case when ${isPaused} then 'held' else 'queued' end, due_at = ${now}, waits_since = ${now},
      failures = case when state = 'failed' then 0 else failures end, worker = null,
      finished_at = null
    where ${batch} and ${isRetryable}
    returning id`)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) {
    // An announcement that has ended changes again: its figures are kept once these mails are sent.
    await transaction.run(sql`
      update announcements set sent = null, failed = null, cancelled = null
      where id in (select announcement from deliveries where id in (${join(ids)}))`)
  }
  return ids
}

/** Returns the numbers of those that may be tried again: of these, or of all in a state. */
export async function findRetryable(reader: Reader, which: Retried): Promise<number[]> {
  if (which.length === 0) return []
  // In the query itself, for the index of failed mail.
  const chosen =
    typeof which === 'string' ? raw(`d.state = '${which}'`) : sql`d.id in (${join([...which])})`
  const rows = await reader.rows<{ id: number }>(sql`
    select d.id from deliveries d where ${chosen} and ${isRetryable} order by d.id`)
  return rows.map(({ id }) => id)
}

const hasNotLeft = sql`exists (
  select 1 from subscribers s
  where s.id = d.subscriber and s.state in ('active', 'undeliverable'))`
const isCancelled = sql`exists (
  select 1 from announcements a where a.id = d.announcement and a.state = 'cancelled')`
const hasNewer = sql`exists (
  select 1 from deliveries newer
  where newer.subscriber = d.subscriber and newer.id > d.id and newer.announcement is null)`

/**
 * Waiting mail `d` may be tried again, and starter mail that a restore holds; that of an
 * announcement is held by its pause. Of failed mail the newest starter mail of a subscriber may,
 * and the mail of an announcement that was not cancelled, unless the subscriber has left.
 */
const isRetryable = sql`(d.state = 'queued'
  or (d.state = 'held' and d.announcement is null)
  or (d.state = 'failed' and ${hasNotLeft} and not ${isCancelled}
    and not (d.announcement is null and ${hasNewer})))`
