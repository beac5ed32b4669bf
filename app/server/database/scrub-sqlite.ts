import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface ScrubOrder {
  path: string
  /** Texts of the erased rows. Unknown: the file has to be rewritten. */
  traces: readonly string[] | 'unknown'
  mayVacuum: boolean
}

export interface ScrubResult {
  /** Proved: neither the file nor its log holds a trace. */
  isClean: boolean
  hasVacuumed: boolean
}

/** To search for more texts takes longer than to rewrite the file. */
const maxSearched = 20
/** While it waits for readers it holds the write lock. */
const checkpointTimeoutMs = 250
const vacuumTimeoutMs = 5_000
const chunkBytes = 1024 * 1024

/**
 * secure_delete overwrites what is deleted, but not the copy that stays where a row was moved from when its page was
 * split: one erasure in some hundreds leaves a trace. Only then is the whole file rewritten. Takes seconds on a big file:
 * for a thread of its own.
 */
export function scrubSqlite({ path, traces, mayVacuum }: ScrubOrder): ScrubResult {
  const file = new DatabaseSync(path)
  try {
    if (!emptyLog(file)) return { isClean: false, hasVacuumed: false }
    const isSearchable = traces !== 'unknown' && traces.length <= maxSearched
    if (isSearchable && ![path, `${path}-wal`].some((one) => holdsTrace(one, traces)))
      return { isClean: true, hasVacuumed: false }
    if (!mayVacuum) return { isClean: false, hasVacuumed: false }
    file.exec(`pragma busy_timeout = ${vacuumTimeoutMs}; vacuum`)
    return { isClean: emptyLog(file), hasVacuumed: true }
  } finally {
    file.close()
  }
}

/** False if another process still reads from the log: then it keeps old copies of the rows. */
function emptyLog(file: DatabaseSync): boolean {
  file.exec(`pragma busy_timeout = ${checkpointTimeoutMs}`)
  return file.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0
}

/** True if one of the texts stands anywhere in the file, also in bytes that its format does not use. */
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
