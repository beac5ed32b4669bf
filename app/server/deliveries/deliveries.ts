import { sql } from 'kysely'
import { type Connection, isPostgres, jsonRows } from '../database/json-rows.ts'

export interface OwedDelivery {
  subscriber: number
  message_id: string
}

export interface ClaimedDelivery {
  id: number
  subscriber: number
  message_id: string
  template: string
  queued_at: number
  failures: number
}

/** Queues one delivery each, due now. Part of the caller's transaction. */
export async function enqueue(
  connection: Connection,
  owed: readonly OwedDelivery[],
  template: string,
  now: number,
) {
  const rows = jsonRows(connection, owed, { subscriber: 'bigint', message_id: 'text' })
  await sql`
    insert into deliveries (subscriber, message_id, template, state, due_at, queued_at)
    select subscriber, message_id, ${template}, 'queued', ${now}, ${now} from ${rows} as owed`.execute(
    connection,
  )
  // Sent by PostgreSQL at the commit, to every instance that listens.
  if (isPostgres(connection)) await sql`select pg_notify('delivery_queued', '')`.execute(connection)
}

/**
 * Hands `worker` up to `limit` deliveries that are due, oldest first, until `leaseUntil`. A delivery whose worker died
 * is due again when its lease ends.
 */
export async function claimDue(
  connection: Connection,
  { worker, limit, leaseUntil, now }: { worker: string; limit: number; leaseUntil: number; now: number },
): Promise<ClaimedDelivery[]> {
  const skipTaken = isPostgres(connection) ? sql`for update skip locked` : sql``
  const claimed = await sql<ClaimedDelivery>`
    with due as ${isPostgres(connection) ? sql`materialized` : sql``} (
      select id from deliveries where state in ('queued', 'sending') and due_at <= ${now}
      order by due_at, id limit ${limit} ${skipTaken}
    )
    update deliveries set state = 'sending', worker = ${worker}, due_at = ${leaseUntil}
    where id in (select id from due)
    returning id, subscriber, message_id, template, queued_at, failures`.execute(connection)
  return claimed.rows.toSorted((a, b) => a.queued_at - b.queued_at || a.id - b.id)
}

/** Whether `worker` has the lease still, and the subscriber is on the list. */
export async function isHeldAndWanted(connection: Connection, id: number, worker: string): Promise<boolean> {
  const found = await connection
    .selectFrom('deliveries as d')
    .innerJoin('subscribers as s', 's.id', 'd.subscriber')
    .select('d.id')
    .where('d.id', '=', id)
    .where('d.worker', '=', worker)
    .where('d.state', '=', 'sending')
    .where('s.state', '=', 'active')
    .executeTakeFirst()
  return found !== undefined
}

/** Keeps the leases of deliveries that are still being sent. */
export async function renewLeases(
  connection: Connection,
  ids: readonly number[],
  worker: string,
  leaseUntil: number,
) {
  await held(connection, ids, worker).set({ due_at: leaseUntil }).execute()
}

/** Gives deliveries back untried, so that another worker may have them at once. */
export async function handBack(connection: Connection, ids: readonly number[], worker: string, now: number) {
  await held(connection, ids, worker).set({ state: 'queued', worker: null, due_at: now }).execute()
}

export async function markSent(connection: Connection, ids: readonly number[], worker: string, now: number) {
  await held(connection, ids, worker).set({ state: 'sent', finished_at: now, last_fault: null }).execute()
}

export async function cancelClaimed(
  connection: Connection,
  ids: readonly number[],
  worker: string,
  now: number,
) {
  await held(connection, ids, worker).set({ state: 'cancelled', finished_at: now }).execute()
}

/** To be tried again at `dueAt`. `fault` has no address in it. */
export async function postpone(
  connection: Connection,
  id: number,
  worker: string,
  dueAt: number,
  fault: string,
) {
  await held(connection, [id], worker)
    .set((eb) => ({
      state: 'queued',
      worker: null,
      due_at: dueAt,
      failures: eb('failures', '+', 1),
      last_fault: fault,
    }))
    .execute()
}

export async function giveUp(connection: Connection, id: number, worker: string, now: number, fault: string) {
  await held(connection, [id], worker).set({ state: 'failed', finished_at: now, last_fault: fault }).execute()
}

/** What waits for a subscriber who has left is not sent. Returns how many that were. */
export async function cancelWaiting(
  connection: Connection,
  subscriber: number,
  now: number,
): Promise<number> {
  const cancelled = await connection
    .updateTable('deliveries')
    .set({ state: 'cancelled', finished_at: now })
    .where('subscriber', '=', subscriber)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return Number(cancelled.numUpdatedRows)
}

/** When the next delivery, or the next lease, falls due. Undefined: nothing is owed. */
export async function nextDueAt(connection: Connection): Promise<number | undefined> {
  const { rows } = await sql<{ due_at: number }>`
    select due_at from deliveries where state in ('queued', 'sending') order by due_at limit 1`.execute(
    connection,
  )
  return rows[0]?.due_at
}

/** Only what `worker` still holds: a lease that ran out may be another worker's by now. */
function held(connection: Connection, ids: readonly number[], worker: string) {
  const rows = jsonRows(
    connection,
    ids.map((id) => ({ id })),
    { id: 'bigint' },
  )
  // Locked in one order, so that two statements over several rows never wait for each other in a circle.
  const locked = isPostgres(connection)
    ? sql`(select id from deliveries where id in ${rows} order by id for update)`
    : rows
  return connection
    .updateTable('deliveries')
    .where(sql<boolean>`id in ${locked}`)
    .where('worker', '=', worker)
    .where('state', '=', 'sending')
}
