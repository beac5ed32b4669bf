import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** A connection or a transaction: every function that runs SQL takes either. */
export type Connection = Kysely<Tables>

export function isPostgres(connection: Connection): boolean {
  return connection.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Many rows as one parameter, so that a statement's text (and its preparation) is the same for one row and for a thousand.
 * `columns` gives each column's type by name.
 */
export function jsonRows<Row extends object>(
  connection: Connection,
  rows: readonly Row[],
  columns: Record<keyof Row & string, 'text' | 'bigint'>,
): RawBuilder<Row> {
  const names = Object.entries(columns)
  if (isPostgres(connection)) {
    const typed = names.map(([name, type]) => `${name} ${type}`).join(', ')
    return sql`(select * from json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.raw(typed)}))`
  }
  // By place, which SQLite finds faster than by name; jsonb, so that it parses the text once.
  const keys = names.map(([name]) => name as keyof Row)
  const json = JSON.stringify(rows.map((row) => keys.map((key) => row[key])))
  const picked = names.map(([name], place) => `value ->> ${place} as ${name}`).join(', ')
  return sql`(select ${sql.raw(picked)} from jsonb_each(${json}))`
}
