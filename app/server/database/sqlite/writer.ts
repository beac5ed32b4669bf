import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { empty } from 'sql-template-tag'
import { type Transaction, Unavailable } from '../database.ts'
import { isBusy, keepStatements, readerOf, unavailableOr, valuesOf } from './connection.ts'

const lockRetryMs = 5
/** Transactions that share one commit. */
const maxGroup = 200
/** Further ones are refused: strangers decide how many arrive. */
const maxWaiting = 10_000

interface Waiting {
  work: (transaction: Transaction) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (fault: unknown) => void
}

/**
 * Runs the transactions that wait and commits them together; if one fails, each again on its own.
 * SQLite's own busy_timeout would block the thread, and with it every page, while another process
 * writes: a busy file is tried again from the event loop.
 */
export class Writer {
  readonly #file: DatabaseSync
  readonly #lockMs: number
  readonly #transaction: Transaction
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #isClosing = false

  constructor(file: DatabaseSync, lockMs: number) {
    this.#file = file
    this.#lockMs = lockMs
    this.#begin = file.prepare('begin immediate')
    this.#commit = file.prepare('commit')
    this.#transaction = transactionOn(file)
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    if (this.#isClosing) return Promise.reject(new Unavailable('the database is closed'))
    if (this.#waiting.length >= maxWaiting) {
      return Promise.reject(new Unavailable('too many wait for the database'))
    }
    return new Promise((resolve, reject) => {
      // It gets what `work` returns.
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
      this.#running ??= this.#runWaiting()
    })
  }

  async script(text: string): Promise<void> {
    await this.#whenIdle()
    try {
      await this.#whenFree(() => this.#file.exec(text))
    } catch (fault) {
      this.#rollBack()
      throw fault
    }
  }

  /** Runs what waits, unless another process holds the lock: it is not waited for any more. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#whenIdle()
  }

  async #whenIdle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #runWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      await this.#runGroup(this.#waiting.splice(0, maxGroup))
    }
    this.#running = undefined // at once: what comes after this line starts the next run
  }

  /** Waits while each turn of the event loop brings further transactions: they share the commit. */
  async #gather(): Promise<void> {
    let before = 0
    while (before < this.#waiting.length && before < maxGroup) {
      before = this.#waiting.length
      await nextTurn()
    }
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    const results: unknown[] = []
    try {
      await this.#whenFree(() => this.#begin.run())
      for (const { work } of group) {
        const result = await work(this.#transaction)
        results.push(result)
      }
      this.#commit.run()
    } catch (fault) {
      this.#rollBack()
      await this.#fail(group, unavailableOr(fault))
      return
    }
    for (const [index, { resolve }] of group.entries()) resolve(results[index])
  }

  async #fail(group: readonly Waiting[], cause: unknown): Promise<void> {
    if (cause instanceof Unavailable) {
      // Those who wait behind the group would meet the same outage.
      for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(cause)
      return
    }
    if (group.length === 1) {
      group[0]!.reject(cause)
      return
    }
    for (const one of group) await this.#runGroup([one])
  }

  /** Throws `Unavailable` if another process holds the lock for too long. */
  async #whenFree(work: () => unknown): Promise<void> {
    const deadline = performance.now() + this.#lockMs
    for (;;) {
      try {
        work()
        return
      } catch (fault) {
        const isOver = this.#isClosing || performance.now() > deadline
        if (!isBusy(fault) || isOver) throw unavailableOr(fault)
      }
      await sleep(lockRetryMs)
    }
  }

  #rollBack(): void {
    if (this.#file.isTransaction) this.#file.exec('rollback')
  }
}

function transactionOn(file: DatabaseSync): Transaction {
  const statements = keepStatements(file)
  return {
    ...readerOf(statements),
    run: async (query) => Number(statements(query.sql).run(...valuesOf(query)).changes),
    // For `returning id` SQLite fills a table of its own at every insert.
    insert: async (query) => Number(statements(query.sql).run(...valuesOf(query)).lastInsertRowid),
    lock: async () => {},
    skipLocked: empty,
  }
}
