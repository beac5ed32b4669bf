import { onTestFinished } from 'vitest'
import { ownerExtensions } from '#owner/extensions.ts'
import { type Config, readConfig } from '#server/configuration/config.ts'
import type { Database } from '#server/database/database.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { type ClientLimits, promisedLimits } from '#server/http/server.ts'
import type { Mailer } from '#server/transports/mailer.ts'
import { fillPlaceholders, type Pages } from '#server/http/pages.ts'
import { runServer, type ServerParts } from '#server/start/start-server.ts'
import { makeStaticFile, type StaticFile } from '#server/http/static-files.ts'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { enrol } from '#server/subscribers/subscribers.ts'
import { newcomer } from './queue-mails.ts'
import { programmableMailer } from '../mail/programmable-mailer.ts'
import { makeTemporaryDatabase } from '../database/temporary-database.ts'

export const functionPath = '/functions/v1/send-starter-bot-email'
export const anonKey = 'test-key'
export const ownOrigin = 'https://bot.example'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

export interface TestAppOptions {
  config?: Partial<Config>
  /** The database of another app, to share it. */
  databaseUrl?: string
  /** Replaces the promised limits. */
  clientLimits?: Partial<ClientLimits>
  mailer?: Mailer
  parts?: Partial<ServerParts>
}

/** The product on a real database and real HTTP, with pages of one line and a mailer that a test can program. */
export async function startTestApp(options: TestAppOptions = {}) {
  const made = options.databaseUrl === undefined ? await makeTemporaryDatabase() : undefined
  const databaseUrl = options.databaseUrl ?? made?.url ?? ''
  const database = await openDatabase(databaseUrl)
  await migrate(database)
  const [mailer, clock] = [programmableMailer(), makeTestClock()]
  let logged = ''
  const server = await runServer({
    ...partsFor({ ...options, config: { ...options.config, databaseUrl } }),
    now: clock.now,
    mailer: options.mailer ?? mailer,
    database: await openDatabase(databaseUrl),
    writeLog: (lines) => void (logged += lines),
    ...options.parts,
  })
  const url = `http://127.0.0.1:${server.port}`
  let stopped: Promise<void> | undefined
  const stopServer = () => (stopped ??= server.stop())
  return {
    url,
    port: server.port,
    /** A second connection to what the app stores. */
    database,
    databaseUrl,
    databaseFile: made?.file,
    mailer,
    clock,
    log: () => logged,
    signUp: (email: string, headers: Record<string, string> = {}) => signUp(url, email, headers),
    /** The database stays open. */
    stopServer,
    /** Stops the server, which writes its counts then, and returns them. */
    countsAtStop: () => stopServer().then(() => countsIn(database)),
    async stop() {
      await stopServer()
      await database.close()
      await made?.remove()
    },
  }
}

function partsFor({ config, clientLimits }: TestAppOptions) {
  return {
    ...kitAndPages(),
    config: { ...testConfig(), ...config },
    extensions: ownerExtensions,
    clientLimits: { ...promisedLimits, lastRequestMs: 0, ...clientLimits },
  }
}

/** Stopped when the running test ends. */
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
export async function newSubscriber({ database: { query }, clock }: TestApp) {
  const address = `subscriber-${(subscribers += 1)}@example.com`
  const [{ id } = { id: 0 }] = await enrol(query, [newcomer(address)], clock.now())
  const found = query.selectFrom('subscribers').select('state').where('id', '=', id)
  return { id, address, state: async () => (await found.executeTakeFirstOrThrow()).state }
}

/** The counts of all days, such as `{ 'signed-up hero': 2 }`. */
export async function countsIn({ query }: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { event, detail, count } of await readDailyCounts(query, '')) {
    const name = `${event} ${detail}`.trim()
    counts[name] = (counts[name] ?? 0) + count
  }
  return counts
}

function testConfig(): Config {
  const read = readConfig({
    PUBLIC_URL: ownOrigin,
    SMTP_URL: 'smtp://127.0.0.1:9', // never called: a test app gets its mailer
    MAIL_FROM: 'Bot <bot@mail.example>',
    ANON_KEY: anonKey,
    LIMIT_IP_PER_10_MIN: 'off',
  })
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  return { ...read.config, host: '127.0.0.1', port: 0 }
}

function kitAndPages() {
  return {
    pages: stubPages(),
    files: new Map([['/robots.txt', htmlFile('User-agent: *')]]),
    downloads: new Map([
      ['ema-crossover.pine', htmlFile('//@version=6')],
      ['setup-guide.pdf', htmlFile('%PDF')],
    ]),
    template: {
      subject: 'Your starter bot',
      html: '<p>{{address}} {{scriptUrl}} {{guideUrl}} {{unsubscribeUrl}}</p>',
      text: '{{address}} {{scriptUrl}} {{guideUrl}} {{unsubscribeUrl}}',
      from: { name: 'Bot', address: 'bot@mail.example' },
      replyTo: 'help@mail.example',
      publicUrl: ownOrigin,
    },
    releases: [
      { version: '1.1.0', date: '2999-01-01', changes: [] },
      { version: '1.0.0', date: '2026-11-21', changes: [] },
    ],
    hashes: { styleHashes: [], scriptHashes: [] },
    answerLocalInbox: undefined,
  }
}

export function stubPages(): Pages {
  return {
    landing: htmlFile('landing page'),
    notFound: htmlFile('not found', 404),
    page: (name, values, parts) =>
      fillPlaceholders(
        `<h1>${name}</h1> {{address}} {{token}} form={{form}} campaign={{campaign}} {{whatChanged}} "{{receipt}}" {{tag}} {{heading}} {{text}}`,
        values,
        parts,
      ),
    part: (name, values) => `${name} ${JSON.stringify(values)}`,
  }
}

function htmlFile(text: string, status = 200): StaticFile {
  return makeStaticFile(Buffer.from(text), new Map(), { 'content-type': 'text/html; charset=utf-8' }, status)
}

/** Real time that can be set forward. */
function makeTestClock() {
  let aheadMs = 0
  return { now: () => Date.now() + aheadMs, advance: (ms: number) => void (aheadMs += ms) }
}
