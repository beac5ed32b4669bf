import { randomUUID } from 'node:crypto'
import type { Connection, Database } from './database.ts'

/** A row of `settings` for each erasure whose traces may still stand in the database files. */
export interface ScrubDebt {
  name: string
  /** ms since 1970. */
  since: number
}

const prefix = 'scrub owed '

/** Part of the transaction that erases. */
export async function oweScrub(transaction: Connection, now: number): Promise<ScrubDebt> {
  const debt = { name: prefix + randomUUID(), since: now }
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
    .where('name', 'like', `${prefix}%`)
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
