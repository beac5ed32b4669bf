import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient, PoolConfig, QueryConfig, QueryResult } from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import {
  type Database,
  type DatabaseLimits,
  messageOf,
  type Reader,
  type Transaction,
  Unavailable,
} from './database.ts'

const ownerReadTimeoutMs = 60_000
const maxOwnerConnections = 3
const idleInTransactionMs = 10_000
/**
 * A report takes one core, and not all of the server. It reads an index where that is shorter than
 * the table: the usual cost of a random page is that of a hard disk.
 */
const ownerReadOptions = '-c max_parallel_workers_per_gather=0 -c random_page_cost=1.1'
const scriptTimeoutMs = 60 * 60_000
const closeTimeoutMs = 400
const int8 = 20 // PostgreSQL's type number; its driver hands it out as text

/** `url`: `postgres://…`. The driver is loaded only where it is used. */
export async function openPostgres(url: string, limits: DatabaseLimits): Promise<Database> {
  const { default: pg } = await import('pg')
  pg.types.setTypeParser(int8, Number)
  const pool = new pg.Pool(poolConfig(url, limits))
  // A slow report of the owner cannot take the connections of sign-ups.
  const ownerPool = new pg.Pool({
    ...poolConfig(url, { ...limits, statementMs: ownerReadTimeoutMs }),
    max: Math.min(limits.maxConnections, maxOwnerConnections),
    options: ownerReadOptions,
  })
  for (const each of [pool, ownerPool]) {
    each.on('error', () => {}) // the pool replaces a connection that breaks while it is idle
    each.on('connect', (client) => client.on('error', () => {})) // the query in it fails, and tells
  }
  return {
    engine: 'postgres',
    ...readerOf((query) => inConnection(pool, (client) => client.query(query))),
    ownerReads: readerOf((query) => inConnection(ownerPool, (client) => client.query(query))),
    transaction: (work) =>
      // In the same connection: many that begin again would wait for new ones.
      inConnection(pool, (client) => retryConflicts(() => inTransaction(client, work))),
    script: (text) => inConnection(pool, (client) => runLong(client, text)),
    async clearDeleted() {
      await inConnection(ownerPool, vacuum)
      return true
    },
    leavesTraces: () => true,
    async close() {
      const ended = Promise.all([pool.end(), ownerPool.end()])
      await Promise.race([ended, sleep(closeTimeoutMs, undefined, { ref: false })])
    },
  }
}

function poolConfig(
  url: string,
  { connectMs, statementMs, lockMs, maxConnections }: DatabaseLimits,
): PoolConfig {
  return {
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    // A connection to a server that vanished silently is not kept for longer.
    maxLifetimeSeconds: 60,
    // The server enforces the first two, the driver the third, because a server that hangs enforces
    // nothing.
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    query_timeout: statementMs,
    // An instance that hangs in a transaction does not block the others for longer.
    idle_in_transaction_session_timeout: idleInTransactionMs,
    fallback_application_name: 'starter-bot',
    keepAlive: true,
  }
}

async function inConnection<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw new Unavailable(`PostgreSQL cannot be reached: ${messageOf(cause)}`, { cause })
  })
  let isBroken = true
  try {
    const result = await work(client)
    isBroken = false
    return result
  } catch (fault) {
    throw unavailableOr(fault)
  } finally {
    client.release(isBroken) // closing the connection ends an open transaction
  }
}

async function runLong(client: PoolClient, text: string): Promise<void> {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: scriptTimeoutMs }
  await client.query(query)
}

/**
 * Makes the room of deleted rows free for new ones, which overwrite what is left there. It blocks
 * nobody, and leaves a table out that another instance is cleaning.
 */
async function vacuum(client: PoolClient): Promise<void> {
  await client.query('set statement_timeout = 0')
  await runLong(
    client,
    'vacuum (skip_locked, truncate false) subscribers, deliveries, test_addresses, test_arrivals',
  )
  await client.query('reset statement_timeout')
}

async function inTransaction<Result>(
  client: PoolClient,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const transaction: Transaction = {
    ...readerOf((query) => client.query(query)),
    run: async (query) => (await client.query(query)).rowCount ?? 0,
    insert: async (query) =>
      (await client.query<{ id: number }>(sql`${query} returning id`)).rows[0]!.id,
    lock: async (name) => {
      await client.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
    },
    skipLocked: sql`for update skip locked`,
  }
  await client.query('begin')
  try {
    const result = await work(transaction)
    await client.query('commit')
    return result
  } catch (fault) {
    if (!isConnectionFault(fault)) await client.query('rollback').catch(() => {})
    throw fault
  }
}

function readerOf(query: (text: Sql) => Promise<QueryResult>): Reader {
  // The caller names the columns of its own query.
  const read = async <Row>(text: Sql) => (await query(text)).rows as Row[]
  return { rows: read, row: async <Row>(text: Sql) => (await read<Row>(text))[0] }
}

/** A script that makes tables, as SQLite takes it, in PostgreSQL's words. */
export function inPostgres(script: string): string {
  return script
    .replaceAll(
      'integer primary key autoincrement',
      'bigint generated always as identity primary key',
    )
    .replaceAll(/\binteger\b/g, 'bigint')
    .replaceAll('collate binary', 'collate "C"')
    .replaceAll(/\) strict(?:, without rowid)?;/g, ');')
}

const maxAttempts = 10
const betweenAttemptsMs = 20

/**
 * PostgreSQL rolls a transaction back to end a deadlock or to keep transactions serializable
 * (SQLSTATE class 40), and refuses to refer to a row that another one deleted meanwhile (23503), or
 * to add one that another one added (23505).
 */
const runsAgain = /^(?:40|23503|23505)/

async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (fault) {
      if (attempt === maxAttempts || !runsAgain.test(sqlState(fault) ?? '')) throw fault
      await sleep(Math.random() * betweenAttemptsMs * attempt)
    }
  }
}

/** Faults of the system have a code as well (EPIPE), and no severity. */
function sqlState(fault: unknown): string | undefined {
  return fault instanceof Error && 'severity' in fault && 'code' in fault
    ? String(fault.code)
    : undefined
}

/**
 * Connection, a conflict that outlasts all attempts, resources, operator intervention, read-only
 * server, lock timeout (PostgreSQL's appendix A).
 */
const outageOfServer = /^(?:08|40|53|57|58|25006|55P03)/

/** The driver says so in words, the system by a `syscall`. */
function isConnectionFault(fault: unknown): boolean {
  if (!(fault instanceof Error) || sqlState(fault) !== undefined) return false
  return (
    'syscall' in fault || /timeout|terminated|not queryable|has been ended/i.test(fault.message)
  )
}

/** The fault itself, unless it says that the server cannot be used now. */
function unavailableOr(fault: unknown): unknown {
  const isOutage = outageOfServer.test(sqlState(fault) ?? '')
  if (!isOutage && !isConnectionFault(fault)) return fault
  return new Unavailable(`PostgreSQL cannot be used now: ${messageOf(fault)}`, { cause: fault })
}
