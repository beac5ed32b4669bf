import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, type Database, inTransaction, isPostgres, jsonList } from '../database/database.ts'
import { settingNames, settingPrefixes } from '../database/setting-names.ts'
import { readSetting } from '../database/settings.ts'
import { cancelWaiting } from '../deliveries/deliveries.ts'
import { addDailyCounts, dayOf } from '../statistics/daily-counts.ts'
import { deleteSubscribers, findTraces, markLeft } from './subscribers.ts'

// Deliveries are locked before their subscriber, as the worker does, to avoid a deadlock.

/** Cancels their waiting mail. They may sign up again. `left` is false if they had left before. */
export async function leaveTheList(
  database: Database,
  id: number,
  why: 'unsubscribed' | 'undeliverable',
  now: number,
): Promise<{ left: boolean; cancelled: number }> {
  const event = why === 'unsubscribed' ? 'unsubscribed' : 'bounced'
  return inTransaction(database.query, async (transaction) => {
    const cancelled = await cancelWaiting(transaction, id, now)
    const left = await markLeft(transaction, id, why)
    if (left) await addDailyCounts(transaction, [{ day: dayOf(now), event, detail: '', count: 1 }])
    return { left, cancelled }
  })
}

/**
 * Erases subscribers from the database, all but their number. Returns false if the database files may still hold traces when
 * `patienceMs` are over: then maintenance settles the noted debt.
 */
export async function eraseFromTheList(
  database: Database,
  ids: readonly number[],
  now: number,
  patienceMs?: number,
): Promise<boolean> {
  const { debt, traces } = await eraseRows(database, ids, now)
  const settled = settleScrubDebts(database, [debt], traces).catch(() => false)
  if (patienceMs === undefined) return settled
  return Promise.race([settled, sleep(patienceMs, false, { ref: false })])
}

/** Deletes the rows and notes that a scrub is owed. */
export async function eraseRows(database: Database, ids: readonly number[], now: number) {
  return inTransaction(database.query, async (transaction) => {
    await lockInOrder(transaction, ids)
    const traces = await findTraces(transaction, ids)
    await countErased(transaction, await deleteSubscribers(transaction, ids), now)
    return { traces, debt: await oweScrub(transaction, now) }
  })
}

/** Returns how many were erased so far. */
export async function readErasedCount(connection: Connection): Promise<number> {
  return Number((await readSetting(connection, settingNames.erased)) ?? 0)
}

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

/** A row of `settings` for each erasure whose traces may still stand in the database files. */
interface ScrubDebt {
  name: string
  /** ms since 1970. */
  since: number
}

const debtPrefix = settingPrefixes.scrubOwed

/** Part of the transaction that erases. */
export async function oweScrub(transaction: Connection, now: number): Promise<ScrubDebt> {
  const debt = { name: debtPrefix + randomUUID(), since: now }
  await transaction
    .insertInto('settings')
    .values({ name: debt.name, value: String(debt.since) })
    .execute()
  return debt
}

export async function readScrubDebts(connection: Connection): Promise<ScrubDebt[]> {
  const rows = await connection
    .selectFrom('settings')
    .selectAll()
    .where('name', 'like', `${debtPrefix}%`)
    .execute()
  return rows.map(({ name, value }) => ({ name, since: Number(value) }))
}

/** Scrubs, and drops the debts once that is proved. Returns false if traces may be left. */
export async function settleScrubDebts(
  database: Database,
  debts: readonly ScrubDebt[],
  traces: readonly string[] | 'unknown',
): Promise<boolean> {
  if (!(await database.scrub(traces))) return false
  const names = debts.map(({ name }) => name)
  await database.query.deleteFrom('settings').where('name', 'in', names).execute()
  return true
}
