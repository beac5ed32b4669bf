import { setImmediate as nextTurn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { CommandError } from '../errors.ts'
import { recordActionIn } from '../audit.ts'

/** A large act of the owner. It is stored in pieces, which any server of the database does. */
export type JobKind = 'import' | 'undo-import' | 'retry' | 'suppress'

/** The outcome of a job so far, by names of its kind. */
export type JobCounts = Record<string, number>

export interface Job {
  id: number
  kind: JobKind
  /** The number of the import, for `undo-import`; its campaign or nothing, for `import`. */
  about: string
  /** `preparing`: its pieces are being stored. */
  state: 'preparing' | 'running' | 'done' | 'stopped'
  /** People, mails or addresses. */
  total: number
  /** How many are done. */
  done: number
  counts: JobCounts
  /** ms since 1970. */
  startedAt: number
  endedAt: number | null
  /** Null: it was not stopped, or the owner stopped it. */
  stoppedWhy: string | null
}

export interface NewJob {
  kind: JobKind
  about?: string
  /** The counts that are known before it runs. */
  counts?: JobCounts
  /** In the audit, such as `Imported people`. */
  action: string
  /** ms since 1970. */
  now: number
}

/** Items of one piece, which one transaction does: some milliseconds, so that nobody waits. */
const pieceItems = 100
const piecesStoredAtOnce = 20

/** Stores a job, which runs from then on. Items are values of JSON. Returns its number. */
export async function startJob(
  database: Database,
  { kind, about = '', counts = {}, action, now }: NewJob,
  items: readonly unknown[],
): Promise<number> {
  const id = await database.transaction((transaction) =>
    transaction.insert(sql`
      insert into owner_jobs (kind, about, state, total, done, counts, started_at)
      values (${kind}, ${about}, 'preparing', ${items.length}, 0, ${JSON.stringify(counts)}, ${now})`),
  )
  const itemsAtOnce = pieceItems * piecesStoredAtOnce
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    await database.transaction((transaction) =>
      storePieces(transaction, id, start, items.slice(start, start + itemsAtOnce)),
    )
    await nextTurn()
  }
  await database.transaction(async (transaction) => {
    await transaction.run(sql`update owner_jobs set state = 'running' where id = ${id}`)
    await recordActionIn(transaction, { at: now, action, about })
  })
  return id
}

/** A piece is numbered by its first item. */
async function storePieces(
  transaction: Transaction,
  job: number,
  first: number,
  items: readonly unknown[],
): Promise<void> {
  for (let start = 0; start < items.length; start += pieceItems) {
    const content = JSON.stringify(items.slice(start, start + pieceItems))
    await transaction.run(sql`
      insert into owner_job_pieces (job, number, content)
      values (${job}, ${first + start}, ${content})`)
  }
}

interface JobRow extends Omit<Job, 'counts'> {
  counts: string
}

const columns = sql`id, kind, about, state, total, done, counts,
  started_at as "startedAt", ended_at as "endedAt", stopped_why as "stoppedWhy"`

function jobOf({ counts, ...job }: JobRow): Job {
  return { ...job, counts: JSON.parse(counts) } // as startJob wrote it
}

export async function readJob(reader: Reader, id: number): Promise<Job | undefined> {
  const row = await reader.row<JobRow>(sql`select ${columns} from owner_jobs where id = ${id}`)
  return row && jobOf(row)
}

/** The newest jobs, without those still being prepared. */
export async function listJobs(reader: Reader, limit: number): Promise<Job[]> {
  const rows = await reader.rows<JobRow>(sql`
    select ${columns} from owner_jobs where state <> 'preparing' order by id desc limit ${limit}`)
  return rows.map(jobOf)
}

/** The oldest that runs, or this one if it runs. */
export async function findRunning(reader: Reader, id?: number): Promise<Job | undefined> {
  const isChosen = id === undefined ? sql`true` : sql`id = ${id}`
  const row = await reader.row<JobRow>(sql`
    select ${columns} from owner_jobs where state = 'running' and ${isChosen} order by id limit 1`)
  return row && jobOf(row)
}

/** Ends a job after the piece in hand. What it did stays done. */
export async function stopJob(database: Database, id: number, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const stopped = await transaction.run(sql`
      update owner_jobs set state = 'stopped', ended_at = ${now}
      where id = ${id} and state = 'running'`)
    if (stopped === 0) throw new CommandError('It has ended already.')
    await recordActionIn(transaction, { at: now, action: 'Stopped a job', about: String(id) })
  })
}
