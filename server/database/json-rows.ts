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
  const json = JSON.stringify(rows)
  const names = Object.entries(columns)
  if (isPostgres(connection)) {
    const typed = names.map(([name, type]) => `${name} ${type}`).join(', ')
    return sql`(select * from json_to_recordset(${json}::json) as r (${sql.raw(typed)}))`
  }
  const picked = names.map(([name]) => `value ->> '${name}' as ${name}`).join(', ')
  return sql`(select ${sql.raw(picked)} from json_each(${json}))`
}
