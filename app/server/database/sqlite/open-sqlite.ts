import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Database, type DatabaseLimits, databaseLimits } from '../database.ts'
import { keepStatements, readerOf } from './connection.ts'
import { SqliteThread, threadReader } from './thread-client.ts'
import { startUpkeep } from './upkeep.ts'
import { Writer } from './writer.ts'

// synchronous stays at FULL, SQLite's default: with NORMAL a power cut takes sign-ups that were
// acknowledged.
const settings = `
  pragma busy_timeout = 5000;
  pragma journal_mode = wal;
  pragma foreign_keys = on;
  pragma secure_delete = on;
  pragma temp_store = memory;
  pragma cache_size = -8192;
  pragma wal_autocheckpoint = 0;
  pragma journal_size_limit = 33554432;
  pragma busy_timeout = 0;` // from here on the driver waits, without blocking the thread

/**
 * Opens the file at `path`, and creates it if it does not exist. Throws an error with a `code` if
 * it cannot.
 */
export function openSqlite(
  path: string,
  { lockMs }: Pick<DatabaseLimits, 'lockMs'> = databaseLimits,
): Database {
  checkPath(resolve(path))
  const file = new DatabaseSync(path)
  file.exec(settings)
  // A connection of its own, so that reads see only what is committed and never wait for a writer.
  const readFile = new DatabaseSync(path, { readOnly: true })
  const writer = new Writer(file, lockMs)
  const upkeep = startUpkeep(path)
  const ownerThread = new SqliteThread({ path, readOnly: true })
  return {
    engine: 'sqlite',
    ...readerOf(keepStatements(readFile)),
    ownerReads: threadReader(ownerThread),
    transaction: (work) => writer.transaction(work),
    script: (text) => writer.script(text),
    clearDeleted: () => upkeep.clear(),
    leavesTraces: () => upkeep.leavesTraces(),
    async close() {
      await writer.close()
      await Promise.all([upkeep.stop(), ownerThread.close()])
      readFile.close()
      file.close()
    },
  }
}

/**
 * SQLite itself would only say that it cannot open the file, or at the first write that it is
 * read-only. Only `data/` is made: another path may be a typo.
 */
function checkPath(path: string): void {
  const folder = dirname(path)
  if (basename(folder) === 'data') mkdirSync(folder, { recursive: true })
  checkAccess(folder, constants.W_OK | constants.X_OK, {
    ENOENT: `The folder ${folder} of DATABASE_URL does not exist. Make it, or correct the path.`,
    EACCES: `The folder ${folder} cannot be written: ${mustBelongTo(folder)}.`,
    EROFS: `The folder ${folder} is on a read-only disk. Choose another one in DATABASE_URL.`,
  })
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`DATABASE_URL names the folder ${path}. Name a file in it.`)
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (!existsSync(file)) continue
    checkAccess(file, constants.R_OK | constants.W_OK, {
      EACCES: `The file ${file} cannot be written: ${mustBelongTo(file)}.`,
    })
  }
}

/** The end of a sentence about a file or folder that this process may not use. */
export function mustBelongTo(path: string): string {
  const uid = process.getuid?.()
  if (uid === undefined) return 'it must belong to the user' // Windows has no numbers of users
  return `it must belong to the user ${uid} (chown ${uid} ${path})`
}

/** `sentences`: for the owner, by the code of the fault. */
function checkAccess(path: string, mode: number, sentences: Record<string, string>): void {
  try {
    accessSync(path, mode)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw Object.assign(new Error(sentences[code] ?? String(cause), { cause }), { code })
  }
}
