import sql from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { type Job, readJob, startJob } from '#owner/acts/jobs/jobs.ts'
import type { JobAct } from '#owner/acts/jobs/run-jobs.ts'

/**
 * The last import, if it ended within a day and was not undone. A crash at the start of a job leaves
 * one that is preparing, and never runs.
 */
export async function findUndoable(reader: Reader, now: number): Promise<Job | undefined> {
  const row = await reader.row<{ id: number }>(sql`
    select id from owner_jobs where kind = 'import' and state <> 'preparing'
    order by id desc limit 1`)
  const job = row && (await readJob(reader, row.id))
  if (!job || job.endedAt === null || job.endedAt + dayMs < now || !job.counts['added']) {
    return undefined
  }
  const undone = await reader.row(sql`
    select 1 from owner_jobs
    where kind = 'undo-import' and about = ${String(job.id)} and state <> 'preparing'`)
  return undone ? undefined : job
}

/** Takes everybody whom the last import added off the list again, as a job. Returns its number. */
export async function undoImport(database: Database, now: number): Promise<number> {
  const reads = database.ownerReads
  const job = await findUndoable(reads, now)
  if (!job) throw new CommandError('There is no import of the last day to undo.')
  const rows = await reads.rows<{ subscriber: number }>(sql`
    select subscriber from imported_people where job = ${job.id} order by subscriber`)
  const people = rows.map(({ subscriber }) => subscriber)
  const undo = { kind: 'undo-import', about: String(job.id), action: 'Undid an import' } as const
  return startJob(database, { ...undo, now }, people)
}

/** Does a piece of it. People who have signed up or been mailed since then stay. */
export function undoImportAct({
  now,
  recordEvent,
}: Pick<ServerContext, 'now' | 'recordEvent'>): JobAct {
  return async (transaction, items) => {
    const counts = { erased: 0, kept: 0 }
    for (const id of items as number[]) {
      // As undoImport gave them.
      if (!(await isAsImported(transaction, id))) {
        counts.kept += 1
        continue
      }
      await eraseSubscriber(transaction, id, now())
      await recordEvent(transaction, 'erased', id, now())
      counts.erased += 1
    }
    return counts
  }
}

async function isAsImported(transaction: Transaction, id: number): Promise<boolean> {
  const row = await transaction.row(sql`
    select 1 from subscribers s where id = ${id} and form is null and last_mailed_at = 0
      and not exists (select 1 from deliveries where subscriber = s.id)`)
  return row !== undefined
}
