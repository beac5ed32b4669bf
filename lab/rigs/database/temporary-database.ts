import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Database } from '#server/database/database.ts'
import {
  migrate,
  type Migration,
  openAlone,
  siteMigrations,
} from '#server/database/open-database.ts'
import { newDatabase, runOnPostgres } from './postgres-server.ts'

export const testsRunOnPostgres = inject('postgresUrl') !== undefined

/**
 * A migrated database of the caller's own: a SQLite file, or a database on the PostgreSQL of the
 * tests, which may not be migrated yet.
 */
export async function makeTemporaryDatabase(migrations: readonly Migration[] = siteMigrations) {
  const serverUrl = inject('postgresUrl')
  return serverUrl ? makeOnPostgres(serverUrl, migrations) : makeFile(migrations)
}

/**
 * Open, migrated, and gone when the running test ends. `migrations`: by default those of the site.
 */
export async function temporaryDatabase(migrations?: readonly Migration[]) {
  const { url, file, remove } = await makeTemporaryDatabase(migrations)
  onTestFinished(remove)
  return { url, file, database: await openForTest(url, migrations) }
}

/** Open and migrated until the running test ends. */
export async function openForTest(
  url: string,
  migrations?: readonly Migration[],
): Promise<Database> {
  const database = await openAlone(url)
  onTestFinished(() => database.close())
  await migrate(database, migrations)
  return database
}

async function makeFile(migrations: readonly Migration[]) {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-test-'))
  const file = join(folder, 'test.db')
  writeFileSync(file, await migratedFile(migrations))
  return {
    url: `file:${file}`,
    file,
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Files without rows, by their migrations: to migrate one takes a tenth of a test's time. */
const migratedFiles = new Map<string, Promise<Buffer>>()

function migratedFile(migrations: readonly Migration[]): Promise<Buffer> {
  const key = keyOf(migrations)
  const made = migratedFiles.get(key) ?? migrateFile(migrations)
  migratedFiles.set(key, made)
  return made
}

async function migrateFile(migrations: readonly Migration[]): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-test-'))
  const file = join(folder, 'test.db')
  try {
    const database = await openAlone(`file:${file}`)
    await migrate(database, migrations)
    await database.close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The databases of tests that have ended, by their migrations: to make one takes a fifth of a
 * second of a core.
 */
const emptied = new Map<string, string[]>()

/** The owner's migrations run after those of the site, and their names are not in that order. */
function keyOf(migrations: readonly Pick<Migration, 'name'>[]): string {
  return migrations
    .map(({ name }) => name)
    .toSorted()
    .join(' ')
}

/** Ends the connections to a database and deletes all rows, in any order. */
const emptyDatabase = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  do $$ declare statement text; begin
    set local session_replication_role = replica; -- no cascades
    for statement in
      select 'delete from ' || tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations'
      union all select 'alter sequence ' || sequencename || ' restart' from pg_sequences
    loop execute statement; end loop;
  end $$`

async function makeOnPostgres(serverUrl: string, migrations: readonly Migration[]) {
  const url = emptied.get(keyOf(migrations))?.pop() ?? (await newDatabase(serverUrl))
  async function remove() {
    const applied = await runOnPostgres(url, `${emptyDatabase}; select name from migrations`)
    const key = keyOf(applied as { name: string }[])
    emptied.set(key, [...(emptied.get(key) ?? []), url])
  }
  return { url, file: undefined, remove }
}
