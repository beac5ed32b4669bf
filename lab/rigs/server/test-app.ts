import type { FastifyInstance } from 'fastify'
import sql, { type Sql } from 'sql-template-tag'
import { onTestFinished } from 'vitest'
import { type Config, readSettings } from '#server/settings/config.ts'
import { repairClocks } from '#server/database/clock.ts'
import { type Database, type DatabaseLimits, databaseLimits } from '#server/database/database.ts'
import { openAlone, siteMigrations } from '#server/database/open-database.ts'
import { noMailings } from '#server/deliveries/mailing-rules.ts'
import { clientLimits, type ClientLimits } from '#server/http/client-limits.ts'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { siteClockRepairs } from '#server/start/clock-repairs.ts'
import type { Extension, ServerContext } from '#server/start/context.ts'
import { openSite } from '#server/settings/site-settings.ts'
import { runServer, type RunningServer, type ServerParts } from '#server/start/run-server.ts'
import { type ServerWaits, serverWaits } from '#server/start/stop-server.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import type { Mailer } from '#server/transports/mailer.ts'
import { type ProgrammableMailer, programmableMailer } from '../mail/programmable-mailer.ts'
import { makeTemporaryDatabase } from '../database/temporary-database.ts'
import { addPeople } from './people.ts'
import { stubBuild, type StubParts } from './stub-pages.ts'
import { makeTestClock, type TestClock } from './test-clock.ts'

export const functionPath = '/functions/v1/send-starter-bot-email'
export const anonKey = 'test-key'
export const ownOrigin = 'https://bot.example'

/** An owner's ring that does nothing. A test takes the parts that it needs. */
export const emptyExtension: Extension = {
  migrations: siteMigrations,
  recordEvent: () => async () => {},
  clockRepairs: () => [],
  mailings: noMailings,
  start: async () => {},
}

/** The product on a real database and real HTTP. */
export interface TestApp {
  url: string
  port: number
  context: ServerContext
  server: FastifyInstance['server']
  /** Asks without a connection. */
  inject: FastifyInstance['inject']
  /** A second connection to what the app stores. */
  database: Database
  databaseUrl: string
  /** The file of an SQLite database of its own. PostgreSQL, or another app's: undefined. */
  databaseFile: string | undefined
  mailer: ProgrammableMailer
  clock: TestClock
  /** Everything that was logged so far. */
  log(): string
  /** Repairs what a clock that was ahead has written, as the server does every minute. */
  repairClocks(): Promise<void>
  /** Sets the clock forward and lets the worker look what is due. */
  later(ms: number): void
  /** Moves the clock by a quarter of a second before each reading, for `expect.poll`. */
  passing<Value>(read: () => Value): () => Value
  /** Changes rows as no part of the product does. Returns how many. */
  change(query: Sql): Promise<number>
  signUp(email: string, headers?: Record<string, string>): Promise<Response>
  /** The database stays open. */
  stopServer(): Promise<void>
  /** Stops the server, which writes its counts then, and returns them. */
  countsAtStop(): Promise<Record<string, number>>
  stop(): Promise<void>
}

export interface TestAppOptions {
  config?: Partial<Config>
  /** The database of another app, to share it. */
  databaseUrl?: string
  /** Replaces the promised limits. */
  limits?: Partial<ClientLimits>
  /** Replaces what the product waits for. */
  waits?: Partial<ServerWaits>
  databaseLimits?: Partial<DatabaseLimits>
  mailer?: Mailer
  /** The owner's ring. */
  extension?: Extension
  parts?: Partial<ServerParts>
  /** The owner has not opened the page yet. */
  isHeldBack?: boolean
  /** Parts of the site that the build made. */
  built?: StubParts
}

