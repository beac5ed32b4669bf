import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { projectRoot } from '../settings/project-files.ts'
import { type Database, type DatabaseLimits, databaseLimits, type Reader } from './database.ts'
import { inPostgres, openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'

/**
 * `url`: `file:PATH` or `postgres://…`, checked by config.ts. Throws if the file or the server
 * cannot be opened.
 */
export async function openDatabase(
  url: string,
  limits: DatabaseLimits = databaseLimits,
): Promise<Database> {
  return url.startsWith('file:')
    ? openSqlite(url.slice('file:'.length), limits)
    : openPostgres(url, limits)
}

export interface Migration {
  name: string
  /** From the project's root, without `.sql`. In SQLite's words. */
  script: string
}

/** `folder`: from the project's root. */
export function migrationsIn(folder: string, names: readonly string[]): Migration[] {
  return names.map((name) => ({ name, script: `${folder}/${name}` }))
}

export const siteMigrations: readonly Migration[] = migrationsIn('app/server/database/migrations', [
  '0001-first',
  '0003-sign-up',
  '0004-erased-subscribers',
  '0007-mail-placeholders',
  '0010-published-content',
  '0013-waits-of-mail',
  '0021-news',
  '0022-series',
  '0030-refused-mail',
])

const begin = {
  sqlite: 'begin immediate;',
  // No time limit, because another instance may be running a long migration.
  postgres: 'begin; set local statement_timeout = 0; set local lock_timeout = 0;',
}

/** Another version of this program has changed the tables: what this one would do is not known. */
export class NewerDatabase extends Error {
  constructor(migration: string) {
    super(
      `The database is from a newer version of this program, which has the migration ${migration}: ` +
        'run that version, or restore a backup from before the update',
    )
  }
}

/** Throws `NewerDatabase` if one of `applied` is not among `migrations`. */
export function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const [unknown] = applied.difference(new Set(migrations.map(({ name }) => name)))
  if (unknown !== undefined) throw new NewerDatabase(unknown)
}

/**
 * Applies the missing migrations in order, each in its own transaction. Refuses a newer database. Several instances may start
 * at the same time: the first to insert a name runs its script, and the others wait for the end of
 * its transaction.
 */
export async function migrate(database: Database, migrations = siteMigrations): Promise<void> {
  const makeTable = () =>
    database.script('create table if not exists migrations (name text primary key)')
  // PostgreSQL refuses one of two that make it at the same moment, in spite of `if not exists`.
  await makeTable().catch(makeTable)
  const applied = await appliedMigrations(database)
  refuseNewer(applied, migrations)
  for (const { name, script } of migrations) {
    if (applied.has(name)) continue
    const written = readFileSync(join(projectRoot, `${script}.sql`), 'utf8')
    const statements = database.engine === 'postgres' ? inPostgres(written) : written
    const note = `insert into migrations values ('${name}');`
    const text = `${begin[database.engine]} ${note} ${statements} commit`
    try {
      await database.script(text)
    } catch (fault) {
      // A conflict means that another instance was first.
      if (!(await appliedMigrations(database)).has(name)) throw fault
    }
  }
}

export async function appliedMigrations(database: Reader): Promise<Set<string>> {
  const rows = await database.rows<{ name: string }>(sql`select name from migrations`)
  return new Set(rows.map((row) => row.name))
}
