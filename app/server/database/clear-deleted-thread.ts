import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// With secure_delete, deleted rows are zeros in the file. What remains are copies of rows that SQLite moved between pages, and
// old pages in the log. A thread, because this takes a second for 100,000 subscribers; sign-ups wait meanwhile, and pages do not.
const file = new DatabaseSync(String(workerData))
file.exec('pragma busy_timeout = 8000; vacuum')
const result = file.prepare('pragma wal_checkpoint(truncate)').get()
file.close()
parentPort?.postMessage(result?.['busy'] === 0)
