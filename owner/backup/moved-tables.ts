import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type Database, jsonRows } from '#server/database/database.ts'

/** Every table with the columns of its key. Tables that others refer to come first. */
const movedTables = {
  settings: ['name'],
  mail_templates: ['hash'],
  wordings: ['hash'],
  subscribers: ['id'],
  announcements: ['id'],
  deliveries: ['id'],
  blocked_addresses: ['hash'],
  limit_windows: ['name'],
  daily_counts: ['day', 'event', 'detail'],
  desk_sessions: ['hash'],
  desk_secrets: ['hash'],
  desk_passkeys: ['id'],
  desk_audit: ['id'],
  webhook_events: ['id'],
} as const
export type MovedTable = keyof typeof movedTables
export const movedTableNames = Object.keys(movedTables) as MovedTable[] // they are its keys

export type Row = Record<string, string | number | null>
type ColumnTypes = Record<string, 'text' | 'bigint'>

const pageRows = 2_000

export function columnsOf(source: DatabaseSync, table: MovedTable): ColumnTypes {
  const columns = source.prepare('select name, type from pragma_table_info(?)').all(table)
  return Object.fromEntries(
    columns.map(({ name, type }) => [String(name), type === 'INTEGER' ? 'bigint' : 'text'] as const),
  )
}

export function countRows(source: DatabaseSync, table: MovedTable): number {
  return Number(source.prepare(`select count(*) as n from ${table}`).get()?.['n'])
}

/** Page by page, in the byte order of the key. */
export function* sourcePages(source: DatabaseSync, table: MovedTable): Generator<Row[]> {
  const keys = movedTables[table].join(', ')
  const after = movedTables[table].map(() => '?').join(', ')
  const names = Object.keys(columnsOf(source, table)).join(', ')
  const first = source.prepare(`select ${names} from ${table} order by ${keys} limit ${pageRows}`)
  const next = source.prepare(
    `select ${names} from ${table} where (${keys}) > (${after}) order by ${keys} limit ${pageRows}`,
  )
  let page = first.all() as Row[] // our tables hold text and whole numbers only
  while (page.length > 0) {
    yield page
    page = next.all(...keyOf(table, page.at(-1)!)) as Row[] // as above
  }
}

/** In the order of the source, whatever the server's locale. */
export async function* targetPages(target: Database, table: MovedTable, columns: ColumnTypes) {
  const keys = movedTables[table].map((key) => (columns[key] === 'text' ? `${key} collate "C"` : key))
  const ordered = sql.raw(keys.join(', '))
  const names = sql.raw(Object.keys(columns).join(', '))
  let last: Row | undefined
  for (;;) {
    const following = last ? sql`where (${ordered}) > (${sql.join(keyOf(table, last))})` : sql``
    const { rows } = await sql<Row>`
      select ${names} from ${sql.raw(table)} ${following} order by ${ordered} limit ${pageRows}`.execute(
      target.query,
    )
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
    last = rows.at(-1)
  }
}

function keyOf(table: MovedTable, row: Row): (string | number)[] {
  return movedTables[table].map((key) => row[key]!)
}

/** Keeps the numbers, because personal links and leases refer to them. Skips rows that exist. */
export async function insertRows(
  target: Database,
  table: MovedTable,
  columns: ColumnTypes,
  rows: readonly Row[],
) {
  const names = sql.raw(Object.keys(columns).join(', '))
  await sql`
    insert into ${sql.raw(table)} (${names}) overriding system value
    select ${names} from ${jsonRows(target.query, rows, columns)} as moved
    on conflict do nothing`.execute(target.query)
}

/** New rows get numbers above the moved ones. */
export async function continueNumbers(target: Database): Promise<void> {
  for (const table of ['subscribers', 'announcements', 'deliveries', 'desk_audit', 'webhook_events'])
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
      from ${sql.raw(table)}`.execute(target.query)
}
