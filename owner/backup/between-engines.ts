import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import sql, { join, raw } from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { createFile } from '#owner/acts/terminal/new-file.ts'
import { type Progress, startProgress } from '#owner/acts/terminal/progress.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { countOf, openSqliteFile, removeFiles, syncFile } from './sqlite-files.ts'

const connectionEndsWithinMs = 3_000
const lookAgainAfterMs = 100
const batchRows = 1_000
/** Characters of JSON. A row may hold a file. */
const batchLength = 4_000_000
/** A row of these holds a file, or a piece of one: a thousand would be gigabytes in one answer. */
const fileTables: ReadonlySet<string> = new Set(['letter_pictures', 'content_file_parts'])

/**
 * Writes a PostgreSQL database as it is at one moment into a new file of SQLite, which is what a
 * backup is on both engines.
 */
export async function copyFromPostgres(source: Database, path: string): Promise<void> {
  removeFiles(path)
  createFile(path)
  const empty = await openDatabase(`file:${path}`)
  try {
    await migrate(empty, ownerMigrations)
  } finally {
    await empty.close()
  }
  {
    using copy = openSqliteFile(path)
    copy.exec('pragma journal_mode = delete; begin')
    await source.transaction(async (transaction) => {
      await transaction.run(sql`set transaction isolation level repeatable read, read only`)
      for (const table of tablesOf(copy)) await copyTable(transaction, copy, table)
      await copyNumbers(transaction, copy)
    })
    copy.exec('commit')
  }
  syncFile(path)
}

async function copyTable(source: Transaction, copy: DatabaseSync, table: string): Promise<void> {
  const columns = columnsOf(copy, table)
  const values = columns.map(() => '?').join(', ')
  copy.exec(`delete from ${table}`) // what a migration put there
  const insert = copy.prepare(`insert into ${table} (${columns.join(', ')}) values (${values})`)
  const rowsAtOnce = fileTables.has(table) ? 1 : batchRows
  await source.run(sql`declare copied no scroll cursor for select * from ${raw(table)}`)
  while (true) {
    const rows = await source.rows<Record<string, SQLInputValue>>(
      sql`fetch ${raw(String(rowsAtOnce))} from copied`,
    )
    if (rows.length === 0) break
    for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null))
  }
  await source.run(sql`close copied`)
}

/** Numbers that were given, also those whose rows are gone. */
async function copyNumbers(source: Reader, copy: DatabaseSync): Promise<void> {
  copy.exec('delete from sqlite_sequence')
  const numbered = copy
    .prepare("select name from sqlite_schema where type = 'table' and sql like '%autoincrement%'")
    .all()
  for (const { name } of numbered) {
    const sequence = await source.row<{ last: number | null }>(sql`
      select pg_sequence_last_value(
        pg_get_serial_sequence(${String(name)}, 'id')::regclass
      ) as last`)
    copy
      .prepare('insert into sqlite_sequence (name, seq) values (?, ?)')
      .run(String(name), sequence?.last ?? 0)
  }
}

/**
 * Puts all rows of a file in the place of those of a PostgreSQL database, in one transaction. No
 * server may be running.
 */
export async function replaceInPostgres(source: DatabaseSync, target: Database): Promise<void> {
  const tables = tablesOf(source)
  const all = join(tables.map((table) => raw(table)))
  const progress = startProgress('Writing', countRows(source, tables))
  const writing = target.transaction(async (transaction) => {
    await refuseRunningServer(transaction)
    await transaction.run(sql`truncate ${all}`) // it locks them all
    await insertTables(source, transaction, progress)
  })
  await writing.finally(progress.end)
  await target.script('analyze')
}

/** Returns false for a new database, and after a restore into it that broke off. */
export async function hasRows(reader: Reader): Promise<boolean> {
  const tables = await reader.rows<{ name: string }>(sql`
    select tablename as name from pg_tables
    where schemaname = current_schema() and tablename <> 'migrations'`)
  for (const { name } of tables) {
    if (await reader.row(sql`select 1 from ${raw(name)} limit 1`)) return true
  }
  return false
}

/**
 * Every server names itself to PostgreSQL, which lists a connection for a moment after its end: so
 * this waits for a few seconds.
 */
export async function refuseRunningServer(reader: Reader): Promise<void> {
  const deadline = Date.now() + connectionEndsWithinMs
  while (await hasOtherConnection(reader)) {
    if (Date.now() > deadline) {
      throw new CommandError('A server is using the database: stop it first. Nothing was changed.')
    }
    await sleep(lookAgainAfterMs)
  }
}

async function hasOtherConnection(reader: Reader): Promise<boolean> {
  await reader.row(sql`select pg_stat_clear_snapshot()`) // a transaction sees its first look again
  const other = await reader.row(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and application_name = 'starter-bot' limit 1`)
  return other !== undefined
}

/** Into empty tables. Numbers of rows are kept: personal links and leases refer to them. */
async function insertTables(
  source: DatabaseSync,
  target: Transaction,
  progress: Progress,
): Promise<void> {
  for (const table of tablesOf(source)) await insertTable(source, target, table, progress)
  await continueNumbers(source, target)
}

async function insertTable(
  source: DatabaseSync,
  target: Transaction,
  table: string,
  progress: Progress,
): Promise<void> {
  let batch: string[] = []
  let length = 0
  for (const row of source.prepare(`select * from ${table}`).iterate()) {
    const json = JSON.stringify(row)
    batch.push(json)
    length += json.length
    if (batch.length < batchRows && length < batchLength) continue
    await insertRows(target, table, batch)
    progress.add(batch.length)
    batch = []
    length = 0
  }
  await insertRows(target, table, batch)
  progress.add(batch.length)
}

/** Reads the rows back, and compares them. */
async function insertRows(target: Transaction, table: string, rows: string[]): Promise<void> {
  const into = raw(table)
  const batch = `[${rows.join(',')}]`
  const back = await target.rows(sql`
    insert into ${into} overriding system value
    select * from json_populate_recordset(null::${into}, ${batch}) returning *`)
  if (JSON.stringify(back) !== batch) {
    throw new CommandError(`${table} differs after the copy. Nothing was copied.`)
  }
}

/** Goes on with the source's numbers, so that those of erased people do not come back. */
async function continueNumbers(source: DatabaseSync, target: Transaction): Promise<void> {
  for (const { name, seq } of source.prepare('select name, seq from sqlite_sequence').all()) {
    await target.rows(sql`
      select setval(pg_get_serial_sequence(${String(name)}, 'id'), ${Number(seq)}, true)
      where ${Number(seq)} > 0`)
  }
}

/** Our tables, in the order in which they were made: one that refers to another comes after it. */
export function tablesOf(file: DatabaseSync): string[] {
  const tables = file.prepare(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'migrations' order by rowid",
  )
  return tables.all().map(({ name }) => String(name))
}

/** Sums up all tables. */
export function countRows(file: DatabaseSync, tables: readonly string[]): number {
  return countOf(file, tables.map((table) => `(select count(*) from ${table})`).join(' + '))
}

function columnsOf(file: DatabaseSync, table: string): string[] {
  const rows = file.prepare(`select name from pragma_table_info('${table}')`).all()
  return rows.map(({ name }) => String(name))
}
