import sql, { join, type Sql } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'

type RetryDeps = Pick<ServerContext, 'database' | 'now' | 'recordEvent'>

/** Mails that one transaction retries, so that sign-ups wait for none. */
const batchSize = 200

/**
 * Queues failed mail again and makes waiting mail due now: these, all that failed, or all that a restore holds. Returns the numbers
 * of those that go out, or wait for the end of a pause.
 */
export async function retry(
  deps: RetryDeps,
  which: readonly number[] | 'failed' | 'held',
): Promise<number[]> {
  if (which === 'held') return retryTogether(deps, which)
  const ids = which === 'failed' ? (await findRetryable(deps.database, which)).map(({ id }) => id) : which
  const retried: number[] = []
  for (let start = 0; start < ids.length; start += batchSize)
    retried.push(...(await retryTogether(deps, ids.slice(start, start + batchSize))))
  return retried
}

function retryTogether({ database, now, recordEvent }: RetryDeps, which: readonly number[] | 'held') {
  return database.transaction(async (transaction) => {
    const failed = which === 'held' ? [] : await findRetryable(transaction, which)
    for (const delivery of failed) await queueAgain(transaction, delivery, { now, recordEvent })
    const waiting = await makeDueNow(transaction, which, now())
    return [...new Set([...failed, ...waiting].map(({ id }) => id))]
  })
}

/** The mail of a paused announcement is held until it goes on. A subscriber whose mail came back is on the list again. */
async function queueAgain(
  transaction: Transaction,
  { id, subscriber }: { id: number; subscriber: number },
  { now, recordEvent }: Pick<RetryDeps, 'now' | 'recordEvent'>,
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

/** Starter mail is held by a restore that could not tell if it was sent; that of an announcement by its pause. */
function makeDueNow(transaction: Transaction, which: readonly number[] | 'held', now: number) {
  const isHeld = sql`(state = 'held' and announcement is null)`
  const chosen =
    which === 'held' ? isHeld : sql`id in (${join([...which])}) and (state = 'queued' or ${isHeld})`
  return transaction.rows<{ id: number }>(
    sql`update deliveries set state = 'queued', due_at = ${now} where ${chosen} returning id`,
  )
}

/**
 * Those of `ids`, or of all, that may be tried again: failed, the newest starter mail of a subscriber or the mail of an
 * announcement that was not cancelled, and the subscriber has not left.
 */
export function findRetryable(reader: Reader, ids: readonly number[] | 'failed') {
  if (ids.length === 0) return Promise.resolve([])
  const chosen: Sql = ids === 'failed' ? sql`` : sql`and d.id in (${join([...ids])})`
  return reader.rows<{ id: number; subscriber: number }>(sql`
    select d.id, d.subscriber from deliveries d join subscribers s on s.id = d.subscriber
      left join announcements a on a.id = d.announcement
    where d.state = 'failed' ${chosen} and s.state in ('active', 'undeliverable') and (a.id is null or a.state <> 'cancelled')
      and not exists (select 1 from deliveries newer
        where newer.subscriber = d.subscriber and newer.id > d.id and newer.announcement is null and d.announcement is null)`)
}
