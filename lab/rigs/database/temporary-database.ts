import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { migrate, type Migration, openDatabase } from '#server/database/open-database.ts'
import { runOnPostgres } from './postgres-server.ts'

export const testsRunOnPostgres = process.env['TEST_DATABASE_URL'] !== undefined

/** A database of the caller's own: an empty SQLite file, or with TEST_DATABASE_URL a migrated database on that server. */
export async function makeTemporaryDatabase() {
  const serverUrl = process.env['TEST_DATABASE_URL']
  return serverUrl ? makeOnPostgres(serverUrl) : makeFile()
}

/** Open, migrated, and gone when the running test ends. `migrations`: by default those of the site. */
export async function temporaryDatabase(migrations?: readonly Migration[]) {
  const { url, file, remove } = await makeTemporaryDatabase()
  onTestFinished(remove)
  return { url, file, database: await openForTest(url, migrations) }
}

/** Open and migrated until the running test ends. */
export async function openForTest(url: string, migrations?: readonly Migration[]): Promise<Database> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  await migrate(database, migrations)
  return database
}

function makeFile() {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-test-'))
  const file = join(folder, 'test.db')
  return { url: `file:${file}`, file, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

async function makeOnPostgres(serverUrl: string) {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await runOnPostgres(serverUrl, `create database ${name}`)
  return {
    url: url.href,
    file: undefined,
    remove: async () => void (await runOnPostgres(serverUrl, `drop database ${name} with (force)`)),
  }
}
