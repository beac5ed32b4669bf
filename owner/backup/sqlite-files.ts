import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'

const busyMs = 5_000

/** Opens a file without trusting its schema: a view or trigger in it calls no function that has side effects. */
export function openSqliteFile(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const file = new DatabaseSync(path, { enableForeignKeyConstraints: false, ...options })
  file.exec('pragma trusted_schema = off')
  return file
}

/**
 * Returns in a few words why a file is not an intact database of ours, or undefined if it is one. Throws if the file cannot be
 * read or is locked, because that is no reason to replace it.
 */
export function faultOfSqlite(path: string): string | undefined {
  using file = openSqliteFile(path, { readOnly: true, timeout: busyMs })
  return faultIn(file)
}

/** Does what faultOfSqlite does, for an open file. */
export function faultIn(file: DatabaseSync): string | undefined {
  try {
    const [first] = Object.values(file.prepare('pragma integrity_check').get() ?? {})
    if (first !== 'ok') return 'it is damaged'
    const tables = file.prepare(
      "select count(*) as n from sqlite_schema where name in ('migrations', 'subscribers')",
    )
    return tables.get()?.['n'] === 2 ? undefined : 'it is another database'
  } catch (fault) {
    if (!isDamage(fault)) throw fault
    return resultOf(fault) === results.corrupt ? 'it is damaged' : 'it is not a SQLite database'
  }
}

/** True if SQLite found the file itself broken. */
export function isDamage(fault: unknown): boolean {
  return [results.corrupt, results.noDatabase].includes(resultOf(fault))
}

/** From sqlite3.h. */
const results = { corrupt: 11, noDatabase: 26 }

/** The lowest byte is the primary result code; 779, a damaged index, is 11 as well. */
function resultOf(fault: unknown): number {
  return fault instanceof Error && 'errcode' in fault ? Number(fault.errcode) & 0xff : 0
}

/**
 * Opens the file and locks out every other process until it is closed. Returns undefined if another process has it open. The
 * lock is the one that each connection in WAL mode holds while it is open.
 */
export function openExclusively(path: string): DatabaseSync | undefined {
  const file = openSqliteFile(path, { timeout: 0 })
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive; commit')
    return file
  } catch (fault) {
    file.close()
    if (fault instanceof Error && /locked|busy/.test(fault.message)) return undefined
    throw fault
  }
}

/** The database file, and the files that SQLite keeps beside it while it is open or after a crash. */
export function filesOf(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((ending) => path + ending).filter((file) => existsSync(file))
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
