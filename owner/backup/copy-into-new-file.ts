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
  await migrate(database, names).finally(() => database.close())
  using file = openSqliteFile(path)
  file.exec('pragma journal_mode = delete')
}

function migrationsOf(backup: string): string[] {
  using file = openSqliteFile(backup, { readOnly: true })
  const applied = file.prepare('select name from migrations order by name').all()
  const ours = new Set(migrationNames())
  return applied.map(({ name }) => {
    if (!ours.has(String(name)))
      throw new CommandError('The backup is of a newer version of this program. Nothing was changed.')
    return String(name)
  })
}

function copyRows(backup: string, to: string): void {
  using file = openSqliteFile(to)
  const readOnly = pathToFileURL(backup)
  readOnly.searchParams.set('mode', 'ro')
  file.exec('pragma foreign_keys = off')
  file.prepare('attach ? as backup').run(readOnly.href)
  // Views and virtual tables are left out.
  const there = file.prepare(
    "select 1 from pragma_table_list where schema = 'backup' and name = ? and type = 'table'",
  )
  const tables = file.prepare(
    `select made.name as "table", group_concat(columns.name) as names
      from main.sqlite_schema made, pragma_table_info(made.name, 'main') columns
      where made.type = 'table' and made.name <> 'migrations'
        and (made.name not like 'sqlite_%' or made.name = 'sqlite_sequence')
      group by made.name order by made.rowid`,
  )
  file.exec('begin')
  for (const { table, names } of tables.all()) {
    // Sessions that ended and passkeys that were removed since must not come back.
    if (/^desk_(?:sessions|secrets|passkeys)$/.test(String(table))) continue
    if (!there.get(table!)) throw new CommandError(`The backup has no table ${table}. Nothing was changed.`)
    file.exec(
      `delete from main.${table}; insert into main.${table} (${names}) select ${names} from backup.${table}`,
    )
  }
  file.exec('commit; detach backup')
  refuseChangedRows(file)
}

/** A mail template is named by the hash of its content, so a changed one shows. Earlier files used the whole hash. */
function refuseChangedRows(file: DatabaseSync): void {
  for (const { hash: name, content } of file.prepare('select hash, content from mail_templates').all())
    if (name !== contentHash(String(content)) && name !== hash('sha256', String(content), 'base64url'))
      throw new CommandError('A mail template in the backup was changed by hand. Nothing was changed.')
  if (file.prepare('pragma foreign_key_check').get() !== undefined)
    throw new CommandError('Rows in the backup refer to others that are missing. Nothing was changed.')
}
