import { copyFileSync, constants } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { ownerCommand } from '#server/project-files.ts'
import { appliedMigrations, migrate, openDatabase } from '#server/database/open-database.ts'
import { type CommandContext, isConfirmed } from '#owner/acts/command-context.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { counted, countText } from '#owner/acts/output.ts'
import { requireOurVersion } from '#owner/acts/owned-database.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { copyDatabase } from './backup.ts'
import { countRows } from './between-engines.ts'
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
  /** The file is the whole truth, and goes into an empty database. */
  isMoved: boolean
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
  const { file, isYes, isMoved, unfinished, now } = preparation
  const backup = `${unfinished}-backup`
  using atTheEnd = new DisposableStack()
  atTheEnd.defer(() => removeFiles(backup))
  if (isMoved) refuseOpenFile(file)
  await copyUpToDate(file, unfinished)
  using replaced =
    preparation.replaced === undefined ? undefined : openExclusively(preparation.replaced)
  let report: string[]
  if (isMoved) {
    report = everythingIn(unfinished)
  } else {
    leaveOut(unfinished)
    removeFiles(backup)
    copyFileSync(unfinished, backup, constants.COPYFILE_EXCL)
    report = makeRestored({ replaced, backup, unfinished, now })
  }
  await context.write(report.join('\n') + '\n')
  const question = isMoved ? `Move ${file}?` : `Restore ${file}?`
  if (!isYes && !(await isConfirmed(context, question))) {
    throw new CommandError('Nothing was changed.')
  }
  syncFile(unfinished) // it takes seconds, and the lock ends here
}

/** A server that has the file open would go on writing into it, and lose that in the move. */
function refuseOpenFile(file: string): void {
  openExclusively(file).close()
}

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
  } finally {
    await database.close()
  }
  using file = openSqliteFile(copy)
  file.exec('pragma journal_mode = delete') // one file, which takes its name by one rename
}

/**
 * Sign-ins and an unused first link go: a passkey that was removed since must not come back. The
 * backup's jobs go as well: what was under way then has ended since, and a retry would send mail
 * twice. A test address lives for a day: those of the backup have ended.
 */
function leaveOut(copy: string): void {
  using file = openSqliteFile(copy)
  file.exec(
    'delete from desk_sessions; delete from desk_secrets; delete from desk_passkeys; ' +
      "delete from settings where name = 'desk-start'; " +
      'delete from imported_people; delete from owner_job_pieces; delete from owner_jobs; ' +
      'delete from test_arrivals; delete from test_addresses',
  )
}

function everythingIn(copy: string): string[] {
  using file = openSqliteFile(copy, { readOnly: true })
  const people = counted(countRows(file, ['subscribers']), 'person', 'people')
  const mails = counted(countRows(file, ['deliveries']), 'mail')
  return [
    `Everything moves: ${people}, ${mails}, the page, settings and sign-ins. Nothing is held back or undone.`,
  ]
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

function sentencesOf({ kept, undone, unsent }: RestoreReport): string[] {
  return [
    'Kept: the list as it is now, and the mail to it. Since the backup:',
    `  signed up ${countText(kept.signedUp)}, imported ${countText(kept.imported)}, ` +
      `left or came back as undeliverable ${countText(kept.left)}, erased ${countText(kept.erased)}, ` +
      `mails sent ${countText(kept.sent)}; limits and daily counts.`,
    'Undone, because all else is as in the backup:',
    `  published versions of the page ${countText(undone.versions)}; settings, drafts and sign-ins of the desk.`,
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
