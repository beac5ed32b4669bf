import { existsSync } from 'node:fs'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Command } from 'commander'
import sql, { join, raw } from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { type CommandContext, CommandError, UsageError } from '../command-line/command-context.ts'
import { addCommand } from '../command-line/options.ts'
import { anotherVersion, requireSqliteFile } from '../command-line/owned-database.ts'
import { type Progress, startProgress } from '../command-line/progress.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { faultOfSqlite, openExclusively } from './sqlite-files.ts'

export function addMoveToCommand(program: Command, context: CommandContext): void {
  const description = 'Copy everything from SQLite to an empty PostgreSQL database. Can be started again'
  addCommand(program, 'move-to', description, 'postgres://starter_bot@localhost/starter_bot')
    .argument(
      '[DATABASE_URL]',
      'The target. The variable TARGET_DATABASE_URL keeps its password out of the list of processes',
    )
    .action((url: string = context.environment['TARGET_DATABASE_URL'] ?? '') => moveTo(context, url))
}

async function moveTo(context: CommandContext, url: string): Promise<void> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new UsageError('Give the address of a database, postgres://…, or set TARGET_DATABASE_URL to it.')
  using source = openSource(context)
  const target = await openDatabase(url)
  try {
    const rows = await moveEverything(source, target, context)
    await context.write(
      `Moved ${rows} rows; each was read back and compared. The SQLite file is unchanged.\n` +
        'Set DATABASE_URL to the new address and start the server. Do not start it on the old one again.\n',
    )
  } finally {
    await target.close()
  }
}

/** Opened exclusively, so that no sign-up reaches the old database during the copy. */
function openSource(context: CommandContext): DatabaseSync {
  const file = requireSqliteFile(context, 'there is nothing to move.')
  if (!existsSync(file)) throw new CommandError(`There is no database at ${file}.`)
  const fault = faultOfSqlite(file)
  if (fault) throw new CommandError(`${file} cannot be moved: ${fault}.`)
  const source = openExclusively(file)
  if (!source) throw new CommandError('A server is using the database: stop it first. Nothing was copied.')
  const applied = new Set(
    source
      .prepare('select name from migrations')
      .all()
      .map(({ name }) => name),
  )
  if (!ownerMigrations.every(({ name }) => applied.has(name))) throw new CommandError(anotherVersion)
  return source
}

async function moveEverything(
  source: DatabaseSync,
  target: Database,
  context: CommandContext,
): Promise<number> {
  const tables = tablesOf(source)
  // Before anything is changed: a mistaken address may be that of a running server.
  await refuseOtherData(target, tables)
  await migrate(target, ownerMigrations)
  const total = tables.reduce((sum, table) => sum + countRows(source, table), 0)
  const progress = startProgress(context, 'Copying', total)
  // In one transaction, so that an interrupted move leaves the target empty.
  const moving = target.transaction(async (transaction) => {
    await refuseOtherData(transaction, tables)
    for (const table of tables) await moveTable(source, transaction, table, progress)
    await continueNumbers(transaction)
  })
  await moving.finally(progress.end)
  await target.script('analyze')
  return total
}

async function refuseOtherData(target: Reader, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    if (await target.row(sql`select 1 where to_regclass(${table}) is null`)) continue
    if (await target.row(sql`select 1 from ${raw(table)} limit 1`))
      throw new CommandError(
        `The target holds other data (in ${table}); give an empty database. Nothing was copied.`,
      )
  }
}

/** Our tables, in the order in which they were made: one that refers to another comes after it. */
export function tablesOf(file: DatabaseSync): string[] {
  const tables = file.prepare(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'migrations' order by rowid",
  )
  return tables.all().map(({ name }) => String(name))
}

function countRows(source: DatabaseSync, table: string): number {
  return Number(source.prepare(`select count(*) as n from ${table}`).get()?.['n'])
}

const batchRows = 500 // PostgreSQL takes 65,535 values in one statement

/** The numbers of the rows are kept, because personal links and leases refer to them. */
async function moveTable(source: DatabaseSync, target: Transaction, table: string, progress: Progress) {
  const read = source.prepare(`select * from ${table}`)
  const columns = read.columns().map(({ name }) => name)
  const names = raw(columns.join(', '))
  read.setReturnArrays(true)
  for (const batch of batches(read.iterate() as Iterable<unknown> as Iterable<SQLOutputValue[]>)) {
    const values = join(batch.map((row) => sql`(${join(row)})`))
    const moved = await target.rows<Record<string, SQLOutputValue>>(sql`
      insert into ${raw(table)} (${names}) overriding system value values ${values} returning ${names}`)
    const back = moved.map((row) => columns.map((name) => row[name]))
    if (JSON.stringify(back) !== JSON.stringify(batch))
      throw new CommandError(`${table} differs after the copy. Nothing was copied.`)
    progress.add(batch.length)
  }
}

/** Groups rows, so that a long table needs no more memory than a short one. */
function* batches<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  for (const row of rows) {
    if (batch.push(row) < batchRows) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** New rows get numbers above the moved ones. */
async function continueNumbers(target: Transaction): Promise<void> {
  const numbered = await target.rows<{ table: string }>(sql`
    select table_name as "table" from information_schema.columns
    where is_identity = 'YES' and table_schema = current_schema()`)
  for (const { table } of numbered)
    await target.rows(sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false) from ${raw(table)}`)
}
