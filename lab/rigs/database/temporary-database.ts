import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { runOnPostgres } from './postgres-server.ts'

export const testsRunOnPostgres = process.env['TEST_DATABASE_URL'] !== undefined

/** A database of the caller's own: an empty SQLite file, or with TEST_DATABASE_URL one on that server, migrated but empty. */
export async function makeTemporaryDatabase() {
  const serverUrl = process.env['TEST_DATABASE_URL']
  return serverUrl ? takeFromPostgres(serverUrl) : makeFile()
}

/** Open, migrated, and gone when the running test ends. */
export async function temporaryDatabase() {
  const { url, file, remove } = await makeTemporaryDatabase()
  onTestFinished(remove)
  return { url, file, database: await openForTest(url) }
}

export async function openTemporaryDatabase(): Promise<Database> {
  return (await temporaryDatabase()).database
}

/** Open and migrated until the running test ends. */
export async function openForTest(url: string): Promise<Database> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  await migrate(database)
  return database
}

function makeFile() {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-test-'))
  const file = join(folder, 'test.db')
  return { url: `file:${file}`, file, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

/** Databases that no test uses at the moment: deleting the rows of one takes half the time of migrating an empty one. */
const spare: { url: string; schema: unknown }[] = []

async function takeFromPostgres(serverUrl: string) {
  const database = spare.pop() ?? (await makeOnPostgres(serverUrl))
  return {
    url: database.url,
    file: undefined,
    async remove() {
      const [last] = await runOnPostgres(database.url, `${deleteRows}; ${lastSchemaChange}`)
      if (last?.['change'] === database.schema) spare.push(database)
    },
  }
}

const deleteRows = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  set session_replication_role = replica; -- without the checks of foreign keys, so in any order
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename not in ('migrations', 'locks') loop
      execute format('delete from %I', name);
    end loop;
  end $$;
  select setval(format('%I', sequencename)::regclass, 1, false) from pg_sequences where last_value is not null`

/** The newest transaction that changed a table, a column, a trigger or a function. */
const lastSchemaChange = `
  select max(xmin::text::bigint) as change from (select xmin from pg_class union all select xmin from pg_attribute
    union all select xmin from pg_trigger union all select xmin from pg_proc) as changes`

async function makeOnPostgres(serverUrl: string) {
  const url = new URL(serverUrl)
  url.pathname = `/test_${randomBytes(8).toString('hex')}`
  await runOnPostgres(serverUrl, `create database ${url.pathname.slice(1)}`)
  const [last] = await runOnPostgres(url.href, lastSchemaChange)
  return { url: url.href, schema: last?.['change'] }
}
