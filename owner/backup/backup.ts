import { existsSync, renameSync } from 'node:fs'
import type { Command } from 'commander'
import { type CommandContext, CommandError } from '../command-line/command-context.ts'
import { addExample } from '../command-line/options.ts'
import { requireSqliteFile } from '../command-line/owned-database.ts'
import { copySqlite, faultOfSqlite, removeFiles } from './sqlite-files.ts'

export function addBackupCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('backup')
    .description('Copy the database into a new file while the server runs, and check the copy')
    .argument('<FILE>')
  addExample(command, 'backup data/backup-2026-11-21.db')
  command.action((file: string) => backUp(context, file))
}

async function backUp(context: CommandContext, file: string): Promise<void> {
  const database = requireSqliteFile(
    context,
    'back it up with: pg_dump --format=custom --file=FILE "$DATABASE_URL"',
  )
  if (!existsSync(database)) throw new CommandError(`There is no database at ${database} yet.`)
  if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was changed.`)
  const unfinished = `${file}.unfinished`
  removeFiles(unfinished)
  try {
    copySqlite(database, unfinished)
    const fault = faultOfSqlite(unfinished)
    if (fault) throw new CommandError(`The copy is not intact (${fault}) and was deleted.`)
    renameSync(unfinished, file)
  } finally {
    removeFiles(unfinished)
  }
  await context.write(
    `${file} holds a checked copy of ${database}. It holds addresses: keep it as safe as the database.\n`,
  )
}
