import type { Sql } from 'sql-template-tag'

export interface Reader {
  rows<Row>(query: Sql): Promise<Row[]>
  /** The first row; undefined if there is none. */
  row<Row>(query: Sql): Promise<Row | undefined>
}

export interface Transaction extends Reader {
  /** Returns how many rows were inserted, updated or deleted. */
  run(query: Sql): Promise<number>
  /** Runs an insert of one row into a table with `id`, and returns the new row's. */
  insert(query: Sql): Promise<number>
  /** Held until the transaction ends. SQLite has one writer and needs no locks. */
  lock(name: string): Promise<void>
  /**
   * Ends a select of rows to be updated: rows that another transaction holds are left out. Empty on
   * SQLite.
   */
  skipLocked: Sql
}

/**
 * Outside a transaction, reads see what is committed. Values are strings, numbers and null; times
 * are ms since 1970.
 */
export interface Database extends Reader {
  engine: 'sqlite' | 'postgres'
  /**
   * For the owner's reads, which may take long: in a thread on SQLite, with connections of their
   * own on PostgreSQL. They hold up no visitor.
   */
  ownerReads: Reader
  /**
   * The only way to write. `work` awaits nothing but the transaction, and may run again after a
   * rollback: PostgreSQL ends a deadlock by one, and on SQLite the transactions that wait at the
   * same moment share one commit. Throws `Unavailable` if the database cannot take it now.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Runs a script of several statements as it stands. */
  script(text: string): Promise<void>
  /**
   * Clears from the database's own files what deleted rows left behind, as far as that holds nobody
   * up. False: a reader was in the way, try again later.
   */
  clearDeleted(): Promise<boolean>
  /**
   * True if copies of deleted rows stay in the files even then, until newer rows overwrite them: on
   * PostgreSQL, and in a large file of SQLite.
   */
  leavesTraces(): boolean
  /** Ends the work that goes on, for a second at most. */
  close(): Promise<void>
}

/** How long an open database waits for what. A test sets them shorter. */
export interface DatabaseLimits {
  /**
   * Also for a free connection of the pool, which many erasures at once may take so long to give.
   */
  connectMs: number
  statementMs: number
  /**
   * While another process writes (SQLite), or for a row that another transaction holds. Longer than
   * any write of an owner's command, and shorter than a stop gives requests to be answered
   * (`graceMs` of the server).
   */
  lockMs: number
  /** PostgreSQL only. The owner's reads have connections of their own. */
  maxConnections: number
}

export const databaseLimits: DatabaseLimits = {
  connectMs: 5_000,
  statementMs: 10_000,
  lockMs: 6_000,
  maxConnections: 10,
}

/** The database cannot be reached, or takes no writes now. The caller should try again later. */
export class Unavailable extends Error {
  /** Errors with a code are of the environment: a start that meets one prints a line. */
  readonly code = 'DATABASE_UNAVAILABLE'
}

/** A host with several addresses gives an error without a message. */
export function messageOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  if (fault.message !== '') return fault.message
  return 'code' in fault ? String(fault.code) : fault.name
}
