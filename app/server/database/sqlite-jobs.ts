import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** `traces`: texts of erased rows. Unknown: the file has to be rewritten. */
export type SqliteJob = { kind: 'checkpoint' } | { kind: 'scrub'; traces: readonly string[] | 'unknown' }

/** Searching for more texts takes longer than rewriting the file. */
const maxSearched = 20
/** A checkpoint that has to finish holds the write lock for as long as it waits for readers. */
const readersTimeoutMs = 250
const vacuumTimeoutMs = 5_000
/** VACUUM holds the write lock, for about a second per 100 MB: visitors who erase themselves may cause it so often. */
const vacuumPauseMs = 10 * 60_000
/** Above it writers wait until the log begins again. Without a pause between writes it would grow for ever. */
const maxLogBytes = 64 * 1024 * 1024
const chunkBytes = 1024 * 1024

let vacuumedAt = -Infinity

// Runs as the thread of sqlite-thread.ts. An error ends it and rejects its jobs.
const { sqlite } = (workerData ?? {}) as { sqlite?: string } // what sqlite-thread.ts hands over
if (sqlite !== undefined)
  parentPort?.on('message', (job: SqliteJob) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(job.kind === 'scrub' ? scrub(sqlite, job.traces) : checkpoint(sqlite))
  })

/** Copies the log into the file. True if the log can begin again. */
function checkpoint(path: string): boolean {
  const isLogLong = statSync(`${path}-wal`).size > maxLogBytes
  using file = new DatabaseSync(path)
  return runCheckpoint(file, 'passive') && (!isLogLong || runCheckpoint(file, 'restart'))
}

/**
 * True if it is proved that neither the file nor its log holds a trace. secure_delete overwrites what is deleted, but not
 * the copy that stays where a row was moved from when its page was split: one erasure in some hundreds leaves a trace.
 * Only then is the whole file rewritten.
 */
function scrub(path: string, traces: readonly string[] | 'unknown'): boolean {
  using file = new DatabaseSync(path)
  if (!runCheckpoint(file, 'truncate')) return false
  const isSearchable = traces !== 'unknown' && traces.length <= maxSearched
  if (isSearchable && ![path, `${path}-wal`].some((one) => holdsTrace(one, traces))) return true
  if (traces !== 'unknown' && performance.now() - vacuumedAt < vacuumPauseMs) return false
  file.exec(`pragma busy_timeout = ${vacuumTimeoutMs}; vacuum`)
  vacuumedAt = performance.now()
  return runCheckpoint(file, 'truncate')
}

/** False if another process still reads from the log, which keeps old copies of the rows. */
function runCheckpoint(file: DatabaseSync, mode: 'passive' | 'restart' | 'truncate'): boolean {
  file.exec(`pragma busy_timeout = ${readersTimeoutMs}`)
  return file.prepare(`pragma wal_checkpoint(${mode})`).get()?.['busy'] === 0
}

/** True if the file contains one of the texts, also in bytes that its format does not use. */
export function holdsTrace(path: string, traces: readonly string[]): boolean {
  if (!existsSync(path)) return false
  const wanted = traces.map((trace) => Buffer.from(trace))
  const overlap = Math.max(0, ...wanted.map(({ length }) => length - 1))
  const chunk = Buffer.alloc(overlap + chunkBytes)
  const file = openSync(path, 'r')
  try {
    for (let kept = 0; ;) {
      const bytesRead = readSync(file, chunk, kept, chunk.length - kept, null)
      const filled = chunk.subarray(0, kept + bytesRead)
      if (wanted.some((trace) => filled.includes(trace))) return true
      if (bytesRead === 0) return false
      // The end may be the beginning of a trace, so it is searched again with the next chunk.
      kept = Math.min(overlap, filled.length)
      filled.copy(chunk, 0, filled.length - kept)
    }
  } finally {
    closeSync(file)
  }
}
