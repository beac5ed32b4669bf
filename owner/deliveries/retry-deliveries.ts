import { sql } from 'kysely'
import {
  type Connection,
  type Database,
  inTransaction,
  isPostgres,
  jsonList,
} from '#server/database/database.ts'

/**
 * Queues failed deliveries again as new and due now: number `id`, or all. Only a subscriber's newest delivery, and never
 * for one who unsubscribed; an undeliverable subscriber is active again. Returns the numbers of those queued.
 */
export async function retryFailed(database: Database, now: number, id?: number): Promise<number[]> {
  return inTransaction(database.query, async (transaction) => {
    const queued = await queueAgain(transaction, now, id)
    // PostgreSQL notifies every instance at the commit; a server on SQLite looks every few seconds.
    if (isPostgres(transaction)) await sql`notify delivery_queued`.execute(transaction)
    return queued
  })
}

/** Makes a delivery that waits for its next try due now. False: it does not wait. */
export async function makeDueNow(connection: Connection, id: number, now: number): Promise<boolean> {
  const updated = await connection
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

async function queueAgain(connection: Connection, now: number, id?: number): Promise<number[]> {
  const only = id === undefined ? undefined : [id]
  // Locked in one order to avoid a deadlock.
  const inOrder = isPostgres(connection) ? sql`order by id for update` : sql``
  const queued = await sql<{ id: number; subscriber: number }>`
    update deliveries set state = 'queued', due_at = ${now}, failures = 0, worker = null, finished_at = null
    where id in (select id from deliveries where id in (${retryable(connection, only)}) ${inOrder})
    returning id, subscriber`.execute(connection)
  const ids = queued.rows.map(({ subscriber }) => subscriber)
  await sql`
    update subscribers set state = 'active', last_mailed_at = ${now} where id in (
      select id from subscribers where state = 'undeliverable' and id in ${jsonList(connection, 'bigint', ids)} ${inOrder}
    )`.execute(connection)
  return queued.rows.map((row) => row.id)
}

/** Returns those of `ids` that retryFailed would queue. */
export async function findRetryable(connection: Connection, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`${retryable(connection, ids)}`.execute(connection)
  return new Set(rows.map(({ id }) => id))
}

/** Selects failed deliveries that may be tried again: those of `ids`, or all. */
function retryable(connection: Connection, ids: readonly number[] | undefined) {
  const only = ids && sql`and d.id in ${jsonList(connection, 'bigint', ids)}`
  return sql`
    select d.id from deliveries d join subscribers s on s.id = d.subscriber
    where d.state = 'failed' and s.state <> 'unsubscribed' ${only ?? sql``}
      and not exists (select 1 from deliveries newer where newer.subscriber = d.subscriber and newer.id > d.id)`
}
