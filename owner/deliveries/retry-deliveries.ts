import sql, { join, raw } from 'sql-template-tag'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'

type RetryDeps = Pick<ServerContext, 'database' | 'now' | 'recordEvent'>

/** Numbers of mails, or all in a state. */
type Retried = readonly number[] | 'failed' | 'held'

/** Mails that one transaction retries, so that sign-ups wait for none. */
const batchSize = 200

/**
 * Queues failed mail again and makes waiting mail due now: these, all that failed, or all that a
 * restore holds. Returns the numbers of those that go out, or wait for the end of a pause.
 */
export async function retry(deps: RetryDeps, which: Retried): Promise<number[]> {
  const ids = typeof which === 'string' ? await findRetryable(deps.database, which) : which
  const retried: number[] = []
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = await deps.database.transaction(async (transaction) => {
      const found = await findRetryable(transaction, ids.slice(start, start + batchSize))
      for (const id of found) await queueAgain(transaction, id, deps)
      return found
    })
    retried.push(...batch)
  }
  return retried
}

/**
 * A subscriber whose failed mail came back is on the list again. The mail of a paused announcement
 * is held until it goes on.
 */
async function queueAgain(transaction: Transaction, id: number, { now, recordEvent }: RetryDeps) {
  const back = await transaction.row<{ id: number }>(sql`
    update subscribers set state = 'active', left_at = null, last_mailed_at = ${now()}
    where state = 'undeliverable' and id = (
      select subscriber from deliveries where id = ${id} and state = 'failed') returning id`)
  if (back) await recordEvent(transaction, 'joined', back.id, now())
  const isPaused = sql`exists (
    select 1 from announcements a where a.id = deliveries.announcement and a.state = 'paused')`
  await transaction.run(sql`
    update deliveries set state = case when ${isPaused} then 'held' else 'queued' end, due_at = ${now()},
      failures = case when state = 'failed' then 0 else failures end, worker = null, finished_at = null
    where id = ${id}`)
  // It changes again: its figures are kept once this mail is sent.
  await transaction.run(sql`
    update announcements set sent = null, failed = null, cancelled = null
    where id = (select announcement from deliveries where id = ${id})`)
}

/**
 * Returns the numbers of those that may be tried again: of these, or of all in a state. Waiting
 * mail may, and starter mail that a restore holds; that of an announcement is held by its pause. Of
 * failed mail the newest starter mail of a subscriber may, and the mail of an announcement that was
 * not cancelled, unless the subscriber has left.
 */
export async function findRetryable(reader: Reader, which: Retried): Promise<number[]> {
  if (which.length === 0) return []
  // In the query itself, for the index of failed mail.
  const chosen =
    typeof which === 'string' ? raw(`d.state = '${which}'`) : sql`d.id in (${join([...which])})`
  const rows = await reader.rows<{ id: number }>(sql`
    select d.id from deliveries d join subscribers s on s.id = d.subscriber
      left join announcements a on a.id = d.announcement
    where ${chosen} and (d.state = 'queued' or (d.state = 'held' and a.id is null)
      or (d.state = 'failed' and s.state in ('active', 'undeliverable') and (a.id is null or a.state <> 'cancelled')
        and not exists (select 1 from deliveries newer
          where newer.subscriber = d.subscriber and newer.id > d.id and newer.announcement is null and a.id is null)))`)
  return rows.map(({ id }) => id)
}
