import { setImmediate as nextTurn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Database } from '#server/database/database.ts'

/** Rows that one transaction deletes, so that no sign-up waits. */
const batchSize = 500
const keptMs = 90 * dayMs

/**
 * Deletes the pieces of jobs that were stopped, or whose start broke off; who was imported more
 * than a day ago; and jobs that ended long ago.
 */
export async function dropEndedJobs(database: Database, now: number): Promise<void> {
  const queries = [
    sql`delete from owner_job_pieces where (job, number) in (
      select job, number from owner_job_pieces where job in (
        select id from owner_jobs
        where state = 'stopped' or (state = 'preparing' and started_at < ${now - dayMs}))
      limit ${batchSize})`,
    sql`delete from imported_people where subscriber in (
      select subscriber from imported_people where job in (
        select id from owner_jobs where ended_at < ${now - dayMs})
      limit ${batchSize})`,
    sql`delete from owner_jobs where id in (
      select id from owner_jobs where started_at < ${now - keptMs} and state <> 'running'
      limit ${batchSize})`,
  ]
  for (const query of queries) {
    while ((await database.transaction((transaction) => transaction.run(query))) === batchSize) {
      await nextTurn()
    }
  }
}
