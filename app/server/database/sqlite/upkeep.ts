import { statSync } from 'node:fs'
import { SqliteThread } from './thread-client.ts'

const checkEveryMs = 500
const longLogBytes = 4 * 1024 * 1024
/**
 * A vacuum copies the file, and no sign-up can be written meanwhile: a file of this size, with
 * about 25,000 subscribers and a mail each, takes less than a tenth of a second.
 */
const maxVacuumBytes = 16 * 1024 * 1024

/** Keeps the files of a database in order, in a thread. */
export interface SqliteUpkeep {
  /** See `Database.clearDeleted`. */
  clear(): Promise<boolean>
  /** See `Database.leavesTraces`. */
  leavesTraces(): boolean
  stop(): Promise<void>
}

/** Copies SQLite's log into the file whenever it has grown long. */
export function startUpkeep(path: string): SqliteUpkeep {
  const thread = new SqliteThread({ path, readOnly: false })
  let lastCopied = 0

  const timer = setInterval(() => {
    const log = sizeAndTimeOf(`${path}-wal`)
    if (log.size < longLogBytes || log.mtimeMs === lastCopied) return
    lastCopied = log.mtimeMs
    thread.ask({ kind: 'checkpoint' }).catch(() => {}) // a full disk: the log is still long later
  }, checkEveryMs).unref()

  const leavesTraces = () => sizeAndTimeOf(path).size > maxVacuumBytes
  return {
    leavesTraces,
    async clear() {
      try {
        return (await thread.ask({ kind: 'clear', withVacuum: !leavesTraces() })) === true
      } catch {
        return false // another process writes, or the disk is full
      }
    },
    async stop() {
      clearInterval(timer)
      await thread.close()
    },
  }
}

/** Zeros if there is no such file, or its folder cannot be read now. */
function sizeAndTimeOf(path: string): { size: number; mtimeMs: number } {
  try {
    return statSync(path)
  } catch {
    return { size: 0, mtimeMs: 0 }
  }
}
