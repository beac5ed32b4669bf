import { existsSync } from 'node:fs'
import type { Config } from '#server/config.ts'
import { isMigrated } from '#server/database/migrate.ts'
import type { Database } from '#server/database/database.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { Refusal } from './command.ts'

/** Opens the product's database for `work`, and closes it. Makes none where there is none. */
export async function withDatabase<Result>(
  { databaseUrl }: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const file = sqliteFile(databaseUrl)
  if (file !== undefined && !existsSync(file))
    throw new Refusal(`There is no database at ${file} yet: the first npm start makes it.`)
  const database = await openDatabase(databaseUrl)
  try {
    if (!(await isMigrated(database).catch(onlyMissing)))
      throw new Refusal('The database is of another version: start the server once, it brings it up to date.')
    return await work(database)
  } finally {
    await database.close()
  }
}

/** The path behind `file:PATH`. Undefined: it is PostgreSQL. */
export function sqliteFile(databaseUrl: string): string | undefined {
  return databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
}

/** The same. Where it is PostgreSQL, says what to do there instead. */
export function ownFile({ databaseUrl }: Config, instead: string): string {
  const file = sqliteFile(databaseUrl)
  if (file === undefined) throw new Refusal(`The database is PostgreSQL: ${instead}`)
  return file
}

/** No table of migrations: nothing was applied. Any other fault is the database's. */
function onlyMissing(fault: unknown): false {
  if (fault instanceof Error && /no such table|relation .* does not exist/.test(fault.message)) return false
  throw fault
}
