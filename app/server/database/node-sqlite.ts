import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { holdsTrace } from './file-traces.ts'
import type { Database } from './open-database.ts'
import type { Tables } from './tables.ts'

const maxKeptStatements = 100
/** Looking for more texts takes longer than writing the file anew. */
const mostSearched = 20

// synchronous stays at FULL, SQLite's default: with NORMAL a power cut takes sign-ups that were acknowledged.
// temp_store: an insert that returns rows gathers them first, by default in a file made and deleted for each statement.
// The cache (8 MB at most) is small, since the system keeps the file's pages as well: with 32 MB 256,000 sign-ups took the
// same time. Fewer checkpoints write a page less often.
const settings = `
  pragma journal_mode = wal;
  pragma foreign_keys = on;
  pragma trusted_schema = off;
  pragma secure_delete = on;
  pragma busy_timeout = 5000;
  pragma temp_store = memory;
  pragma cache_size = -8192;
  pragma wal_autocheckpoint = 4000;
  pragma journal_size_limit = 33554432;`

/** Opens, and where needed makes, the file at `path`. Throws Node's own error where it cannot. */
export function openSqlite(path: string): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const file = new DatabaseSync(path)
  file.exec(settings)
  const query = new Kysely<Tables>({ dialect: new SqliteDialect({ database: keepingStatements(file) }) })
  return {
    engine: 'sqlite',
    query,
    runScript: async (script) => runScript(file, script),
    onDeliveryQueuedElsewhere: async () => {},
    scrub: (traces) => scrub(query, path, traces),
    close: async () => file.close(),
  }
}

/**
 * secure_delete overwrites what is deleted, but not the copy that stays where a row was moved from when its page was
 * split: one erasure in some hundreds leaves a trace. Only then is the whole file written anew. By queries, so in their
 * turn: within somebody else's transaction SQLite refuses both.
 */
async function scrub(query: Kysely<Tables>, path: string, traces: readonly string[]) {
  const emptyLog = sql`pragma wal_checkpoint(truncate)`
  await emptyLog.execute(query)
  const isClean =
    traces.length <= mostSearched &&
    !(await holdsTrace(path, traces)) &&
    !(await holdsTrace(`${path}-wal`, traces))
  if (isClean) return
  await sql`vacuum`.execute(query)
  await emptyLog.execute(query)
}

function runScript(file: DatabaseSync, script: string) {
  try {
    file.exec(script)
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
    prepare(text) {
      const known = kept.get(text)
      if (known) return known
      if (kept.size >= maxKeptStatements) kept.clear()
      const fresh = prepare(file, text)
      kept.set(text, fresh)
      return fresh
    },
  }
}

function prepare(file: DatabaseSync, text: string): SqliteStatement {
  // A deferred transaction that reads first fails at its first write when the owner's command line wrote in between.
  const statement = file.prepare(text === 'begin' ? 'begin immediate' : text)
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
