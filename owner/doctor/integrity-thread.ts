import { parentPort, workerData } from 'node:worker_threads'
import { faultOfSqlite } from '#owner/backup/sqlite-files.ts'

// A big file takes seconds, in which nothing else on its thread goes on: answers would come too late for their limits.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(faultOfSqlite(String(workerData)))
