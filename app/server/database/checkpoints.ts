import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

const checkEveryMs = 500
const fromBytes = 4 * 1024 * 1024

/** In a text, so that it is in the bundle. */
const thread = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const file = new DatabaseSync(workerData)
  parentPort.on('message', () => {
    try { file.exec('pragma wal_checkpoint(passive)') } catch {} // the next one makes up for it
    parentPort.postMessage('done')
  })`

/**
 * Copies SQLite's log into the file whenever it has grown. A thread does it, because it syncs the whole file, and on the main
 * thread every answer would wait for that. It starts with the first long log: a quiet site never needs it.
 */
export function startCheckpoints(path: string): { stop(): Promise<void> } {
  let worker: Worker | undefined
  let isBusy = false
  let writtenAt = 0
  const timer = setInterval(() => {
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
    if (!log || log.size < fromBytes || log.mtimeMs === writtenAt || isBusy) return
    writtenAt = log.mtimeMs
    isBusy = true
    worker ??= new Worker(thread, { eval: true, workerData: path }).on('message', () => (isBusy = false))
    worker.unref()
    worker.postMessage('checkpoint')
  }, checkEveryMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await worker?.terminate()
    },
  }
}
