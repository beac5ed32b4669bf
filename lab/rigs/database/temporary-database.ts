import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { runOnPostgres } from './postgres-server.ts'

export interface TemporaryDatabase {
  url: string
  /** SQLite only. */
  file: string | undefined
  remove(): Promise<void>
}

export const testsRunOnPostgres = process.env['TEST_DATABASE_URL'] !== undefined

/** An empty database of the caller's own: a SQLite file, or with TEST_DATABASE_URL one on that PostgreSQL server. */
export async function makeTemporaryDatabase(): Promise<TemporaryDatabase> {
  const serverUrl = process.env['TEST_DATABASE_URL']
  return serverUrl ? takeFromPostgres(serverUrl) : makeFile()
}

/** Open, migrated, and gone when the running test ends. */
export async function openTemporaryDatabase(): Promise<Database> {
  const { url, remove } = await makeTemporaryDatabase()
  onTestFinished(remove)
  return openForTest(url)
}

/** Open and migrated until the running test ends. */
export async function openForTest(url: string): Promise<Database> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  await migrate(database)
  return database
}

function makeFile(): TemporaryDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-test-'))
  const file = join(folder, 'test.db')
  return { url: `file:${file}`, file, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

/** Databases of this test file that no test uses at the moment: emptying one is five times faster than making one. */
const spare: string[] = []

async function takeFromPostgres(serverUrl: string): Promise<TemporaryDatabase> {
  const url = spare.pop() ?? (await makeOnPostgres(serverUrl))
  return {
    url,
    file: undefined,
    async remove() {
      await runOnPostgres(url, emptyDatabase)
      spare.push(url)
    },
  }
}

const emptyDatabase = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  drop schema public cascade;
  create schema public`

async function makeOnPostgres(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl)
  url.pathname = `/test_${randomBytes(8).toString('hex')}`
  await runOnPostgres(serverUrl, `create database ${url.pathname.slice(1)}`)
  return url.href
}
