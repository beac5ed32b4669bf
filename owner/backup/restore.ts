import { copyFileSync, constants, existsSync, linkSync, renameSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Command } from 'commander'
import { ownerCommand } from '#server/configuration/project-files.ts'
import { appliedMigrations, migrate, openDatabase } from '#server/database/open-database.ts'
import { type CommandContext, CommandError, isConfirmed } from '../command-line/command-context.ts'
import { addCommand } from '../command-line/options.ts'
import { counted, countText } from '../command-line/output.ts'
import { anotherVersion, requireSqliteFile } from '../command-line/owned-database.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { copyDatabase } from './backup.ts'
import {
  holdUnsent,
  isSameSite,
  keepWhatPeopleDid,
  type RestoreReport,
  skipUnknownNumbers,
} from './keep-what-people-did.ts'
import {
  faultIn,
  faultOfSqlite,
  filesOf,
  openExclusively,
  openSqliteFile,
  removeFiles,
  syncFile,
} from './sqlite-files.ts'

export function addRestoreCommand(program: Command, context: CommandContext): void {
  const description =
    'Replace the database of a stopped server with a backup. What you did since is undone, what ' +
    'people did since is kept, and so is the old database'
  addCommand(program, 'restore', description, 'data/backup-2026-11-21.db')
    .argument('<FILE>')
    .option('--yes', 'Do not ask in a terminal')
    .action((file: string, { yes = false }: { yes?: boolean }) => restore(context, file, yes))
}

/** All work happens on copies. One of them takes the database's place by one rename. */
async function restore(context: CommandContext, file: string, isYes: boolean): Promise<void> {
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
  const unfinished = `${database}.unfinished`
  const backup = `${database}.backup`
  using atTheEnd = new DisposableStack()
  for (const copy of [unfinished, backup]) atTheEnd.defer(() => removeFiles(copy))
  await copyUpToDate(file, unfinished)
  removeFiles(backup)
  copyFileSync(unfinished, backup, constants.COPYFILE_EXCL)
  {
    using replaced = existsSync(database) ? openExclusively(database) : undefined
    const report = makeRestored({ replaced, backup, unfinished, now })
    await context.write(report.join('\n') + '\n')
    const question = `Restore ${file}?`
    if (!isYes && !(await isConfirmed(context, question))) {
      throw new CommandError('Nothing was changed.')
    }
  }
  const kept = putInPlace(database, unfinished, now)
  const keptLine = kept === undefined ? '' : `The database it replaces is kept as ${kept}.\n`
  await context.write(`${database} is the backup now; start the server.\n${keptLine}`)
}

/** Copies a backup, without sign-ins: a passkey that was removed since must not come back. */
async function copyUpToDate(backup: string, copy: string): Promise<void> {
  copyDatabase(backup, copy)
  const database = await openDatabase(`file:${copy}`)
  try {
    if (!(await appliedMigrations(database)).isSubsetOf(ourMigrations)) {
      throw new CommandError(
        'The backup is of a newer version of this program. Nothing was changed.',
      )
    }
    await migrate(database, ownerMigrations)
    await database.script(
      'delete from desk_sessions; delete from desk_secrets; delete from desk_passkeys',
    )
  } finally {
    await database.close()
  }
  using file = openSqliteFile(copy)
  file.exec('pragma journal_mode = delete') // one file, which takes its name by one rename
}

const ourMigrations = new Set(ownerMigrations.map(({ name }) => name))

interface Restoring {
  /** Open, and locked. Undefined: there is none. */
  replaced: DatabaseSync | undefined
  /** Copies of the backup. The second is to take the database's place. */
  backup: string
  unfinished: string
  now: number
}

/** Changes the unfinished copy, and says what is kept and undone in it, a sentence a line. */
function makeRestored({ replaced, backup, unfinished, now }: Restoring): string[] {
  const held = hold(unfinished, now)
  const report =
    replaced && tellsItsPast(replaced) ? merge(replaced, backup, unfinished) : undefined
  if (report) return sentencesOf(report)
  using restored = openSqliteFile(unfinished)
  skipUnknownNumbers(restored)
  return unknownPast(held)
}

/** Returns undefined if the replaced database is of another site. */
function merge(
  replaced: DatabaseSync,
  backup: string,
  unfinished: string,
): RestoreReport | undefined {
  replaced.prepare('attach ? as backup').run(backup)
  replaced.prepare('attach ? as restored').run(unfinished)
  const report = isSameSite(replaced) ? keepWhatPeopleDid(replaced) : undefined
  replaced.exec('vacuum restored') // deleted rows leave traces in a file until it is rewritten
  replaced.exec('detach restored; detach backup')
  return report
}

function hold(unfinished: string, now: number): number {
  using restored = openSqliteFile(unfinished)
  return holdUnsent(restored, now)
}

/** False: it is damaged, or of a newer version. An older one would be, after a start. */
function tellsItsPast(replaced: DatabaseSync): boolean {
  if (faultIn(replaced)) return false
  const rows = replaced.prepare('select name from migrations').all()
  const applied = new Set(rows.map(({ name }) => String(name)))
  if (applied.isSubsetOf(ourMigrations) && applied.size < ourMigrations.size) {
    throw new CommandError(`${anotherVersion} Nothing was changed.`)
  }
  return applied.size === ourMigrations.size
}

function sentencesOf({ kept, undone, importedAndMet, unsent }: RestoreReport): string[] {
  return [
    'Kept, of what people did since the backup:',
    `  signed up ${countText(kept.signedUp)}, left or came back as undeliverable ${countText(kept.left)}, ` +
      `erased ${countText(kept.erased)}, mails sent ${countText(kept.sent)}; limits and daily counts.`,
    'Undone, of what you did since:',
    `  imported people ${countText(undone.imported)}, bounces from files ${countText(undone.bounces)}, ` +
      `corrected addresses ${countText(undone.corrected)}; settings, drafts and sign-ins of the desk.`,
    ...(importedAndMet > 0
      ? [
          `People imported since who stay, because they were mailed, signed up or left: ${countText(importedAndMet)}.`,
        ]
      : []),
    ...(undone.announcements > 0
      ? [`Announcements started since, which pause: ${countText(undone.announcements)}.`]
      : []),
    `Mails not sent yet, which the server will send: ${countText(unsent)}.`,
  ]
}

function unknownPast(held: number): string[] {
  return [
    'What happened since the backup was made is not known: the database it replaces is missing, damaged, of a newer version, or of another site.',
    `Held back, because they may have been sent since: ${counted(held, 'mail')}. "${ownerCommand} deliveries retry held" sends them, some a second time.`,
    'Announcements since are not known: to announce the same again mails people twice.',
    'People who unsubscribed or were erased since are on the list again: unsubscribe or erase them once more.',
  ]
}

/**
 * Returns the name under which the replaced database is kept. The database's name has a whole file
 * at every moment: a crash leaves either the old database or the new one.
 */
function putInPlace(database: string, unfinished: string, now: number): string | undefined {
  syncFile(unfinished)
  const kept = `${database}.before-restore-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  const wasThere = existsSync(database)
  if (wasThere) linkSync(database, kept)
  // SQLite would play a log that is left beside it into the new database.
  for (const path of filesOf(database)) {
    if (path !== database) renameSync(path, kept + path.slice(database.length))
  }
  renameSync(unfinished, database)
  return wasThere ? kept : undefined
}
