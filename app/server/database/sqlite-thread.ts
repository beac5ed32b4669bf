import { Worker } from 'node:worker_threads'
import type { SqliteJob } from './sqlite-jobs.ts'

/** A thread for the work on the file that takes longer than a page may wait. Started by the first job. */
export class SqliteThread {
  readonly #path: string
  #worker: Worker | undefined
  /** In order, as the thread answers. */
  #waiting: PromiseWithResolvers<boolean>[] = []

  constructor(path: string) {
    this.#path = path
  }

  scrub(traces: readonly string[] | 'unknown'): Promise<boolean> {
    return this.#run({ traces })
  }

  /** At most one at a time. A checkpoint that fails is made up for by the next. */
  async checkpoint(): Promise<void> {
    if (this.#waiting.length === 0) await this.#run({}).catch(() => {})
  }

  async stop(): Promise<void> {
    while (this.#waiting.length > 0) await this.#waiting.at(-1)?.promise.catch(() => {})
    await this.#worker?.terminate()
  }

  #run(job: SqliteJob): Promise<boolean> {
    const worker = (this.#worker ??= this.#start())
    const answer = Promise.withResolvers<boolean>()
    this.#waiting.push(answer)
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(job)
    return answer.promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData: this.#path })
    worker.on('message', (result: boolean) => {
      this.#waiting.shift()?.resolve(result)
      if (this.#waiting.length === 0) worker.unref()
    })
    worker.on('error', (fault) => {
      this.#worker = undefined
      for (const answer of this.#waiting.splice(0)) answer.reject(fault)
    })
    return worker
  }
}
