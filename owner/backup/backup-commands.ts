import { existsSync, linkSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { ownerCommand } from '#server/configuration/project-files.ts'
import { appliedMigrations, migrate, openDatabase } from '#server/database/open-database.ts'
import { type CommandContext, CommandError } from '../command-line/command-context.ts'
import { addCommand } from '../command-line/options.ts'
import { counted } from '../command-line/output.ts'
import { requireSqliteFile } from '../command-line/owned-database.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { applyReplaced, holdUnsent } from './since-the-backup.ts'
import {
  faultIn,
  faultOfSqlite,
  filesOf,
  openExclusively,
  openSqliteFile,
  removeFiles,
  syncFile,
} from './sqlite-files.ts'

export function addBackupCommands(program: Command, context: CommandContext): void {
  const example = 'data/backup-2026-11-21.db'
  const copying = 'Copy the database into a new file while the server runs, and check the copy'
  addCommand(program, 'backup', copying, example)
    .argument('<FILE>')
    .action((file: string) => backUp(context, file))

  const restoring =
    'Replace the database of a stopped server with a backup; the old database is kept'
  addCommand(program, 'restore', restoring, example)
    .argument('<FILE>')
    .action((file: string) => restore(context, file))
}

async function backUp(context: CommandContext, file: string): Promise<void> {
  const dump = 'back it up with: pg_dump --format=custom --file=FILE "$DATABASE_URL"'
  const database = requireSqliteFile(context, dump)
  if (!existsSync(database)) throw new CommandError(`There is no database at ${database} yet.`)
  if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was changed.`)
  const unfinished = `${file}.unfinished`
  using atTheEnd = new DisposableStack()
  atTheEnd.defer(() => removeFiles(unfinished))
  copyAsItIs(database, unfinished)
  const fault = faultOfSqlite(unfinished)
  if (fault) throw new CommandError(`The copy is not intact (${fault}) and was deleted.`)
  renameSync(unfinished, file)
  await context.write(
    `${file} holds a checked copy of ${database}. It holds addresses: keep it as safe as the database.\n`,
  )
}

/**
 * Copies the database as it is at one moment. SQLite's own backup starts again with every commit of
 * another process, so on a busy server it would not end.
 */
function copyAsItIs(from: string, to: string): void {
  removeFiles(to)
  // Created here, so that no other account can read it even for a moment.
  writeFileSync(to, '', { flag: 'wx', mode: 0o600 })
  using source = openSqliteFile(from, { readOnly: true })
  source.prepare('vacuum into ?').run(to)
  syncFile(to)
}

async function restore(context: CommandContext, file: string): Promise<void> {
  const database = requireSqliteFile(
    context,
    'docs/operations.md says how to restore it with pg_restore',
  )
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new CommandError(`There is no file ${file}.`)
  }
  const fault = faultOfSqlite(file)
  if (fault) throw new CommandError(`${file} cannot be restored: ${fault}. Nothing was changed.`)
  const now = context.now()
  const kept = `${database}.before-restore-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  const unfinished = `${database}.unfinished`
  using atTheEnd = new DisposableStack()
  atTheEnd.defer(() => removeFiles(unfinished))
  await copyUpToDate(file, unfinished)
  const wasThere = existsSync(database)
  const report = (wasThere && bringUpToDate(database, unfinished)) || hold(unfinished, now)
  syncFile(unfinished)
  // The name has a whole file at every moment: a crash leaves either the old database or the new
  // one.
  if (wasThere) linkSync(database, kept)
  // SQLite would play a log that is left beside it into the new database.
  for (const path of filesOf(database)) {
    if (path !== database) renameSync(path, kept + path.slice(database.length))
  }
  renameSync(unfinished, database)
  const keptLine = wasThere ? [`The database it replaces is kept as ${kept}.`] : []
  const first = `${database} is the backup now; start the server.`
  await context.write([first, ...report, ...keptLine, ''].join('\n'))
}

/**
 * Copies a backup, without sign-ins: sessions that ended and passkeys that were removed since must
 * not come back.
 */
async function copyUpToDate(backup: string, to: string): Promise<void> {
  copyAsItIs(backup, to)
  const copy = await openDatabase(`file:${to}`)
  try {
    const ours = new Set(ownerMigrations.map(({ name }) => name))
    if (!(await appliedMigrations(copy)).isSubsetOf(ours)) {
      throw new CommandError(
        'The backup is of a newer version of this program. Nothing was changed.',
      )
    }
    await migrate(copy, ownerMigrations)
    await copy.script(
      'delete from desk_sessions; delete from desk_secrets; delete from desk_passkeys',
    )
  } finally {
    await copy.close()
  }
  using file = openSqliteFile(to)
  file.exec('pragma journal_mode = delete') // one file, which takes its name by one rename
}

/** Returns undefined if the replaced database is damaged or does not continue the backup. */
function bringUpToDate(database: string, unfinished: string): string[] | undefined {
  using replaced = openExclusively(database)
  if (faultIn(replaced)) return undefined
  replaced.prepare('attach ? as restored').run(unfinished)
  const applied = applyReplaced(replaced)
  return (
    applied && [
      'What happened since to the people in it is applied: sent mail is not sent again, and people who left stay away.',
      ...(applied.erased > 0 ? [`People erased since are not in it: ${applied.erased}.`] : []),
      `Mails not sent yet, which the server will send: ${applied.unsent}.`,
      'People who signed up since are only in the database it replaces.',
    ]
  )
}

function hold(unfinished: string, now: number): string[] {
  using restored = openSqliteFile(unfinished)
  const held = counted(holdUnsent(restored, now), 'mail')
  return [
    'What happened since the backup was made is not known: the database it replaces is missing, damaged, or does not continue this backup.',
    `Held back, because they may have been sent since: ${held}. "${ownerCommand} deliveries retry held" sends them, some a second time.`,
    'Announcements since are not known: to announce the same again mails people twice.',
    'People who unsubscribed or were erased since are on the list again: unsubscribe or erase them once more.',
  ]
}
