import { hash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { contentHash } from '#server/database/database.ts'
import { migrate, migrationNames, openDatabase } from '#server/database/open-database.ts'
import { openSqliteFile } from './sqlite-files.ts'
import { CommandError } from '../command-line/command-context.ts'

/**
 * Copies the rows of a backup into a new file, whose tables our own migrations make: first those that the backup had, and
 * the others after the rows are there. Nothing else of the backup's schema, such as a trigger, survives.
 */
export async function copyIntoNewFile(backup: string, to: string): Promise<void> {
  closeSync(openSync(to, 'wx', 0o600))
  await migrateFile(to, migrationsOf(backup))
  copyRows(backup, to)
  await migrateFile(to)
}

async function migrateFile(path: string, names?: readonly string[]): Promise<void> {
  const database = await openDatabase(`file:${path}`)
  try {
    await migrate(database, names)
  } finally {
    await database.close()
  }
  using file = openSqliteFile(path)
  file.exec('pragma journal_mode = delete')
}

function copyRows(backup: string, to: string): void {
  using file = openSqliteFile(to)
  file.exec('pragma foreign_keys = off')
  const readOnly = pathToFileURL(backup)
  readOnly.searchParams.set('mode', 'ro')
  file.prepare('attach ? as backup').run(readOnly.href)
  file.exec('begin')
  for (const table of tablesOf(file)) copyTable(file, table)
  file.exec('commit; detach backup')
  refuseChangedRows(file)
}

function migrationsOf(backup: string): string[] {
  using file = openSqliteFile(backup, { readOnly: true })
  const applied = file.prepare('select name from migrations order by name').all()
  const ours = migrationNames()
  return applied.map(({ name }) => {
    if (!ours.includes(String(name)))
      throw new CommandError('The backup is of a newer version of this program. Nothing was changed.')
    return String(name)
  })
}

function tablesOf(file: DatabaseSync): string[] {
  const tables = file.prepare(
    `select name from main.sqlite_schema where type = 'table' and name <> 'migrations'
      and (name not like 'sqlite_%' or name = 'sqlite_sequence') order by rowid`,
  )
  return tables.all().map(({ name }) => String(name))
}

function copyTable(file: DatabaseSync, table: string): void {
  // Somebody may have been signed out since, or a passkey removed.
  if (/^desk_(?:sessions|secrets|passkeys)$/.test(table)) return
  const kinds = file.prepare('pragma backup.table_list').all()
  if (!kinds.some(({ name, type }) => name === table && type === 'table'))
    throw new CommandError(`The backup has no table ${table}. Nothing was changed.`)
  const columns = file.prepare(`select group_concat(name) as names from pragma_table_info(?, 'main')`)
  const names = String(columns.get(table)?.['names'])
  file.exec(
    `delete from main.${table}; insert into main.${table} (${names}) select ${names} from backup.${table}`,
  )
}

/** A mail template is named by the hash of its content, so a changed one shows. Earlier files used the whole hash. */
function refuseChangedRows(file: DatabaseSync): void {
  for (const { hash: name, content } of file.prepare('select hash, content from mail_templates').all())
    if (name !== contentHash(String(content)) && name !== hash('sha256', String(content), 'base64url'))
      throw new CommandError('A mail template in the backup was changed by hand. Nothing was changed.')
  if (file.prepare('pragma foreign_key_check').get() !== undefined)
    throw new CommandError('Rows in the backup refer to others that are missing. Nothing was changed.')
}
