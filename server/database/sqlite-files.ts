import { closeSync, copyFileSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'

/** Copies the database as it stands, also while a server writes to it. `to` must not exist. */
export async function copySqlite(from: string, to: string): Promise<void> {
  // Made here, so that nobody else may read it for a moment.
  closeSync(openSync(to, 'wx', 0o600))
  const source = new DatabaseSync(from, { readOnly: true })
  try {
    await backup(source, to)
  } finally {
    source.close()
  }
  sync(to)
}

/** What is wrong with a file as a database of ours, in a few words. Undefined: nothing. */
export function faultOfSqlite(path: string): string | undefined {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { readOnly: true })
    const [first] = Object.values(file.prepare('pragma integrity_check').get() ?? {})
    if (first !== 'ok') return 'it is damaged'
    const tables = file.prepare(
      "select count(*) as n from sqlite_schema where name in ('migrations', 'subscribers')",
    )
    return tables.get()?.['n'] === 2 ? undefined : 'it is another database'
  } catch {
    return 'it is no SQLite database'
  } finally {
    file?.close()
  }
}

/**
 * Opens the file so that no other process has it open until it is closed. Undefined: one has. The lock is the one that
 * every connection in WAL mode holds for as long as it lives.
 */
export function openAlone(path: string): DatabaseSync | undefined {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive; commit')
    return file
  } catch (fault) {
    file.close()
    if (fault instanceof Error && /locked|busy/.test(fault.message)) return undefined
    throw fault
  }
}

/** Copies a file that nobody writes to, to the disk itself. */
export function copyToDisk(from: string, to: string): void {
  copyFileSync(from, to)
  sync(to)
}

/** The files that belong to a database: its own, and what SQLite keeps beside it while it is open. */
export function filesOf(path: string): string[] {
  return ['', '-wal', '-shm'].map((ending) => path + ending).filter((file) => existsSync(file))
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
