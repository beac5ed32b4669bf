import { fetchPostgresPrograms } from './postgres-programs.ts'
import { startPostgresServer } from './postgres-server.ts'

/**
 * Before all tests: `TEST_ENGINE=postgres` starts a PostgreSQL for them, in which each test has its
 * own database (TEST_DATABASE_URL, read by temporary-database.ts). Without it they run on SQLite.
 */
export default async function startTestEngine(): Promise<(() => Promise<void>) | void> {
  const engine = process.env['TEST_ENGINE'] ?? 'sqlite'
  if (engine === 'sqlite') return
  if (engine !== 'postgres') {
    throw new Error(`TEST_ENGINE must be sqlite or postgres, not "${engine}"`)
  }
  await fetchPostgresPrograms()
  const server = await startPostgresServer()
  if (!server) {
    throw new Error('There is no PostgreSQL on this machine, and npm has none for it: install one')
  }
  process.env['TEST_DATABASE_URL'] = server.url
  return server.destroy
}
