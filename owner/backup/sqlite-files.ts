import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'

/** As long as a server waits for a lock. */
const busyMs = 5_000

/** Opens a file without trusting its schema: a view or trigger in it calls no function that has side effects. */
export function openSqliteFile(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const file = new DatabaseSync(path, options)
  file.exec('pragma trusted_schema = off')
  return file
}

/**
 * Copies the database as it stands at one moment, also while a server writes to it, into one plain file. `to` must not
 * exist. SQLite's own backup begins again with every commit of somebody else: on a busy server it does not end.
 */
export function copySqlite(from: string, to: string): void {
  // Made here, so that nobody else may read it for a moment.
  closeSync(openSync(to, 'wx', 0o600))
  const source = openSqliteFile(from, { readOnly: true })
  try {
    source.prepare('vacuum into ?').run(to)
  } finally {
    source.close()
  }
  syncFile(to)
}

/**
 * What is wrong with a file as a database of ours, in a few words. Undefined: nothing. Throws where it cannot be read, or
 * is locked: that is no reason to replace it.
 */
export function faultOfSqlite(path: string): string | undefined {
  const file = openSqliteFile(path, { readOnly: true, timeout: busyMs })
  try {
    return faultIn(file)
  } catch (fault) {
    if (isDamage(fault)) return 'it is no SQLite database'
    throw fault
  } finally {
    file.close()
  }
}

/** The same of one that is open. */
export function faultIn(file: DatabaseSync): string | undefined {
  try {
    const [first] = Object.values(file.prepare('pragma integrity_check').get() ?? {})
    if (first !== 'ok') return 'it is damaged'
    const tables = file.prepare(
      "select count(*) as n from sqlite_schema where name in ('migrations', 'subscribers')",
    )
    return tables.get()?.['n'] === 2 ? undefined : 'it is another database'
  } catch (fault) {
    if (resultOf(fault) === results.corrupt) return 'it is damaged'
    throw fault
  }
}

/** Whether SQLite could not make sense of a file. */
export function isDamage(fault: unknown): boolean {
  return [results.corrupt, results.noDatabase].includes(resultOf(fault) ?? 0)
}

/** Of sqlite3.h. */
const results = { corrupt: 11, noDatabase: 26 }

function resultOf(fault: unknown): number | undefined {
  // The lowest byte: the rest tells more closely, as in 779, a damaged index.
  return fault instanceof Error && 'errcode' in fault ? Number(fault.errcode) & 0xff : undefined
}

/**
 * Opens the file so that no other process has it open until it is closed. Undefined: one has. The lock is the one that
 * every connection in WAL mode holds for as long as it lives.
 */
export function openAlone(path: string): DatabaseSync | undefined {
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

/** The files that belong to a database: its own, and what SQLite keeps beside it while it is open or after a crash. */
export function filesOf(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((ending) => path + ending).filter((file) => existsSync(file))
}

export function removeFiles(path: string): void {
  for (const file of filesOf(path)) rmSync(file)
}

/** What was written to it is on the disk itself. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
