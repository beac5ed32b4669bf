import sql from 'sql-template-tag'
import type { Database } from './database.ts'

/**
 * The time that all instances of one database agree on. Those of PostgreSQL go by its clock: by its
 * own, one that is ahead would take over mail that another is sending. Those of SQLite share a
 * machine.
 */
export interface SharedClock {
  /** ms since 1970. */
  now(): number
  /** Asks the database again: either clock may have been set since. */
  compare(): Promise<void>
}

/** `ownNow`: this machine's clock. */
export async function openSharedClock(
  database: Database,
  ownNow: () => number,
): Promise<SharedClock> {
  let differenceMs = 0

  async function compare(): Promise<void> {
    if (database.engine === 'sqlite') return
    const before = ownNow()
    const row = await database.row<{ at: number }>(
      sql`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`,
    )
    const halfWay = (before + ownNow()) / 2
    differenceMs = Math.round(row!.at - halfWay)
  }

  await compare()
  return { now: () => ownNow() + differenceMs, compare }
}
