import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import { CommandError } from '#owner/acts/errors.ts'

const busyMs = 5_000

/**
 * Opens a file without trusting its schema: a view or trigger in it calls no function that has side
 * effects.
 */
export function openSqliteFile(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const file = new DatabaseSync(path, { enableForeignKeyConstraints: false, ...options })
  file.exec('pragma trusted_schema = off')
  return file
}

/**
 * Returns in a few words why a file is not a backup of ours, or undefined if it is one. Throws if
 * the file cannot be read or is locked, because that is no reason to replace it.
 */
export function faultOfSqlite(path: string): string | undefined {
  using file = openSqliteFile(path, { readOnly: true, timeout: busyMs })
  return faultIn(file) ?? foreignCodeIn(file)
}

/** Returns in a few words why an open file is not an intact database of ours. */
export function faultIn(file: DatabaseSync): string | undefined {
  try {
    const [first] = Object.values(file.prepare('pragma integrity_check').get() ?? {})
    if (first !== 'ok') return 'it is damaged'
    const ours = `(select count(*) from sqlite_schema
      where type = 'table' and name in ('migrations', 'subscribers'))`
    return countOf(file, ours) === 2 ? undefined : 'it is another database'
  } catch (fault) {
    if (!isDamage(fault)) throw fault
    return fault.message.includes('malformed') ? 'it is damaged' : 'it is not a SQLite database'
  }
}

/**
 * This program makes tables and indexes. A trigger would run within the server: a planted one could
 * sign a stranger in.
 */
function foreignCodeIn(file: DatabaseSync): string | undefined {
  const found = file
    .prepare(
      `select type, name from sqlite_schema
      where type not in ('table', 'index') or sql like 'create virtual%' limit 1`,
    )
    .get()
  return found && `it has a ${found['type']} "${found['name']}", which this program never makes`
}

/** True for what SQLite finds broken in the file itself. */
function isDamage(fault: unknown): fault is Error {
  return fault instanceof Error && /malformed|not a database/.test(fault.message)
}

/** The names of the migrations that an open file has. */
export function migrationsOf(file: DatabaseSync): Set<string> {
  const rows = file.prepare('select name from migrations').all()
  return new Set(rows.map(({ name }) => String(name)))
}

/** Reads the number that an SQL expression gives. */
export function countOf(file: DatabaseSync, expression: string): number {
  return Number(file.prepare(`select ${expression} as n`).get()!['n'])
}

/**
 * Opens the file and locks out every other process until it is closed. The lock is the one that
 * each connection in WAL mode holds while it is open. A damaged file may have none: see faultIn.
 */
export function openExclusively(path: string): DatabaseSync {
  const file = openSqliteFile(path)
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive; commit')
    return file
  } catch (fault) {
    if (isDamage(fault)) return file
    file.close()
    if (!/locked|busy/.test(String(fault))) throw fault
    throw new CommandError('A server is using the database: stop it first. Nothing was changed.')
  }
}

/**
 * The database file, and the files that SQLite keeps beside it while it is open or after a crash.
 */
export function filesOf(path: string): string[] {
  return ['', '-wal', '-shm', '-journal']
    .map((ending) => path + ending)
    .filter((file) => existsSync(file))
}

export function removeFiles(path: string): void {
  for (const file of filesOf(path)) rmSync(file)
}

/** Flushes the file to the disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
