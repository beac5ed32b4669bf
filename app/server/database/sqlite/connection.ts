import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Sql } from 'sql-template-tag'
import { type Reader, Unavailable } from '../database.ts'

/** All that our tables hold. */
export type SqliteValue = string | number | null

/** Returns the prepared statement of a text. */
export type Statements = (text: string) => StatementSync

const maxKeptStatements = 200

/** Prepares each text once: to prepare one costs as much as to run it several times. */
export function keepStatements(file: DatabaseSync): Statements {
  const kept = new Map<string, StatementSync>()
  return (text) => {
    const known = kept.get(text)
    if (known) return known
    if (kept.size >= maxKeptStatements) kept.clear()
    const fresh = file.prepare(text)
    kept.set(text, fresh)
    return fresh
  }
}

/** Reads on the calling thread. The caller of a query names its columns. */
export function readerOf(statements: Statements): Reader {
  return {
    rows: async <Row>(query: Sql) => statements(query.sql).all(...valuesOf(query)) as Row[],
    row: async <Row>(query: Sql) =>
      statements(query.sql).get(...valuesOf(query)) as Row | undefined,
  }
}

export function valuesOf(query: Sql): SqliteValue[] {
  return query.values as SqliteValue[] // no query of ours has values of other types
}

/** SQLITE_BUSY: another process writes. */
const busy = 5
/** SQLITE_BUSY, NOMEM, READONLY, IOERR, FULL, CANTOPEN: sqlite.org/rescode.html. */
const outagesOfFile = new Set([busy, 7, 8, 10, 13, 14])

export function isBusy(fault: unknown): boolean {
  return resultCode(fault) === busy
}

/** The fault itself, unless it says that the file cannot be used now. */
export function unavailableOr(fault: unknown): unknown {
  if (!outagesOfFile.has(resultCode(fault))) return fault
  const message = fault instanceof Error ? fault.message : ''
  return new Unavailable(`The database's file cannot be used now: ${message}`, { cause: fault })
}

/** SQLite's primary result code; 0 for other faults. */
function resultCode(fault: unknown): number {
  return fault instanceof Error && 'errcode' in fault ? Number(fault.errcode) & 0xff : 0
}
