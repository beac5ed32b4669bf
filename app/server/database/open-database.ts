import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** `url`: `file:PATH` or `postgres://…`, checked by config.ts. Throws if the file or the server cannot be opened. */
export async function openDatabase(url: string): Promise<Database> {
  return url.startsWith('file:') ? openSqlite(url.slice('file:'.length)) : openPostgres(url)
}
