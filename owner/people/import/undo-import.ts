import sql from 'sql-template-tag'
import { dayMs } from '#server/database/clock.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { type Job, readJob, startJob } from '#owner/acts/jobs/jobs.ts'
import type { JobAct } from '#owner/acts/jobs/run-jobs.ts'

/** An import that can be undone. */
export interface UndoableImport extends Job {
  /** Whom it added and no undo has taken off yet. */
  people: number
}

/**
 * The last import that added somebody who is still to be undone, if it ended within a day. An undo
 * that was stopped, or broke off at its start, can be started again.
 */
export async function findUndoable(
  reader: Reader,
  now: number,
): Promise<UndoableImport | undefined> {
  const row = await reader.row<{ id: number; people: number }>(sql`
    select job as id, count(*) as people from imported_people
    where job = (select max(job) from imported_people) group by job`)
  const job = row && (await readJob(reader, row.id))
  if (!job || job.endedAt === null || job.endedAt + dayMs < now) return undefined
  const running = await reader.row(sql`
    select 1 from owner_jobs
    where kind = 'undo-import' and about = ${String(job.id)} and state = 'running'`)
  return running ? undefined : { ...job, people: row.people }
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
        await transaction.run(sql`delete from imported_people where subscriber = ${id}`)
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
    select 1 from subscribers s where id = ${id} and form is null
      and not exists (select 1 from deliveries where subscriber = s.id)`)
  return row !== undefined
}
