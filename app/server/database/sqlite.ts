import { accessSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database, Tables } from './database.ts'
import { createSqliteThread } from './sqlite-thread.ts'

const maxKeptStatements = 100
/** Longer than any write of an owner's command. A sign-up waits up to this long. */
const lockTimeoutMs = 8_000
const lockRetryMs = 5
const checkpointEveryMs = 500
const checkpointFromBytes = 4 * 1024 * 1024

// synchronous stays at FULL, SQLite's default: with NORMAL a power cut takes sign-ups that were acknowledged.
// temp_store: an insert that returns rows collects them first, by default in a file made and deleted for each statement.
// The cache (8 MB at most) is small, since the system keeps the file's pages as well: with 32 MB 256,000 sign-ups took the
// same time.
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

/** Opens the file at `path`, and creates it if it does not exist. Throws Node's own error if it cannot. */
export function openSqlite(path: string): Database {
  makeWritableFolder(dirname(path))
  const file = new DatabaseSync(path)
  file.exec(settings)
  const driver = new SqliteDriver(file)
  const thread = createSqliteThread(path)
  // Never closed: a process that closes any descriptor of a file loses all its locks on it, SQLite's as well (fcntl(2)).
  // Then "restore" and "move-to" would take the database of a running server.
  let descriptor: number | undefined
  const checkpoints = setInterval(() => {
    const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (!driver.takeHasWritten() || logBytes < checkpointFromBytes || thread.hasWork()) return
    void thread.run({ kind: 'checkpoint' }).catch(() => {}) // the next one makes up for it
  }, checkpointEveryMs)
  checkpoints.unref()
  const query = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new UnlockedAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return {
    engine: 'sqlite',
    query,
    commitTimeoutMs: lockTimeoutMs + 1_000,
    runScript: (script) => driver.runScript(script),
    announceDeliveries: () => {},
    onDeliveryQueuedElsewhere: async () => {},
    scrub: async (traces) =>
      thread.run({ kind: 'scrub', traces, descriptor: (descriptor ??= openSync(path, 'r')) }),
    async close() {
      clearInterval(checkpoints)
      await thread.stop()
      file.close()
    },
  }
}

/** SQLite itself would only say that it cannot open the file. */
function makeWritableFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EACCES')) throw fault
    const uid = process.getuid?.()
    const user = uid === undefined ? '' : ` ${uid} (chown ${uid} ${folder})`
    const why = `The folder ${folder} cannot be written: it must belong to the user${user}.`
    throw Object.assign(new Error(why, { cause: fault }), { code: 'EACCES' })
  }
}

/** Turns off Kysely's mutex, behind which every query waits. Here queries wait only for an open transaction. */
class UnlockedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

interface SqliteConnection extends DatabaseConnection {
  isInTransaction: boolean
}

/**
 * One connection to the file. SQLite's own busy_timeout would block the thread, and with it every page, for as long as
 * another process holds the write lock. So a busy statement is retried from the event loop, and what only reads passes
 * the writers that wait.
 */
class SqliteDriver implements Driver {
  readonly #file: DatabaseSync
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>()
  /** Pending while a transaction is open. */
  #transaction: PromiseWithResolvers<void> | undefined
  #hasWritten = false

  constructor(file: DatabaseSync) {
    this.#file = file
  }

  async init(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    const connection: SqliteConnection = {
      isInTransaction: false,
      executeQuery: async (query) =>
        connection.isInTransaction ? this.#run(query) : this.#whenFree(() => this.#run(query)),
      streamQuery() {
        throw new Error('Not supported: an open cursor would keep checkpoints from finishing')
      },
    }
    return connection
  }

  /** `immediate`: a transaction that reads first would fail at its first write if another process wrote in between. */
  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await this.#whenFree(() => {
      this.#file.exec('begin immediate')
      this.#transaction = Promise.withResolvers()
    })
    connection.isInTransaction = true
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    this.#file.exec('commit')
    this.#endTransaction(connection)
  }

  /** SQLite has rolled back already after some errors, such as a full disk. */
  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    if (this.#file.isTransaction) this.#file.exec('rollback')
    this.#endTransaction(connection)
  }

  /** Runs `work` while no transaction of this process is open, and again while another process holds the lock. */
  async #whenFree<Result>(work: () => Result): Promise<Result> {
    const deadline = performance.now() + lockTimeoutMs
    for (;;) {
      while (this.#transaction) await this.#transaction.promise
      try {
        return work()
      } catch (fault) {
        if (!isBusy(fault) || performance.now() > deadline) throw fault
      }
      await sleep(lockRetryMs)
    }
  }

  runScript(script: string): Promise<void> {
    return this.#whenFree(() => {
      try {
        this.#file.exec(script)
      } catch (fault) {
        if (this.#file.isTransaction) this.#file.exec('rollback')
        throw fault
      }
    })
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters as (string | number | null)[] // all that our tables hold
    if (returnsRows) return { rows: statement.all(...values) as Row[] } // Kysely's type of the query
    const { changes, lastInsertRowid } = statement.run(...values)
    this.#hasWritten = true
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** True if something was written since the last call. */
  takeHasWritten(): boolean {
    const hasWritten = this.#hasWritten
    this.#hasWritten = false
    return hasWritten
  }

  #prepare(text: string) {
    const known = this.#statements.get(text)
    if (known) return known
    if (this.#statements.size >= maxKeptStatements) this.#statements.clear()
    const statement = this.#file.prepare(text)
    const fresh = { statement, returnsRows: statement.columns().length > 0 }
    this.#statements.set(text, fresh)
    return fresh
  }

  #endTransaction(connection: SqliteConnection): void {
    this.#hasWritten = true
    connection.isInTransaction = false
    this.#transaction?.resolve()
    this.#transaction = undefined
  }
}

/** SQLITE_BUSY, with any extended code (sqlite.org/rescode.html). */
function isBusy(fault: unknown): boolean {
  return fault instanceof Error && 'errcode' in fault && (Number(fault.errcode) & 0xff) === 5
}
