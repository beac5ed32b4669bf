import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { Kysely, PostgresDialect } from 'kysely'
import type { Client, ClientConfig, Pool, QueryConfig } from 'pg'
import { serverUrls } from '../configuration/database-url.ts'
import { type Database, type Tables, Unavailable } from './database.ts'

const maxConnections = 10
const connectTimeoutMs = 2_000
const statementTimeoutMs = 10_000
/** A connection to a server that vanished silently is not kept for longer. */
const maxLifetimeSeconds = 60
const poolLimits = {
  max: maxConnections,
  maxLifetimeSeconds,
  // The server enforces the first, the driver the second, because a server that hangs enforces nothing.
  statement_timeout: statementTimeoutMs,
  query_timeout: statementTimeoutMs,
  // An instance that hangs in a transaction does not block the others for longer.
  idle_in_transaction_session_timeout: statementTimeoutMs,
}
const scriptTimeoutMs = 60 * 60_000
const announceEveryMs = 50
const listenAgainAfterMs = 1_000
const closeTimeoutMs = 400
const int8 = 20 // PostgreSQL's type number; its driver hands it out as text

/** `url`: `postgres://…`, of one or several servers. The driver is loaded only where it is used. */
export async function openPostgres(url: string): Promise<Database> {
  const { default: pg } = await import('pg')
  pg.types.setTypeParser(int8, Number)
  const Client = clientFor(url, pg.Client)
  const server: ClientConfig = {
    connectionTimeoutMillis: connectTimeoutMs,
    fallback_application_name: 'starter-bot',
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...server, ...poolLimits, Client })
  pool.on('error', () => {}) // as each of its clients
  await findPrimary(pool, serverUrls(url).length)
  const listeners: { stop(): Promise<void> }[] = []

  return {
    engine: 'postgres',
    commitTimeoutMs: 2_000, // a server that does not answer may be away for long
    query: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    runScript: (sql) => runScript(pool, sql),
    announceDeliveries: announcer(() => pool.query('notify delivery_queued')),
    async onDeliveryQueuedElsewhere(wake) {
      listeners.push(await keepListening(() => new Client(server), wake))
    },
    // PostgreSQL has no proof beyond this: its log and its backups are its administrator's.
    async scrub() {
      await pool.query('vacuum subscribers, deliveries')
      return true
    },
    async close() {
      await Promise.all(listeners.map((one) => one.stop()))
      await Promise.race([pool.end(), sleep(closeTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Tries each server of the URL, so that a start does not fail because the first ones are away or standbys. */
async function findPrimary(pool: Pool, servers: number): Promise<void> {
  for (let others = servers - 1; others > 0; others -= 1) {
    const answer = await pool.query('select 1').catch(() => undefined)
    if (answer) return
  }
}

/**
 * Notifies the other instances at most once per `announceEveryMs`, and never within a sign-up's transaction: a NOTIFY holds a lock
 * of the whole server until the commit is on the disk, so commits would no longer share a sync. A lost one delays the other
 * instances by a few seconds, since they also poll.
 */
function announcer(notify: () => Promise<unknown>): () => void {
  let timer: NodeJS.Timeout | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void notify().catch(() => {})
    }, announceEveryMs).unref()
  }
}

async function runScript(pool: Pool, text: string): Promise<void> {
  const client = await pool.connect()
  try {
    const script: QueryConfig & { query_timeout: number } = { text, query_timeout: scriptTimeoutMs }
    await client.query(script)
    client.release()
  } catch (fault) {
    // Closing the connection ends the open transaction.
    client.release(true)
    throw fault
  }
}

/** Resolves after the first attempt. Listens on a separate connection, and opens a new one whenever it breaks. */
async function keepListening(connect: () => Client, wake: () => void) {
  let stopped = false
  let client: Client
  const firstAttempt = Promise.withResolvers<void>()

  async function listen(): Promise<void> {
    client = connect()
    client.on('notification', wake)
    const ended = new Promise((resolve) => client.once('end', resolve))
    await client.connect()
    await client.query('listen delivery_queued')
    firstAttempt.resolve()
    wake() // for deliveries queued before
    await ended
  }

  async function listenOn(): Promise<void> {
    while (!stopped) {
      await listen().catch(() => client.end().catch(() => {}))
      firstAttempt.resolve()
      wake()
      if (!stopped) await sleep(listenAgainAfterMs, undefined, { ref: false })
    }
  }

  void listenOn()
  await firstAttempt.promise
  return {
    async stop() {
      stopped = true
      await Promise.race([client.end().catch(() => {}), sleep(closeTimeoutMs, undefined, { ref: false })])
    },
  }
}

type ConnectCallback = ((fault: Error) => void) | ((fault: null, client: Client) => void)

/**
 * The driver's client for a URL of several servers, of which the driver knows only one. Each connection goes to the server
 * that took the last one; if it is away or a standby, the connection fails and the next one tries the next server.
 *
 * A connection that breaks is replaced at the next query. Without a listener it would end the process when it breaks where
 * the pool does not listen: before the pool gets it, or between two statements of a transaction.
 */
function clientFor(url: string, PgClient: typeof Client): typeof Client {
  const servers = serverUrls(url)
  let current = 0

  return class extends PgClient {
    readonly #server = current

    constructor(config: ClientConfig) {
      super({ ...config, connectionString: servers[current] })
      this.on('error', () => {})
    }

    override connect(): Promise<Client>
    override connect(callback: ConnectCallback): void
    override connect(callback?: ConnectCallback): Promise<Client> | void {
      if (!callback) return this.#connectForWriting()
      const done = callback as (fault: Error | null, client: Client) => void // two types of one function
      callbackify(() => this.#connectForWriting())(done)
    }

    async #connectForWriting(): Promise<Client> {
      try {
        await super.connect()
        if (servers.length > 1) await this.#refuseStandby()
        return this
      } catch (fault) {
        if (this.#server === current) current = (current + 1) % servers.length
        throw fault
      }
    }

    async #refuseStandby(): Promise<void> {
      const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only')
      if (rows[0]?.transaction_read_only === 'off') return
      await this.end()
      throw new Unavailable('the server is a standby')
    }
  }
}
