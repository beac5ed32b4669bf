import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { type Database, type Transaction, Unavailable } from '#server/database/database.ts'
import { findRunning, type Job, type JobCounts, type JobKind, readJob } from './jobs.ts'

/**
 * Does one piece of a job in the transaction that takes it off, and returns what it counts. It
 * awaits nothing but the transaction. `items`: as they were given to startJob.
 */
export type JobAct = (
  transaction: Transaction,
  items: readonly unknown[],
  job: Job,
) => Promise<JobCounts>

export type JobActs = Record<JobKind, JobAct>

/**
 * Between two pieces, for visitors. A server that waits for another process looks at SQLite's lock
 * each 5 ms, so it must be free for longer.
 */
const pauseMs = 10

/** Runs all jobs to their end, the oldest first. Every server calls it every second. */
export async function runJobs(
  database: Database,
  acts: JobActs,
  clock: () => number,
): Promise<void> {
  while (true) {
    const job = await findRunning(database)
    if (!job) return
    await runPiece(database, job.id, acts[job.kind], clock)
    await sleep(pauseMs)
  }
}

interface FinishOptions {
  /** ms since 1970. */
  clock: () => number
  /** Called after each piece, with the items that were done since the last call. */
  onProgress?: (items: number) => void
}

/** Runs one job to its end in this process. A running server may take pieces of it as well. */
export async function finishJob(
  database: Database,
  id: number,
  act: JobAct,
  { clock, onProgress }: FinishOptions,
): Promise<Job> {
  let done = 0
  while (true) {
    await runPiece(database, id, act, clock)
    const job = (await readJob(database, id))!
    onProgress?.(job.done - done)
    done = job.done
    if (job.state !== 'running') return job
    await sleep(pauseMs)
  }
}

/** Does the next piece of a job, or ends the job. A piece that fails again and again stops it. */
async function runPiece(
  database: Database,
  id: number,
  act: JobAct,
  clock: () => number,
): Promise<void> {
  try {
    await tryPiece(database, id, act, clock)
  } catch (fault) {
    if (!(fault instanceof Unavailable)) await countFailure(database, id, clock())
    throw fault
  }
}

const maxFailures = 3
const failedWhy = 'A part of it failed three times. The log says why.'

async function countFailure(database: Database, id: number, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(
      sql`update owner_jobs set failures = failures + 1 where id = ${id} and state = 'running'`,
    )
    await transaction.run(sql`
      update owner_jobs set state = 'stopped', stopped_why = ${failedWhy}, ended_at = ${now}
      where id = ${id} and state = 'running' and failures >= ${maxFailures}`)
  })
}

/** One process at a time does a piece. */
async function tryPiece(
  database: Database,
  id: number,
  act: JobAct,
  clock: () => number,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.lock('owner jobs')
    const job = await findRunning(transaction, id)
    if (!job) return
    const piece = await transaction.row<{ number: number; content: string }>(sql`
      select number, content from owner_job_pieces where job = ${id} order by number limit 1`)
    if (!piece) {
      await transaction.run(sql`
        update owner_jobs set state = 'done', ended_at = ${clock()}
        where id = ${id} and state = 'running'`)
      return
    }
    const items: unknown[] = JSON.parse(piece.content)
    const counts = sumOf(job.counts, await act(transaction, items, job))
    await transaction.run(
      sql`delete from owner_job_pieces where job = ${id} and number = ${piece.number}`,
    )
    await transaction.run(sql`
      update owner_jobs
      set done = done + ${items.length}, counts = ${JSON.stringify(counts)}, failures = 0
      where id = ${id}`)
  })
}

function sumOf(counts: JobCounts, more: JobCounts): JobCounts {
  const sum = { ...counts }
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
