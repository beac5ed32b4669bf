import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import sql, { raw } from 'sql-template-tag'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { type CommandContext, CommandError, UsageError } from '../command-line/command-context.ts'
import { addCommand } from '../command-line/options.ts'
import { anotherVersion, requireSqliteFile } from '../command-line/owned-database.ts'
import { type Progress, startProgress } from '../command-line/progress.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { countOf, faultOfSqlite, openExclusively } from './sqlite-files.ts'

export function addMoveToCommand(program: Command, context: CommandContext): void {
  const description =
    'Copy everything from SQLite to an empty PostgreSQL database. Can be started again'
  addCommand(program, 'move-to', description, 'postgres://starter_bot@localhost/starter_bot')
    .argument(
      '[DATABASE_URL]',
      'The target. The variable TARGET_DATABASE_URL keeps its password out of the list of processes',
    )
    .action((url: string = context.environment['TARGET_DATABASE_URL'] ?? '') =>
      moveTo(context, url),
    )
}

async function moveTo(context: CommandContext, url: string): Promise<void> {
  if (!/^postgres(?:ql)?:\/\//.test(url)) {
    throw new UsageError(
      'Give the address of a database, postgres://…, or set TARGET_DATABASE_URL to it.',
    )
  }
  using source = openSource(context)
  const target = await openDatabase(url)
  try {
    const rows = await moveEverything(source, target)
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
  const applied = source.prepare('select name from migrations').all()
  if (!ownerMigrations.every(({ name }) => applied.some((row) => row['name'] === name))) {
    throw new CommandError(anotherVersion)
  }
  return source
}

async function moveEverything(source: DatabaseSync, target: Database): Promise<number> {
  const tables = tablesOf(source)
  // Before anything is changed: a mistaken address may be that of a running server.
  await refuseOtherData(target, tables)
  await migrate(target, ownerMigrations)
  const total = countOf(
    source,
    tables.map((table) => `(select count(*) from ${table})`).join(' + '),
  )
  const progress = startProgress('Copying', total)
  // In one transaction, so that an interrupted move leaves the target empty.
  const moving = target.transaction(async (transaction) => {
    for (const table of tables) await moveTable(source, transaction, table, progress)
    await continueNumbers(source, transaction)
  })
  await moving.finally(progress.end)
  await target.script('analyze')
  return total
}

async function refuseOtherData(target: Reader, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    if (await target.row(sql`select 1 where to_regclass(${table}) is null`)) continue
    if (await target.row(sql`select 1 from ${raw(table)} limit 1`)) {
      throw new CommandError(
        `The target holds other data (in ${table}); give an empty database. Nothing was copied.`,
      )
    }
  }
}

/** Our tables, in the order in which they were made: one that refers to another comes after it. */
export function tablesOf(file: DatabaseSync): string[] {
  const tables = file.prepare(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'migrations' order by rowid",
  )
  return tables.all().map(({ name }) => String(name))
}

const batchRows = 1_000

/**
 * The numbers of the rows are kept, because personal links and leases refer to them. Both tables
 * have their columns in one order.
 */
async function moveTable(
  source: DatabaseSync,
  target: Transaction,
  table: string,
  progress: Progress,
) {
  const page = source.prepare(`select * from ${table} limit ${batchRows} offset ?`)
  const into = raw(table)
  for (let moved = 0, rows = page.all(0); rows.length > 0; rows = page.all(moved)) {
    const batch = JSON.stringify(rows)
    const back = await target.rows(sql`
      insert into ${into} overriding system value
      select * from json_populate_recordset(null::${into}, ${batch}) returning *`)
    if (JSON.stringify(back) !== batch) {
      throw new CommandError(`${table} differs after the copy. Nothing was copied.`)
    }
    moved += rows.length
    progress.add(rows.length)
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
