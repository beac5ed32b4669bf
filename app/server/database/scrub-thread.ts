import { parentPort, workerData } from 'node:worker_threads'
import { scrubSqlite } from './scrub-sqlite.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(scrubSqlite(workerData))
