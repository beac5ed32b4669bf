import { Kysely, PostgresDialect } from 'kysely'
import type { Database } from './open-database.ts'
import type { Tables } from './tables.ts'

const maxConnections = 10
const connectTimeoutMs = 5_000
const statementTimeoutMs = 10_000
const listenAgainAfterMs = 1_000
const int8 = 20 // PostgreSQL's type number; its driver hands it out as text

/** `url`: `postgres://…`. The driver is loaded only where it is used. */
export async function openPostgres(url: string): Promise<Database> {
  const { default: pg } = await import('pg')
  pg.types.setTypeParser(int8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
  })
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {})
  let closed = false

  async function listen(wake: () => void): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
    const listenAgain = () => {
      client.removeAllListeners('end')
      if (!closed) setTimeout(() => void listen(wake), listenAgainAfterMs).unref()
    }
    client.on('error', () => void client.end().catch(() => {}))
    client.on('end', listenAgain)
    client.on('notification', wake)
    stopListening = () => client.end()
    try {
      await client.connect()
      await client.query('listen delivery_queued')
      wake()
    } catch {
      await client.end().catch(() => {})
      listenAgain()
    }
  }
  let stopListening: () => Promise<void> = async () => {}

  return {
    engine: 'postgres',
    query: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    runScript: async (sql) => runScript(pool, sql),
    onDeliveryQueuedElsewhere: listen,
    scrub: async () => void (await pool.query('vacuum subscribers, deliveries')),
    async close() {
      closed = true
      await stopListening()
      await pool.end()
    },
  }
}

async function runScript(pool: import('pg').Pool, sql: string) {
  const client = await pool.connect()
  try {
    await client.query(sql)
  } catch (fault) {
    await client.query('rollback')
    throw fault
  } finally {
    client.release()
  }
}
