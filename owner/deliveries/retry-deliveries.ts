import sql, { join, type Sql } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'

type RetryDeps = Pick<ServerContext, 'database' | 'now' | 'recordEvent'>

/** Makes waiting mails due now, and queues failed ones again. Returns the numbers of those that go out or are held. */
export async function retryNow(deps: RetryDeps, ids: readonly number[]): Promise<number[]> {
  return deps.database.transaction(async (transaction) => {
    const failed = await findRetryable(transaction, ids)
    for (const delivery of failed) await queueAgain(transaction, delivery, deps)
    const retried = new Set(failed.map(({ id }) => id))
    for (const id of ids) if (await makeDueNow(transaction, id, deps.now())) retried.add(id)
    return [...retried]
  })
}

/** Queues every failed mail again that can be. Returns how many. */
export function retryFailed(deps: RetryDeps): Promise<number> {
  return deps.database.transaction(async (transaction) => {
    const failed = await findRetryable(transaction, 'all')
    for (const delivery of failed) await queueAgain(transaction, delivery, deps)
    return failed.length
  })
}

/** The mail of a paused announcement is held until it goes on. A subscriber whose mail came back is on the list again. */
async function queueAgain(
  transaction: Transaction,
  { id, subscriber }: { id: number; subscriber: number },
  { now, recordEvent }: RetryDeps,
): Promise<void> {
  const isPaused = sql`exists (
    select 1 from announcements a where a.id = deliveries.announcement and a.state = 'paused')`
  await transaction.run(sql`
    update deliveries set state = case when ${isPaused} then 'held' else 'queued' end, due_at = ${now()}, failures = 0,
      worker = null, finished_at = null
    where id = ${id}`)
  const back = await transaction.run(sql`
    update subscribers set state = 'active', left_at = null, last_mailed_at = ${now()}
    where id = ${subscriber} and state = 'undeliverable'`)
  if (back > 0) await recordEvent(transaction, 'joined', subscriber, now())
}

async function makeDueNow(transaction: Transaction, id: number, now: number): Promise<boolean> {
  return (await release(transaction, sql`id = ${id} and (state = 'queued' or ${isHeldStarter})`, now)) > 0
}

/** Held by a restore that could not tell if it was sent. The mail of a paused announcement is held by that. */
const isHeldStarter = sql`(state = 'held' and announcement is null)`

/** Queues the mail that a restore holds. Returns how many. */
export function retryHeld({ database, now }: Pick<RetryDeps, 'database' | 'now'>): Promise<number> {
  return database.transaction((transaction) => release(transaction, isHeldStarter, now()))
}

function release(transaction: Transaction, chosen: Sql, now: number): Promise<number> {
  return transaction.run(sql`update deliveries set state = 'queued', due_at = ${now} where ${chosen}`)
}

/**
 * Those of `ids`, or of all, that may be tried again: failed, the newest starter mail of a subscriber or the mail of an
 * announcement that was not cancelled, and the subscriber has not left.
 */
export function findRetryable(reader: Reader, ids: readonly number[] | 'all') {
  if (ids.length === 0) return Promise.resolve([])
  const chosen: Sql = ids === 'all' ? sql`` : sql`and d.id in (${join([...ids])})`
  return reader.rows<{ id: number; subscriber: number }>(sql`
    select d.id, d.subscriber from deliveries d join subscribers s on s.id = d.subscriber
      left join announcements a on a.id = d.announcement
    where d.state = 'failed' ${chosen} and s.state in ('active', 'undeliverable') and (a.id is null or a.state <> 'cancelled')
      and not exists (select 1 from deliveries newer
        where newer.subscriber = d.subscriber and newer.id > d.id and newer.announcement is null and d.announcement is null)`)
}
