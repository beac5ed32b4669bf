import type { Worker } from 'node:worker_threads'
import { startThread } from '../configuration/project-files.ts'
import type { SqliteJob } from './sqlite-jobs.ts'

/** A thread for the work on the file that takes longer than a page may wait. The first job starts it. */
export function createSqliteThread(path: string) {
  let worker: Worker | undefined
  /** In the order of the jobs, in which the thread answers. */
  const waiting: PromiseWithResolvers<boolean>[] = []

  function start(): Worker {
    const thread = startThread('app/server/database/sqlite-jobs.ts', { sqlite: path })
    thread.on('message', (result: boolean) => {
      waiting.shift()?.resolve(result)
      if (waiting.length === 0) thread.unref()
    })
    thread.on('error', (fault) => {
      worker = undefined
      for (const job of waiting.splice(0)) job.reject(fault)
    })
    return thread
  }

  return {
    hasWork: () => waiting.length > 0,
    run(job: SqliteJob): Promise<boolean> {
      worker ??= start()
      worker.ref() // until it has answered
      const answer = Promise.withResolvers<boolean>()
      waiting.push(answer)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(job)
      return answer.promise
    },
    async stop(): Promise<void> {
      await Promise.allSettled(waiting.map(({ promise }) => promise))
      await worker?.terminate()
    },
  }
}
