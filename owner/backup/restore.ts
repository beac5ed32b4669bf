import { existsSync, linkSync, renameSync, unlinkSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import {
  faultIn,
  faultOfSqlite,
  filesOf,
  isDamage,
  openAlone,
  openSqliteFile,
  removeFiles,
  syncFile,
} from '#owner/backup/sqlite-files.ts'
import { copyIntoNewFile } from './copy-into-new-file.ts'
import { carryOver, countOwed, failOwed, goesOnFrom } from './carry-over.ts'
import { type Call, type Command, Refusal } from '../command-line/command.ts'
import { ownFile } from '../command-line/owned-database.ts'

export const restore: Command = {
  name: 'restore',
  takes: ['FILE'],
  does: 'puts a backup in place of the database of a stopped server; the old one is kept aside',
  example: 'restore data/backup-2026-11-21.db',
  run: restoreBackup,
}

async function restoreBackup({ config, words: [file = ''], now, write }: Call): Promise<void> {
  const database = ownFile(config, 'docs/operations.md says how to restore it with pg_restore')
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`)
  const fault = faultOfSqlite(file)
  if (fault) throw new Refusal(`${file} cannot be restored: ${fault}. Nothing was changed.`)
  const at = now()
  const kept = `${database}.before-restore-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}`
  const unfinished = `${database}.unfinished`
  const replaced = existsSync(database) ? openReplaced(database) : undefined
  const said: string[] = []
  removeFiles(unfinished)
  try {
    await copyIntoNewFile(file, unfinished)
    // All that is to be in it is in it before it takes its place: whenever this breaks off, there is the old or the new.
    said.push(...((replaced && takeAlong(replaced, unfinished)) ?? holdBack(unfinished, at)))
    syncFile(unfinished)
    if (replaced?.isOpen) replaced.close()
    if (putInPlace(unfinished, database, kept)) said.push(`The database it replaces is kept as ${kept}.`)
  } finally {
    if (replaced?.isOpen) replaced.close()
    removeFiles(unfinished)
  }
  await write([`${database} is the backup now; start the server.`, ...said, ''].join('\n'))
}

/** With nobody else in it. Undefined: it is too damaged to say anything. */
function openReplaced(database: string): DatabaseSync | undefined {
  try {
    const alone = openAlone(database)
    if (!alone) throw new Refusal('A server is using the database: stop it first. Nothing was changed.')
    return alone
  } catch (fault) {
    if (isDamage(fault)) return undefined
    throw fault
  }
}

/** What happened since the backup was made. Undefined: the replaced database cannot tell. */
function takeAlong(replaced: DatabaseSync, unfinished: string): string[] | undefined {
  if (faultIn(replaced)) return undefined
  replaced.prepare('attach ? as backup').run(unfinished)
  const said = goesOnFrom(replaced) ? whatWasTaken(replaced) : undefined
  replaced.exec('detach backup')
  return said
}

function whatWasTaken(replaced: DatabaseSync): string[] {
  const { erased } = carryOver(replaced)
  return [
    'What happened since to those who are in it is in it too: mail that was sent is not sent again, who left has left.',
    ...(erased > 0 ? [`Who was erased since is not in it: ${erased}.`] : []),
    `Mails still owed, which the server sends: ${countOwed(replaced, 'backup')}.`,
    'Who signed up since is only in the database it replaces.',
  ]
}

function holdBack(unfinished: string, now: number): string[] {
  const backup = openSqliteFile(unfinished)
  const owed = countOwed(backup, 'main')
  failOwed(backup, now)
  backup.close()
  return [
    'What happened since the backup was made is not known: there is no database to tell it, or it is damaged, or not one that went on from this backup.',
    `Mails that were owed then, and may have been sent since: ${owed}. They count as failed, and none goes out by itself; "npm run owner -- deliveries retry failed" sends them, to some a second time.`,
    'Who unsubscribed or was erased since is on the list again: unsubscribe or erase them once more.',
  ]
}

/** Whether there was one to keep. The name is never without a file while the new takes the place of the old. */
export function putInPlace(unfinished: string, database: string, kept: string): boolean {
  const wasThere = existsSync(database)
  const beside = filesOf(database).filter((path) => path !== database)
  const keptName = (path: string) => kept + path.slice(database.length)
  const moved: string[] = []
  if (wasThere) linkSync(database, kept)
  try {
    // A log that is left beside it would be played into the new one.
    for (const path of beside) {
      renameSync(path, keptName(path))
      moved.push(path)
    }
    renameSync(unfinished, database)
  } catch (fault) {
    for (const path of moved) renameSync(keptName(path), path)
    // Else a second name of the database that stays in use.
    if (wasThere) unlinkSync(kept)
    throw fault
  }
  return wasThere
}
