import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, type Database, inTransaction, isPostgres, jsonList } from '../database/database.ts'
import { readSetting, settingNames, settingPrefixes } from '../database/settings.ts'
import { addDailyCounts, dayOf } from '../statistics/daily-counts.ts'
import { deleteSubscribers, findTraces } from './subscribers.ts'

/**
 * Erases subscribers from the database, all but their number. Returns false if the database files may still hold traces after
 * `timeoutMs`; maintenance then finishes the pending scrub.
 */
export async function eraseSubscribers(
  database: Database,
  ids: readonly number[],
  now: number,
  timeoutMs?: number,
): Promise<boolean> {
  const { pending, traces } = await eraseRows(database, ids, now)
  const finished = finishScrubs(database, [pending], traces).catch(() => false)
  if (timeoutMs === undefined) return finished
  return Promise.race([finished, sleep(timeoutMs, false, { ref: false })])
}

/** Deletes the rows that `find` returns while `ids` are locked, and records a pending scrub, in one transaction. */
export async function eraseRows(
  database: Database,
  ids: readonly number[],
  now: number,
  find: (connection: Connection) => Promise<readonly number[]> = async () => ids,
) {
  return inTransaction(database.query, async (transaction) => {
    await lockInOrder(transaction, ids)
    const found = await find(transaction)
    const traces = await findTraces(transaction, found)
    const erased = await deleteSubscribers(transaction, found)
    await countErased(transaction, erased, now)
    return { erased, traces, pending: await addPendingScrub(transaction, now) }
  })
}

/** Returns how many were erased so far. */
export async function readErasedCount(connection: Connection): Promise<number> {
  return Number((await readSetting(connection, settingNames.erased)) ?? 0)
}

/** Locks deliveries before their subscribers, as the worker does, to avoid a deadlock. */
async function lockInOrder(connection: Connection, ids: readonly number[]) {
  if (!isPostgres(connection)) return
  const rows = jsonList(connection, 'bigint', ids)
  await sql`select id from deliveries where subscriber in ${rows} order by id for update`.execute(connection)
  await sql`select id from subscribers where id in ${rows} order by id for update`.execute(connection)
}

async function countErased(connection: Connection, erased: number, now: number) {
  if (erased === 0) return
  await sql`
    insert into settings (name, value) values (${settingNames.erased}, ${String(erased)})
    on conflict (name) do update
      set value = cast(cast(settings.value as bigint) + cast(excluded.value as bigint) as text)`.execute(
    connection,
  )
  await addDailyCounts(connection, [{ day: dayOf(now), event: 'erased', detail: '', count: erased }])
}

/** A row of `settings` for each erasure that may have left traces in the database files. */
interface PendingScrub {
  name: string
  /** ms since 1970. */
  since: number
}

/** Part of the transaction that erases. */
export async function addPendingScrub(transaction: Connection, now: number): Promise<PendingScrub> {
  const pending = { name: settingPrefixes.pendingScrub + randomUUID(), since: now }
  await transaction
    .insertInto('settings')
    .values({ name: pending.name, value: String(pending.since) })
    .execute()
  return pending
}

export async function readPendingScrubs(connection: Connection): Promise<PendingScrub[]> {
  const rows = await connection
    .selectFrom('settings')
    .selectAll()
    .where('name', 'like', `${settingPrefixes.pendingScrub}%`)
    .execute()
  return rows.map(({ name, value }) => ({ name, since: Number(value) }))
}

/** Scrubs the files, and deletes the rows of `pending` if that is proved. Returns false if traces may be left. */
export async function finishScrubs(
  database: Database,
  pending: readonly PendingScrub[],
  traces: readonly string[] | 'unknown',
): Promise<boolean> {
  if (!(await database.scrub(traces))) return false
  const names = pending.map(({ name }) => name)
  await database.query.deleteFrom('settings').where('name', 'in', names).execute()
  return true
}
