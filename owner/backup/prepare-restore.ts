import { copyFileSync, constants } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { ownerCommand } from '#server/settings/project-files.ts'
import { appliedMigrations, migrate, openDatabase } from '#server/database/open-database.ts'
import { type CommandContext, CommandError, isConfirmed } from '#owner/acts/command-context.ts'
import { counted, countText } from '#owner/acts/output.ts'
import { requireOurVersion } from '#owner/acts/owned-database.ts'
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
  migrationsOf,
  openExclusively,
  openSqliteFile,
  removeFiles,
  syncFile,
} from './sqlite-files.ts'

export const ourMigrations: ReadonlySet<string> = new Set(ownerMigrations.map(({ name }) => name))

export interface Preparation {
  /** The backup. */
  file: string
  /** Without a question. */
  isYes: boolean
  /** A file of the database that is replaced. Undefined: there is none. */
  replaced: string | undefined
  /** Where the restored database is made. */
  unfinished: string
  now: number
}

/** Makes the restored database in a file of its own, says what is in it, and asks. */
export async function prepareRestore(
  context: CommandContext,
  preparation: Preparation,
): Promise<void> {
  const { file, isYes, unfinished, now } = preparation
  const backup = `${unfinished}-backup`
  using atTheEnd = new DisposableStack()
  atTheEnd.defer(() => removeFiles(backup))
  await copyUpToDate(file, unfinished)
  removeFiles(backup)
  copyFileSync(unfinished, backup, constants.COPYFILE_EXCL)
  using replaced =
    preparation.replaced === undefined ? undefined : openExclusively(preparation.replaced)
  const report = makeRestored({ replaced, backup, unfinished, now })
  await context.write(report.join('\n') + '\n')
  if (!isYes && !(await isConfirmed(context, `Restore ${file}?`))) {
    throw new CommandError('Nothing was changed.')
  }
  syncFile(unfinished) // it takes seconds, and the lock ends here
}

/**
 * Copies a backup, without sign-ins and an unused first link: a passkey that was removed since must not come back. Its jobs
 * go as well: what was under way then has ended since, and a retry would send mail twice.
 */
async function copyUpToDate(backup: string, copy: string): Promise<void> {
  copyDatabase(backup, copy)
  const database = await openDatabase(`file:${copy}`)
  try {
    if (!(await appliedMigrations(database)).isSubsetOf(ourMigrations)) {
      throw new CommandError(
        'The backup is from a newer version of this program. Nothing was changed.',
      )
    }
    await migrate(database, ownerMigrations)
    await database.script(
      'delete from desk_sessions; delete from desk_secrets; delete from desk_passkeys; ' +
        "delete from settings where name = 'desk-start'; " +
        'delete from imported_people; delete from owner_job_pieces; delete from owner_jobs',
    )
  } finally {
    await database.close()
  }
  using file = openSqliteFile(copy)
  file.exec('pragma journal_mode = delete') // one file, which takes its name by one rename
}

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
  const applied = migrationsOf(replaced)
  if (!applied.isSubsetOf(ourMigrations)) return false
  requireOurVersion(applied)
  return true
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
    ...(undone.mailings > 0
      ? [`Letters started since, which pause: ${countText(undone.mailings)}.`]
      : []),
    `Mails not sent yet, which the server will send: ${countText(unsent)}.`,
  ]
}

function unknownPast(held: number): string[] {
  return [
    'What happened since the backup was made is not known: the database it replaces is missing, damaged, from a newer version, or from another site.',
    `Held back, because they may have been sent since: ${counted(held, 'mail')}. "${ownerCommand} deliveries retry held" sends them, some a second time.`,
    'Letters sent since are not known: sending the same again mails people twice.',
    'People who unsubscribed or were erased since then are on the list again: unsubscribe or erase them once more.',
  ]
}
