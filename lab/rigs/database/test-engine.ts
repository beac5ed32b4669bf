import type { TestProject } from 'vitest/node'
import { fetchPostgresPrograms } from './postgres-programs.ts'
import { startPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL on which each test gets a database. Undefined: they run on SQLite. */
    postgresUrl?: string
  }
}

/**
 * Before all tests: starts a PostgreSQL for the project `pg`, and for others with
 * TEST_ENGINE=postgres. `npm test` has started one.
 */
export default async function startTestEngine(
  project: TestProject,
): Promise<(() => Promise<void>) | void> {
  const engine = project.name === 'pg' ? 'postgres' : (process.env['TEST_ENGINE'] ?? 'sqlite')
  if (engine === 'sqlite') return
  if (engine !== 'postgres') {
    throw new Error(`TEST_ENGINE must be sqlite or postgres, not "${engine}"`)
  }
  const ofThisRun = process.env['TEST_POSTGRES_URL']
  if (ofThisRun !== undefined) return project.provide('postgresUrl', ofThisRun)
  await fetchPostgresPrograms()
  const server = await startPostgresServer()
  if (!server) {
    throw new Error('There is no PostgreSQL on this machine, and npm has none for it: install one')
  }
  project.provide('postgresUrl', server.url)
  return server.destroy
}
