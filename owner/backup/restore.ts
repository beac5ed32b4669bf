import { accessSync, constants, existsSync, linkSync, renameSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { appliedMigrations, migrate, openDatabase } from '#server/database/open-database.ts'
import { mustBelongTo } from '#server/database/sqlite/open-sqlite.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { nameFile } from '#owner/acts/terminal/new-file.ts'
import { addCommand } from '#owner/acts/terminal/options.ts'
import { configOf, requireOurVersion, sqliteFile } from '#owner/acts/owned-database.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import {
  copyFromPostgres,
  countRows,
  hasRows,
  refuseRunningServer,
  replaceInPostgres,
  tablesOf,
} from './between-engines.ts'
import { ourMigrations, type Preparation, prepareRestore } from './prepare-restore.ts'
import { faultOfSqlite, filesOf, openSqliteFile, removeFiles } from './sqlite-files.ts'

export function addRestoreCommand(program: Command, context: CommandContext): void {
  const description =
    'Replace the database of a stopped server with a backup. The list and what was sent stay as they ' +
    'are now, all else becomes what it was, and the old database is kept'
  addCommand(program, 'restore', description, 'data/backup-2026-11-21.db')
    .argument('<FILE>')
    .option('--yes', 'Do not ask in a terminal')
    .option('--moved', 'Put all of FILE into an empty database, on this or the other engine')
    .action((file: string, { yes = false, moved = false }: { yes?: boolean; moved?: boolean }) =>
      restore(context, { file, isYes: yes, isMoved: moved }),
    )
}

type Wish = Pick<Preparation, 'file' | 'isYes' | 'isMoved'>

async function restore(context: CommandContext, wish: Wish): Promise<void> {
  const { file } = wish
  checkReadable(file)
  const fault = faultOfSqlite(file)
  if (fault) throw new CommandError(`${file} cannot be restored: ${fault}. Nothing was changed.`)
  const { databaseUrl } = configOf(context)
  const database = sqliteFile(databaseUrl)
  if (database === undefined) await restoreToPostgres(context, { databaseUrl, ...wish })
  else await restoreToSqlite(context, { database, ...wish })
}

/** SQLite would only say that it cannot open the file. */
function checkReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (fault) {
    const isClosed = fault instanceof Error && 'code' in fault && fault.code === 'EACCES'
    if (!isClosed) throw new CommandError(`There is no file ${file}.`)
    throw new CommandError(
      `${file} cannot be read: ${mustBelongTo(file)}, and be in a folder that this user may enter.`,
    )
  }
  if (!statSync(file).isFile()) throw new CommandError(`There is no file ${file}.`)
}

/** All work happens on copies. One of them takes the database's place by one rename. */
async function restoreToSqlite(
  context: CommandContext,
  { database, ...wish }: Wish & { database: string },
): Promise<void> {
  const now = context.now()
  const unfinished = `${database}.unfinished`
  using atTheEnd = new DisposableStack()
  atTheEnd.defer(() => removeFiles(unfinished))
  const replaced = existsSync(database) ? database : undefined
  if (wish.isMoved && replaced !== undefined && !isEmptyFile(replaced)) refuseOtherData(database)
  await prepareRestore(context, { ...wish, replaced, unfinished, now })
  const kept = putInPlace(database, unfinished, now)
  const keptLine = kept === undefined ? '' : `The database it replaces is kept as ${kept}.\n`
  const is = wish.isMoved ? `holds all of ${wish.file}` : 'is the backup'
  await context.write(`${database} ${is} now; start the server.\n${keptLine}`)
}

/** As on SQLite, with a copy of the database. Its rows are replaced in one transaction. */
async function restoreToPostgres(
  context: CommandContext,
  { databaseUrl, ...wish }: Wish & { databaseUrl: string },
): Promise<void> {
  const { file, isMoved } = wish
  const now = context.now()
  const unfinished = `${file}.unfinished`
  const copy = `${file}.replaced`
  using atTheEnd = new DisposableStack()
  for (const path of [unfinished, copy]) atTheEnd.defer(() => removeFiles(path))
  const database = await openDatabase(databaseUrl)
  try {
    const isEmpty = await prepareTables(database)
    if (isMoved && !isEmpty) refuseOtherData('The database')
    await refuseRunningServer(database)
    if (!isEmpty) await copyFromPostgres(database, copy)
    const replaced = isEmpty ? undefined : copy
    await prepareRestore(context, { ...wish, replaced, unfinished, now })
    // Before it is replaced: whatever fails from then on, the copy is there, and its name was told.
    if (!isEmpty) {
      const kept = nameKept(file, now)
      nameFile(copy, kept)
      await context.write(`The database as it was is kept as ${kept}.\n`)
    }
    using restored = openSqliteFile(unfinished, { readOnly: true })
    await replaceInPostgres(restored, database)
    const is = isMoved ? `holds all of ${file}` : 'is the backup'
    await context.write(`The database ${is} now; start the servers.\n`)
  } finally {
    await database.close()
  }
}

function isEmptyFile(path: string): boolean {
  if (statSync(path).size === 0) return true
  if (faultOfSqlite(path)) return false
  using file = openSqliteFile(path, { readOnly: true })
  return countRows(file, tablesOf(file)) === 0
}

function refuseOtherData(database: string): never {
  throw new CommandError(
    `${database} holds data already: move into an empty database. Nothing was changed.`,
  )
}

/** Makes the tables in an empty database. Returns true if it has no rows. */
async function prepareTables(database: Database): Promise<boolean> {
  const tables = await database.row<{ name: string | null }>(
    sql`select to_regclass('migrations') as name`,
  )
  if (tables?.name == null) {
    await migrate(database, ownerMigrations)
    return true
  }
  const applied = await appliedMigrations(database)
  if (!applied.isSubsetOf(ourMigrations)) {
    throw new CommandError(
      'The database is from a newer version of this program: restore into an empty one. Nothing was changed.',
    )
  }
  requireOurVersion(applied)
  return !(await hasRows(database))
}

/**
 * Returns the name under which the replaced database is kept. The database's name has a whole file
 * at every moment: a crash leaves either the old database or the new one. The lock has ended,
 * because Windows renames no open file, so nothing slow may stand here: a server that starts before
 * the last line would write into the old database.
 */
function putInPlace(database: string, unfinished: string, now: number): string | undefined {
  const kept = nameKept(database, now)
  const wasThere = existsSync(database)
  if (wasThere) linkSync(database, kept)
  // SQLite would play a log that is left beside it into the new database.
  for (const path of filesOf(database)) {
    if (path !== database) renameSync(path, kept + path.slice(database.length))
  }
  renameSync(unfinished, database)
  return wasThere ? kept : undefined
}

function nameKept(path: string, now: number): string {
  return `${path}.before-restore-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
}
