import type { Sql } from 'sql-template-tag'
import type { Database } from './database.ts'

export const dayMs = 24 * 60 * 60_000

/**
 * Another instance's clock may be ahead by this, and so may be what was written while a transaction
 * waited for a lock. What is further ahead was written by a clock that was wrong.
 */
export const clockToleranceMs = 60_000

/**
 * The statement that moves what lies further ahead in a table than its longest wait back to now.
 * `now`: ms since 1970.
 */
export type ClockRepair = (now: number) => Sql

/** Runs at the start, and once a minute: nothing else is prepared for a clock that was ahead. */
export async function repairClocks(
  database: Database,
  repairs: readonly ClockRepair[],
  now: () => number,
): Promise<void> {
  for (const repair of repairs) {
    // The time when its turn comes: after a wait it would take rows of meanwhile for wrong ones.
    await database.transaction((transaction) => transaction.run(repair(now())))
  }
}
