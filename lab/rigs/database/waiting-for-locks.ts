import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'

/** Counts the statements on PostgreSQL that wait for a lock of another transaction. */
export async function waitingForLocks(database: Database): Promise<number> {
  const row = await database.row<{ waiting: number }>(sql`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row!.waiting
}
