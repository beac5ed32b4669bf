import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

export type SqliteJob = { kind: 'checkpoint' } | ScrubJob

interface ScrubJob {
  kind: 'scrub'
  /** Texts of erased rows. Unknown: the file has to be rewritten. */
  traces: readonly string[] | 'unknown'
  /** A descriptor of the database file, which stays open. */
  descriptor: number
}

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
    parentPort?.postMessage(job.kind === 'scrub' ? scrub(sqlite, job) : checkpoint(sqlite))
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
function scrub(path: string, { traces, descriptor }: ScrubJob): boolean {
  using file = new DatabaseSync(path)
  if (!runCheckpoint(file, 'truncate')) return false
  const isSearchable = traces !== 'unknown' && traces.length <= maxSearched
  if (isSearchable && !holdsTrace(descriptor, traces) && !logHoldsTrace(`${path}-wal`, traces)) return true
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

function logHoldsTrace(path: string, traces: readonly string[]): boolean {
  const log = openSync(path, 'r')
  try {
    return holdsTrace(log, traces)
  } finally {
    closeSync(log) // SQLite holds no lock on it
  }
}

/** True if the open file contains one of the texts, also in bytes that its format does not use. */
export function holdsTrace(descriptor: number, traces: readonly string[]): boolean {
  const wanted = traces.map((trace) => Buffer.from(trace))
  const overlap = Math.max(0, ...wanted.map(({ length }) => length - 1))
  const chunk = Buffer.alloc(overlap + chunkBytes)
  for (let kept = 0, at = 0; ;) {
    const bytesRead = readSync(descriptor, chunk, kept, chunk.length - kept, at)
    const filled = chunk.subarray(0, kept + bytesRead)
    if (wanted.some((trace) => filled.includes(trace))) return true
    if (bytesRead === 0) return false
    at += bytesRead
    // The end may be the beginning of a trace, so it is searched again with the next chunk.
    kept = Math.min(overlap, filled.length)
    filled.copy(chunk, 0, filled.length - kept)
  }
}
