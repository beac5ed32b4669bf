import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { projectRoot } from '../project-files.ts'
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

/**
 * For a process that serves nobody, such as a command: on SQLite the owner's reads need no thread
 * of their own.
 */
export async function openAlone(
  url: string,
  limits: DatabaseLimits = databaseLimits,
): Promise<Database> {
  const database = await openDatabase(url, limits)
  return database.engine === 'sqlite' ? { ...database, ownerReads: database } : database
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
  '0100-site',
])

const begin = {
  sqlite: 'begin immediate;',
  // No time limit, because another instance may be running a long migration.
  postgres: 'begin; set local statement_timeout = 0; set local lock_timeout = 0;',
}

/** The tables are those of another version of this program: what this one would do is not known. */
export class NewerDatabase extends Error {
  constructor(migration: string) {
    super(migration === beforeOne ? fromBeforeOne : fromNewer(migration))
  }
}

/** The first migration before 1.0.0, which nothing leads on from. */
const beforeOne = '0001-first'
const fromBeforeOne =
  'The database is from before version 1.0.0: take people and page along with "subscribers export" and "content export" of the program that made it, and import both here'

function fromNewer(migration: string): string {
  return (
    `The database is from a newer version of this program, which has the migration ${migration}: ` +
    'run that version, or restore a backup from before the update'
  )
}

/** Throws `NewerDatabase` if one of `applied` is not among `migrations`. */
export function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const strange = applied.difference(new Set(migrations.map(({ name }) => name)))
  const [unknown] = strange.has(beforeOne) ? [beforeOne] : strange
  if (unknown !== undefined) throw new NewerDatabase(unknown)
}

/**
 * Applies the missing migrations in order, each in its own transaction. Refuses a newer database.
 * Several instances may start at the same time: the first to insert a name runs its script, and the
 * others wait for the end of its transaction.
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
