import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { keepStatements, type SqliteValue } from './connection.ts'

/** The values that a thread of this file is started with. */
export interface ThreadData {
  path: string
  readOnly: boolean
}

export type ThreadRequest =
  | { kind: 'rows' | 'row'; text: string; values: SqliteValue[] }
  /** Copies the log into the file. */
  | { kind: 'checkpoint' }
  /** Clears what deleted rows left behind. Answers false if another connection was in the way. */
  | { kind: 'clear'; withVacuum: boolean }

export type ThreadAnswer =
  | { kind: 'result'; result: unknown }
  /** A message cannot carry SQLite's code inside an Error. */
  | { kind: 'fault'; message: string; errcode: number | undefined }

const { path, readOnly }: ThreadData = workerData
const file = new DatabaseSync(path, { readOnly })
file.exec('pragma temp_store = memory')
const statements = keepStatements(file)

const writeTimeoutMs = 8_000
/** While the log is emptied a sign-up waits as long for a reader that is in the way. */
const emptyLogTimeoutMs = 20
const emptyLogTries = 50

function answer(request: ThreadRequest): unknown {
  switch (request.kind) {
    case 'rows':
      return statements(request.text).all(...request.values)
    case 'row':
      return statements(request.text).get(...request.values)
    case 'checkpoint':
      file.exec('pragma wal_checkpoint(passive)')
      return undefined
    case 'clear':
      return clear(request.withVacuum)
  }
}

/**
 * With secure_delete, deleted rows are zeros in the file. Copies of rows that SQLite moved between
 * pages remain until a vacuum or newer rows overwrite them; old pages remain in the log.
 */
function clear(withVacuum: boolean): boolean {
  file.exec(`pragma busy_timeout = ${writeTimeoutMs}`)
  if (withVacuum) file.exec('vacuum')
  // This holds nobody up, and leaves the next line, for which writers wait, little to do.
  file.exec('pragma wal_checkpoint(passive)')
  file.exec(`pragma busy_timeout = ${emptyLogTimeoutMs}`)
  for (let tries = 0; tries < emptyLogTries; tries += 1) {
    const row = file.prepare('pragma wal_checkpoint(truncate)').get()
    if (row?.['busy'] === 0) return true
    pause(emptyLogTimeoutMs)
  }
  return false
}

/** Nothing else runs in this thread. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

parentPort?.on('message', (request: ThreadRequest) => {
  parentPort?.postMessage(attempt(request))
})

function attempt(request: ThreadRequest): ThreadAnswer {
  try {
    return { kind: 'result', result: answer(request) }
  } catch (fault) {
    const errcode = fault instanceof Error && 'errcode' in fault ? Number(fault.errcode) : undefined
    return { kind: 'fault', message: fault instanceof Error ? fault.message : '', errcode }
  }
}
