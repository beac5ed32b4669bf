import { accessSync, constants, mkdirSync } from 'node:fs'
import { basename, dirname, resolve as absolute } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { empty, type Sql } from 'sql-template-tag'
import { type Database, type Reader, type Transaction, Unavailable } from './database.ts'
import { startSqliteJobs } from './sqlite-jobs.ts'

/** Longer than any write of an owner's command. A sign-up waits up to this long. */
const lockTimeoutMs = 8_000
const lockRetryMs = 5
const maxGroup = 200
const maxWaiting = 10_000
const maxKeptStatements = 200

// synchronous stays at FULL, SQLite's default: with NORMAL a power cut takes sign-ups that were
// acknowledged.
const settings = `
  pragma busy_timeout = 5000;
  pragma journal_mode = wal;
  pragma foreign_keys = on;
  pragma secure_delete = on;
  pragma temp_store = memory;
  pragma cache_size = -8192;
  pragma wal_autocheckpoint = 0;
  pragma journal_size_limit = 33554432;
  pragma busy_timeout = 0;` // from here on the driver waits, without blocking the thread

/**
 * Opens the file at `path`, and creates it if it does not exist. Throws Node's own error if it
 * cannot.
 */
export function openSqlite(path: string): Database {
  checkFolder(absolute(dirname(path)))
  const file = new DatabaseSync(path)
  file.exec(settings)
  // A connection of its own, so that reads see only what is committed and never wait for a writer.
  const readFile = new DatabaseSync(path, { readOnly: true })
  const writer = new Writer(file)
  const jobs = startSqliteJobs(path)
  return {
    engine: 'sqlite',
    ...readerOf(readFile),
    transaction: (work) => writer.transaction(work),
    script: (text) => writer.script(text),
    clearDeleted: jobs.clear,
    async close() {
      await writer.whenIdle()
      await jobs.stop()
      readFile.close()
      file.close()
    },
  }
}

/**
 * SQLite itself would only say that it cannot open the file. Only `data/` is made: another path may
 * be a typo.
 */
function checkFolder(folder: string): void {
  if (basename(folder) === 'data') mkdirSync(folder, { recursive: true })
  const uid = process.getuid?.()
  const user = uid === undefined ? '' : ` ${uid} (chown ${uid} ${folder})`
  const reasons: Record<string, string> = {
    ENOENT: `The folder ${folder} of DATABASE_URL does not exist. Make it, or correct the path.`,
    EACCES: `The folder ${folder} cannot be written: it must belong to the user${user}.`,
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw Object.assign(new Error(reasons[code] ?? String(cause), { cause }), { code })
  }
}

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
class Writer {
  readonly #file: DatabaseSync
  readonly #transaction: Transaction
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined

  constructor(file: DatabaseSync) {
    this.#file = file
    this.#begin = file.prepare('begin immediate')
    this.#commit = file.prepare('commit')
    const statements = keepStatements(file)
    this.#transaction = {
      ...readerOf(file, statements),
      run: async (query) => Number(statements(query).run(...valuesOf(query)).changes),
      // For `returning id` SQLite fills a table of its own at every insert.
      insert: async (query) => Number(statements(query).run(...valuesOf(query)).lastInsertRowid),
      lock: async () => {},
      skipLocked: empty,
    }
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaiting) {
        return reject(new Unavailable('too many wait for the database'))
      }
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject }) // it gets what `work` returns
      this.#running ??= this.#runWaiting()
    })
  }

  async whenIdle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async script(text: string): Promise<void> {
    await this.whenIdle()
    await this.#whenFree(() => this.#file.exec(text)).catch((fault: unknown) => {
      this.#rollBack()
      throw fault
    })
  }

  async #runWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      await this.#runGroup(this.#waiting.splice(0, maxGroup))
    }
    this.#running = undefined // at once: what comes after this line starts the next run
  }

  /**
   * Waits while further transactions arrive in each turn of the event loop: they share the commit.
   */
  async #gather(): Promise<void> {
    for (let before = 0; before < this.#waiting.length && before < maxGroup;) {
      before = this.#waiting.length
      await nextTurn()
    }
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    const results: unknown[] = []
    try {
      await this.#whenFree(() => this.#begin.run())
      for (const { work } of group) results.push(await work(this.#transaction))
      this.#commit.run()
    } catch (fault) {
      this.#rollBack()
      const cause = unavailableOr(fault)
      const isOutage = cause instanceof Unavailable
      if (isOutage) {
        // Whoever waits would meet the same outage.
        for (const { reject } of [...group, ...this.#waiting.splice(0)]) {
          reject(cause)
        }
      } else if (group.length > 1) {
        for (const one of group) await this.#runGroup([one])
      } else {
        for (const { reject } of group) reject(cause)
      }
      return
    }
    for (const [index, { resolve }] of group.entries()) resolve(results[index])
  }

  async #whenFree(work: () => unknown): Promise<void> {
    const deadline = performance.now() + lockTimeoutMs
    for (;;) {
      try {
        work()
        return
      } catch (fault) {
        if (resultCode(fault) !== busy || performance.now() > deadline) throw unavailableOr(fault)
      }
      await sleep(lockRetryMs)
    }
  }

  #rollBack(): void {
    if (this.#file.isTransaction) this.#file.exec('rollback')
  }
}

type Statements = (query: Sql) => StatementSync

function readerOf(file: DatabaseSync, statements: Statements = keepStatements(file)): Reader {
  // The caller names the columns of its own query.
  const read = <Row>(query: Sql) => statements(query).all(...valuesOf(query)) as Row[]
  return {
    rows: async <Row>(query: Sql) => read<Row>(query),
    row: async <Row>(query: Sql) => statements(query).get(...valuesOf(query)) as Row | undefined,
  }
}

/** Prepares each text once. */
function keepStatements(file: DatabaseSync): Statements {
  const kept = new Map<string, StatementSync>()
  return (query) => {
    const text = query.sql
    const known = kept.get(text)
    if (known) return known
    if (kept.size >= maxKeptStatements) kept.clear()
    const fresh = file.prepare(text)
    kept.set(text, fresh)
    return fresh
  }
}

/** All that our tables hold. */
function valuesOf(query: Sql): (string | number | null)[] {
  return query.values as (string | number | null)[]
}

const busy = 5
/** SQLITE_BUSY, NOMEM, READONLY, IOERR, FULL, CANTOPEN: sqlite.org/rescode.html. */
const outagesOfFile = new Set([busy, 7, 8, 10, 13, 14])

/** SQLite's primary result code. */
function resultCode(fault: unknown): number {
  return fault instanceof Error && 'errcode' in fault ? Number(fault.errcode) & 0xff : 0
}

function unavailableOr(fault: unknown): unknown {
  if (!outagesOfFile.has(resultCode(fault))) return fault
  return new Unavailable(fault instanceof Error ? fault.message : '', { cause: fault })
}
