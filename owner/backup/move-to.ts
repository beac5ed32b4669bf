import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import sql, { raw } from 'sql-template-tag'
import type { Database, Reader } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { type CommandContext, CommandError, UsageError } from '#owner/acts/command-context.ts'
import { addCommand } from '#owner/acts/options.ts'
import { requireOurVersion, requireSqliteFile } from '#owner/acts/owned-database.ts'
import { startProgress } from '#owner/acts/progress.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { countRows, insertTables, tablesOf } from './between-engines.ts'
import { faultOfSqlite, migrationsOf, openExclusively } from './sqlite-files.ts'

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
  requireOurVersion(migrationsOf(source))
  return source
}

async function moveEverything(source: DatabaseSync, target: Database): Promise<number> {
  const tables = tablesOf(source)
  // Before anything is changed: a mistaken address may be that of a running server.
  await refuseOtherData(target, tables)
  await migrate(target, ownerMigrations)
  const total = countRows(source, tables)
  const progress = startProgress('Copying', total)
  // In one transaction, so that an interrupted move leaves the target empty.
  const moving = target.transaction((transaction) => insertTables(source, transaction, progress))
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
