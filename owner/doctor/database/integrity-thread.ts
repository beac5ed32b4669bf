import { parentPort, workerData } from 'node:worker_threads'
import { faultOfSqlite } from '../../backup/sqlite-files.ts'

// Reading a big file takes seconds. On the main thread the other checks would exceed their time limits meanwhile.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(faultOfSqlite(String(workerData)))
