import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const file = new DatabaseSync(String(workerData))

// On the main thread every answer would wait: a checkpoint syncs the whole file, and to clear takes
// a second for 100,000 subscribers. With secure_delete, deleted rows are zeros in the file. What
// remains are copies of rows that SQLite moved between pages, and old pages in the log.
const jobs: Record<string, () => boolean> = {
  checkpoint() {
    file.exec('pragma wal_checkpoint(passive)')
    return true
  },
  clear() {
    file.exec('pragma busy_timeout = 8000; vacuum')
    // Sign-ups wait for the next line. A process that reads for longer keeps the log until the next
    // clean-up.
    file.exec('pragma busy_timeout = 500')
    return file.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0
  },
}

parentPort?.on('message', (job: string) => {
  let isDone = false
  try {
    isDone = jobs[job]?.() ?? false
  } catch {} // busy, or a full disk: it is tried again later
  parentPort?.postMessage(isDone)
})
