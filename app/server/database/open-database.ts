import type { Kysely } from 'kysely'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** The same typed queries on either engine. */
export interface Database {
  engine: 'sqlite' | 'postgres'
  query: Kysely<Tables>
  /** Runs a script of several statements as it stands, on one connection. */
  runScript(sql: string): Promise<void>
  /** Other instances' commits of new deliveries. SQLite has none: its one process wakes itself. */
  onDeliveryQueuedElsewhere(wake: () => void): Promise<void>
  /** How long a commit may take before sign-ups are refused. */
  commitTimeoutMs: number
  /**
   * Overwrites what erased rows leave behind in the database's own files. `traces`: texts that stood in them. False if
   * that is not proved, because another process reads the old rows or the scrub would hold up too much: try again later.
   */
  scrub(traces: readonly string[] | 'unknown'): Promise<boolean>
  close(): Promise<void>
}

/** `url`: `file:PATH` or `postgres://…`, checked by config.ts. Throws where the file or the server cannot be opened. */
export async function openDatabase(url: string): Promise<Database> {
  return url.startsWith('file:') ? openSqlite(url.slice('file:'.length)) : openPostgres(url)
}
