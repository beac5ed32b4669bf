import { join } from 'node:path'
import { sql } from 'kysely'
import { listProjectFiles, projectRoot, readProjectFile } from '../configuration/project-files.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** `url`: `file:PATH` or `postgres://…`, checked by config.ts. Throws if the file or the server cannot be opened. */
export async function openDatabase(url: string): Promise<Database> {
  return url.startsWith('file:') ? openSqlite(url.slice('file:'.length)) : openPostgres(url)
}

const migrations = join(projectRoot, 'app/server/database/migrations')
const begin = {
  sqlite: 'begin immediate;',
  // No time limit, because another instance may be running a long migration.
  postgres: 'begin; set local statement_timeout = 0;',
}

/**
 * Applies the missing migrations of `names`, in order, each in its own transaction. Several instances may start at the
 * same time: the first to insert a name runs its script, and the others wait for the end of its transaction.
 */
export async function migrate(
  database: Database,
  names: readonly string[] = migrationNames(),
): Promise<void> {
  await makeMigrationsTable(database)
  for (const name of new Set(names).difference(await appliedMigrations(database))) {
    const script = readProjectFile(join(migrations, name, `${database.engine}.sql`))
    try {
      await database.runScript(
        `${begin[database.engine]} insert into migrations values ('${name}'); ${script} commit`,
      )
    } catch (fault) {
      // A conflict means that another instance was first.
      if (!(await appliedMigrations(database)).has(name)) throw fault
    }
  }
}

/** PostgreSQL refuses one of two that make it at the same moment, in spite of `if not exists`. */
async function makeMigrationsTable(database: Database): Promise<void> {
  const make = () => database.runScript('create table if not exists migrations (name text primary key)')
  await make().catch(make)
}

/** True if no migration is missing. */
export async function isMigrated(database: Database): Promise<boolean> {
  return new Set(migrationNames()).isSubsetOf(await appliedMigrations(database))
}

export function migrationNames(): string[] {
  return listProjectFiles(migrations).toSorted()
}

export async function appliedMigrations({ query }: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(query)
  return new Set(rows.map((row) => row.name))
}