/** Its pages have one line each. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const made = options.databaseUrl
    ? undefined
    : await makeTemporaryDatabase(options.extension?.migrations)
  const databaseUrl = options.databaseUrl ?? made?.url ?? ''
  const mailer = programmableMailer()
  const clock = makeTestClock()
  let logged = ''
  const writeLog = (lines: string) => void (logged += lines)
  const own = { mailer, dist: stubBuild(options.built), now: clock.now, writeLog, ...options.parts }
  const server = await runServer({ ...own, ...(await partsOf(options, databaseUrl)) })
  const database = await openAlone(databaseUrl)
  if (!options.isHeldBack) await openPage(server.context, database, clock.now())
  const url = `http://127.0.0.1:${server.port}`
  let stopped: Promise<void> | undefined
  const stopServer = () => (stopped ??= server.stop())
  return {
    url,
    ...accessTo(server),
    database,
    databaseUrl,
    databaseFile: made?.file,
    mailer,
    clock,
    log: () => logged,
    ...handlesOf(server.context, database, clock),
    repairClocks: () => repairAll(server.context, database, options.extension),
    signUp: (email, headers = {}) => signUp(url, email, headers),
    stopServer,
    countsAtStop: () => stopServer().then(() => countsIn(database)),
    async stop() {
      await stopServer()
      await database.close()
      await made?.remove()
    },
  }
}

async function openPage(context: ServerContext, database: Database, now: number): Promise<void> {
  await database.transaction((transaction) => openSite(transaction, now))
  await context.settings.refresh()
}

function accessTo({ app, port, context }: RunningServer) {
  return {
    port,
    context,
    server: app.server,
    inject: app.inject.bind(app),
  }
}

function handlesOf(context: ServerContext, database: Database, clock: TestClock) {
  function later(ms: number) {
    clock.advance(ms)
    context.wakeDeliveries()
  }
  return {
    later,
    passing<Value>(read: () => Value) {
      return () => {
        later(250)
        return read()
      }
    },
    change: (query: Sql) => database.transaction((transaction) => transaction.run(query)),
  }
}

async function repairAll(
  { config, now }: ServerContext,
  database: Database,
  extension = emptyExtension,
): Promise<void> {
  const repairs = [...siteClockRepairs(config), ...extension.clockRepairs(config)]
  await repairClocks(database, repairs, now)
}

async function partsOf(options: TestAppOptions, databaseUrl: string) {
  const { config, extension, limits, waits, mailer, parts } = options
  return {
    config: { ...testConfig(), ...config, databaseUrl },
    database: await openAlone(databaseUrl, {
      ...databaseLimits,
      maxConnections: 2,
      ...options.databaseLimits,
    }),
    extension,
    random: parts?.random ?? (() => 0),
    limits: { ...clientLimits, ...limits },
    waits: { ...serverWaits, drainMs: 0, followOthersEveryMs: 100, ...waits },
    ...(mailer && { mailer }),
  }
}

/** Starts an app that stops when the running test ends. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp(options)
  onTestFinished(app.stop)
  return app
}

function signUp(url: string, email: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url + functionPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${anonKey}`, ...headers },
    body: JSON.stringify({ email }),
  })
}

let subscribers = 0

/** Puts somebody new on the list, without a mail. */
export async function newSubscriber({ database, clock }: TestApp) {
  const address = `subscriber-${(subscribers += 1)}@example.com`
  const [id = 0] = await addPeople(database, [address], { at: clock.now() })
  return {
    id,
    address,
    state: async () => {
      const row = await database.row<{ state: string }>(
        sql`select state from subscribers where id = ${id}`,
      )
      return row?.state
    },
  }
}

/** The path of somebody's personal page. */
export async function linkOf({ database }: TestApp, address: string): Promise<string> {
  const row = await database.transaction((transaction) =>
    transaction.row<{ token: string }>(sql`
      update subscribers set token = coalesce(token, ${newToken()}) where address = ${address} returning token`),
  )
  return `/kit/${row!.token}`
}

/**
 * Does on the personal page of `address` what its forms do: unsubscribe, block, erase and so on.
 */
export async function act(app: TestApp, address: string, action: string): Promise<void> {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: `${await linkOf(app, address)}/${action}`,
  })
  if (statusCode !== 200) throw new Error(`${action} was answered with ${statusCode}`)
}

/** The counts of all days, such as `{ 'signed-up hero': 2 }`. */
export async function countsIn(database: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { event, detail, count } of await readDailyCounts(database, '')) {
    const name = `${event} ${detail}`.trim()
    counts[name] = (counts[name] ?? 0) + count
  }
  return counts
}

function testConfig(): Config {
  const read = readSettings({
    PUBLIC_URL: ownOrigin,
    SMTP_URL: 'smtp://127.0.0.1:9', // never called: a test app gets its mailer
    MAIL_FROM: 'Bot <bot@mail.example>',
    ANON_KEY: anonKey,
    LIMIT_IP_PER_10_MIN: 'off',
  })
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  return { ...read.config, host: '127.0.0.1', port: 0 }
}
