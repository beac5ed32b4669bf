import { once } from 'node:events'
import { statSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../configuration/project-files.ts'

const checkEveryMs = 500
const longLogBytes = 4 * 1024 * 1024

/**
 * Copies SQLite's log into the file whenever it has grown long, and clears what deleted rows left
 * behind.
 */
export function startSqliteJobs(path: string) {
  let thread: Worker | undefined
  let running = Promise.resolve(true)
  let writtenAt = 0

  /**
   * The thread starts with the first job: a quiet site never needs it. One job runs after the
   * other.
   */
  function run(job: 'checkpoint' | 'clear'): Promise<boolean> {
    running = running.then(async () => {
      thread ??= startThread('app/server/database/sqlite-thread.ts', path)
      thread.unref()
      thread.postMessage(job)
      try {
        const [isDone]: boolean[] = await once(thread, 'message')
        return isDone === true
      } catch {
        thread = undefined // it could not open the file
        return false
      }
    })
    return running
  }

  const timer = setInterval(() => {
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
    if (!log || log.size < longLogBytes || log.mtimeMs === writtenAt) return
    writtenAt = log.mtimeMs
    void run('checkpoint')
  }, checkEveryMs).unref()

  return {
    clear: () => run('clear'),
    async stop() {
      clearInterval(timer)
      await thread?.terminate()
    },
  }
}
