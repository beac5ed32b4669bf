import { randomUUID } from 'node:crypto'
import type { Connection, Database } from './database.ts'

export interface ScrubDebt {
  id: string
  /** ms since 1970. */
  since: number
}

const name = 'scrub owed'

/** Notes, in the transaction that erases, that the database files still hold traces. A newer debt includes an older one. */
export async function oweScrub(transaction: Connection, now: number): Promise<ScrubDebt> {
  const older = await readScrubDebt(transaction)
  const debt = { id: randomUUID(), since: older?.since ?? now }
  await transaction
    .insertInto('settings')
    .values({ name, value: JSON.stringify(debt) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: JSON.stringify(debt) }))
    .execute()
  return debt
}

export async function readScrubDebt(connection: Connection): Promise<ScrubDebt | undefined> {
  const row = await connection
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row && JSON.parse(row.value)
}

/** For debts whose traces nobody knows any more: of a process that ended, or of the owner's command line. */
export async function settleOlderScrubDebt(database: Database): Promise<ScrubDebt | undefined> {
  const debt = await readScrubDebt(database.query)
  return debt && !(await settleScrubDebt(database, debt, 'unknown')) ? debt : undefined
}

/**
 * Scrubs, and drops the debt once that is proved. A debt that has been replaced since stays: its scrub is another one.
 * Returns false if traces may be left.
 */
export async function settleScrubDebt(
  database: Database,
  debt: ScrubDebt,
  traces: readonly string[] | 'unknown',
): Promise<boolean> {
  if (!(await database.scrub(traces))) return false
  await database.query
    .deleteFrom('settings')
    .where('name', '=', name)
    .where('value', '=', JSON.stringify(debt))
    .execute()
  return true
}
