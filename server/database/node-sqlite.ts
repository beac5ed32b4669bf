import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import type { Database } from './open-database.ts'
import type { Tables } from './tables.ts'

const maxKeptStatements = 100

// synchronous stays at FULL, SQLite's default: with NORMAL a power cut takes sign-ups that were acknowledged.
const settings = `
  pragma journal_mode = wal;
  pragma foreign_keys = on;
  pragma secure_delete = on;
  pragma busy_timeout = 5000;
  pragma journal_size_limit = 16777216;`

/** Opens, and where needed makes, the file at `path`. Throws Node's own error where it cannot. */
export function openSqlite(path: string): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const file = new DatabaseSync(path)
  file.exec(settings)
  return {
    engine: 'sqlite',
    query: new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepingStatements(file) }) }),
    runScript: async (sql) => runScript(file, sql),
    onDeliveryQueuedElsewhere: async () => {},
    scrub: async () => file.exec('pragma wal_checkpoint(truncate)'),
    close: async () => file.close(),
  }
}

function runScript(file: DatabaseSync, sql: string) {
  try {
    file.exec(sql)
  } catch (fault) {
    if (file.isTransaction) file.exec('rollback')
    throw fault
  }
}

/** What Kysely's dialect asks of a driver; statements are prepared once. */
function keepingStatements(file: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>()
  return {
    close: () => {},
    prepare(sql) {
      const known = kept.get(sql)
      if (known) return known
      if (kept.size >= maxKeptStatements) kept.clear()
      const fresh = prepare(file, sql)
      kept.set(sql, fresh)
      return fresh
    },
  }
}

function prepare(file: DatabaseSync, sql: string): SqliteStatement {
  // A deferred transaction that reads first fails at its first write when the owner's command line wrote in between.
  const statement = file.prepare(sql === 'begin' ? 'begin immediate' : sql)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bindable(parameters)),
    run: (parameters) => statement.run(...bindable(parameters)),
    iterate: (parameters) => statement.iterate(...bindable(parameters)),
  }
}

/** Kysely's type for parameters is wider than what our tables hold: text, numbers and null. */
function bindable(parameters: readonly unknown[]) {
  return parameters as (string | number | null)[]
}
