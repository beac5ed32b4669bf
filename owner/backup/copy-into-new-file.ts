import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { contentHash } from '#server/subscribers/wordings.ts'
import { CommandError } from '../command-line/command-context.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { openSqliteFile } from './sqlite-files.ts'

/**
 * Copies the rows of a backup into a new file, whose tables our own migrations make: first those that the backup had, and
 * the others after the rows are there. Nothing else of the backup's schema, such as a trigger, survives.
 */
export async function copyIntoNewFile(backup: string, to: string): Promise<void> {
  closeSync(openSync(to, 'wx', 0o600))
  const applied = migrationsOf(backup)
  await migrateFile(to, applied)
  copyRows(backup, to)
  await migrateFile(to)
}

async function migrateFile(path: string, names = ownerMigrations.map(({ name }) => name)): Promise<void> {
  const database = await openDatabase(`file:${path}`)
  const chosen = ownerMigrations.filter(({ name }) => names.includes(name))
  await migrate(database, chosen).finally(() => database.close())
  using file = openSqliteFile(path)
  file.exec('pragma journal_mode = delete') // one file, which takes its name by one rename
}

function migrationsOf(backup: string): string[] {
  using file = openSqliteFile(backup, { readOnly: true })
  const applied = file.prepare('select name from migrations').all()
  const names = applied.map(({ name }) => String(name))
  if (new Set(names).isSubsetOf(new Set(ownerMigrations.map(({ name }) => name)))) return names
  throw new CommandError('The backup is of a newer version of this program. Nothing was changed.')
}

function copyRows(backup: string, to: string): void {
  using file = openSqliteFile(to)
  file.prepare('attach ? as backup').run(backup)
  file.exec('begin')
  for (const table of tablesOf(file)) {
    // Sessions that ended and passkeys that were removed since must not come back.
    if (/^desk_(?:sessions|secrets|passkeys)$/.test(table)) continue
    // A view in place of a table is none of ours.
    const kept = "select 1 from pragma_table_list where schema = 'backup' and name = ? and type = 'table'"
    if (!file.prepare(kept).get(table))
      throw new CommandError(`The backup has no table ${table}. Nothing was changed.`)
    const names = columnsOf(file, table).join(', ')
    file.exec(`insert into main.${table} (${names}) select ${names} from backup.${table}`)
  }
  file.exec(
    'delete from main.sqlite_sequence; insert into main.sqlite_sequence select * from backup.sqlite_sequence',
  )
  file.exec('commit; detach backup')
  refuseChangedRows(file)
}

/** Our tables, in the order in which they were made: one that refers to another comes after it. */
export function tablesOf(file: DatabaseSync): string[] {
  const tables = file.prepare(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'migrations' order by rowid",
  )
  return tables.all().map(({ name }) => String(name))
}

export function columnsOf(file: DatabaseSync, table: string): string[] {
  const columns = file.prepare("select name from pragma_table_info(?, 'main')").all(table)
  return columns.map(({ name }) => String(name))
}

/** A mail template is named by the hash of its content, so a changed one shows. */
function refuseChangedRows(file: DatabaseSync): void {
  for (const { hash, content } of file.prepare('select hash, content from mail_templates').all())
    if (hash !== contentHash(String(content)))
      throw new CommandError('A mail template in the backup was changed by hand. Nothing was changed.')
  if (file.prepare('pragma foreign_key_check').get() !== undefined)
    throw new CommandError('Rows in the backup refer to others that are missing. Nothing was changed.')
}
