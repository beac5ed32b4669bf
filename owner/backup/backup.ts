import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type CommandContext, CommandError } from '../command-line/command-context.ts'
import { createFile, nameFile } from '../command-line/new-file.ts'
import { addCommand } from '../command-line/options.ts'
import { requireSqliteFile } from '../command-line/owned-database.ts'
import { faultOfSqlite, openSqliteFile, removeFiles, syncFile } from './sqlite-files.ts'

export function addBackupCommand(program: Command, context: CommandContext): void {
  const description = 'Copy the database into a new file while the server runs, and check the copy'
  addCommand(program, 'backup', description, 'data/backup-2026-11-21.db')
    .argument('<FILE>')
    .action((file: string) => backUp(context, file))
}

async function backUp(context: CommandContext, file: string): Promise<void> {
  const dump = 'back it up with: pg_dump --format=custom --file=FILE "$DATABASE_URL"'
  const database = requireSqliteFile(context, dump)
  if (!existsSync(database)) throw new CommandError(`There is no database at ${database} yet.`)
  if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was changed.`)
  const unfinished = `${file}.unfinished`
  using atTheEnd = new DisposableStack()
  atTheEnd.defer(() => removeFiles(unfinished))
  copyDatabase(database, unfinished)
  const fault = faultOfSqlite(unfinished)
  if (fault) throw new CommandError(`The copy cannot be restored (${fault}) and was deleted.`)
  nameFile(unfinished, file)
  await context.write(
    `${file} holds a checked copy of ${database}. It holds addresses: keep it as safe as the database.\n`,
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
