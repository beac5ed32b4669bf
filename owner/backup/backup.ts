import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { createFile, nameFile } from '#owner/acts/terminal/new-file.ts'
import { addCommand } from '#owner/acts/terminal/options.ts'
import { configOf, sqliteFile, withDatabase } from '#owner/acts/owned-database.ts'
import { copyFromPostgres } from './between-engines.ts'
import { faultOfSqlite, openSqliteFile, removeFiles, syncFile } from './sqlite-files.ts'

export function addBackupCommand(program: Command, context: CommandContext): void {
  const description = 'Copy the database into a new file while the server runs, and check the copy'
  addCommand(program, 'backup', description, 'data/backup-2026-11-21.db')
    .argument('<FILE>')
    .action((file: string) => backUp(context, file))
}

async function backUp(context: CommandContext, file: string): Promise<void> {
  const { databaseUrl } = configOf(context)
  const source = sqliteFile(databaseUrl)
  if (source !== undefined && !existsSync(source)) {
    throw new CommandError(`There is no database at ${source} yet.`)
  }
  if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was changed.`)
  const unfinished = `${file}.unfinished`
  using atTheEnd = new DisposableStack()
  atTheEnd.defer(() => removeFiles(unfinished))
  if (source === undefined) {
    await withDatabase(context, ({ database }) => copyFromPostgres(database, unfinished))
  } else {
    copyDatabase(source, unfinished)
  }
  const fault = faultOfSqlite(unfinished)
  if (fault) throw new CommandError(`The copy cannot be restored (${fault}) and was deleted.`)
  nameFile(unfinished, file)
  const copied = source ?? 'the database'
  await context.write(
    `${file} holds a checked copy of ${copied}. It holds addresses: keep it as safe as the database.\n`,
  )
}

/**
 * Copies a database as it is at one moment. SQLite's own backup starts again with every commit of
 * another process, so on a busy server it would not end.
 */
export function copyDatabase(source: string, copy: string): void {
  removeFiles(copy)
  createFile(copy)
  using file = openSqliteFile(source, { readOnly: true })
  file.prepare('vacuum into ?').run(copy)
  syncFile(copy)
}
