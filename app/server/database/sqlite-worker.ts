import { parentPort, workerData } from 'node:worker_threads'
import { checkpoint, scrub, type SqliteJob } from './sqlite-jobs.ts'

// The thread of SqliteThread. One job after the other; an error ends it, and its jobs with it.
parentPort?.on('message', ({ traces }: SqliteJob) => {
  const path = String(workerData)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(traces === undefined ? checkpoint(path) : scrub(path, traces))
})
