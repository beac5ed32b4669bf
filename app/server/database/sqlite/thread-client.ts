import type { Worker } from 'node:worker_threads'
import type { Sql } from 'sql-template-tag'
import { startThread } from '#server/project-files.ts'
import { type Reader, Unavailable } from '../database.ts'
import { unavailableOr, valuesOf } from './connection.ts'
import type { ThreadAnswer, ThreadData, ThreadRequest } from './thread.ts'

interface Waiting {
  resolve: (result: unknown) => void
  reject: (fault: unknown) => void
}

/**
 * A connection in a thread of its own: what it does holds up nobody on the main thread. It answers
 * one request after the other. The thread starts with the first request, and again after it broke.
 */
export class SqliteThread {
  readonly #data: ThreadData
  #worker: Worker | undefined
  /** In the order of their requests, which is the order of the answers. */
  #waiting: Waiting[] = []
  #isClosed = false

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** Rejects with `Unavailable` if the thread cannot open the file. */
  ask(request: ThreadRequest): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Unavailable('the database is closed'))
    return new Promise((resolve, reject) => {
      const worker = (this.#worker ??= this.#start())
      this.#waiting.push({ resolve, reject })
      worker.ref() // a command waits for its answer, and a quiet process may end
      worker.postMessage(request)
    })
  }

  /** Waits for the request that goes on: nothing interrupts SQLite. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#isClosed = true
    this.#end(new Unavailable('the database is closed'))
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = startThread('app/server/database/sqlite/thread.ts', this.#data)
    worker.on('message', (answer: ThreadAnswer) => this.#settle(answer))
    // It could not open the file, or ran out of memory.
    worker.on('error', (cause: Error) => {
      if (worker === this.#worker) this.#end(new Unavailable(cause.message, { cause }))
    })
    return worker
  }

  #settle(answer: ThreadAnswer): void {
    const waiting = this.#waiting.shift()
    if (this.#waiting.length === 0) this.#worker?.unref()
    if (answer.kind === 'result') waiting?.resolve(answer.result)
    else waiting?.reject(faultOf(answer))
  }

  #end(cause: Unavailable): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(cause)
  }
}

function faultOf({ message, errcode }: ThreadAnswer & { kind: 'fault' }): unknown {
  const fault = new Error(message)
  return errcode === undefined ? fault : unavailableOr(Object.assign(fault, { errcode }))
}

/** Reads in the thread. The caller of a query names its columns. */
export function threadReader(thread: SqliteThread): Reader {
  return {
    rows: async <Row>(query: Sql) =>
      (await thread.ask({ kind: 'rows', text: query.sql, values: valuesOf(query) })) as Row[],
    row: async <Row>(query: Sql) =>
      (await thread.ask({ kind: 'row', text: query.sql, values: valuesOf(query) })) as
        Row | undefined,
  }
}
