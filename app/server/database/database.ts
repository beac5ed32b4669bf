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
   * The only way to write. `work` awaits nothing but the transaction, and may run again after a
   * rollback: PostgreSQL ends a deadlock by one, and on SQLite the transactions that wait at the
   * same moment share one commit. Throws `Unavailable` if the database cannot take it now.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  /** Runs a script of several statements as it stands. */
  script(text: string): Promise<void>
  /**
   * Clears from the database's own files what deleted rows left behind. False: a reader was in the
   * way, try again later.
   */
  clearDeleted(): Promise<boolean>
  close(): Promise<void>
}

/** The database cannot be reached, or takes no writes now. The caller should try again later. */
export class Unavailable extends Error {}
