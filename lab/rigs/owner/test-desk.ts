import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { TRPCClientError } from '@trpc/client'
import type { Sql } from 'sql-template-tag'
import { ourContent } from '#rigs/our-content.ts'
import type { KitRelease } from '#content/releases.ts'
import { deskRoutes } from '#owner/start/desk.ts'
import type { DeskRouter } from '#owner/start/router.ts'
// oxlint-disable-next-line import/no-unassigned-import -- what it makes once is of no test
import '#owner/start/answer-call.ts'
import { addClientAddressRoute } from '#owner/conditions/site/ask-server.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { mailingRules } from '#owner/mailings/sending/may-go.ts'
import { ownerExtension } from '#owner/start/extension.ts'
import { type Database, type Reader, Unavailable } from '#server/database/database.ts'
import type { Extension } from '#server/start/context.ts'
import { eventually } from '../eventually.ts'
import { ownerOf } from './owner-commands.ts'
import { cookieHeader, deskClient, keepCookies } from './desk-client.ts'
import { ownOrigin, type TestApp, testApp, type TestAppOptions } from '../server/test-app.ts'

const ownerEmail = 'owner@example.org'
const deskFiles = {
  'dist/desk/index.html': '<!doctype html><body data-owner-command="npm run owner --"></body>',
  'dist/desk/assets/index-0123.js': 'export {}',
}

const newRelease: KitRelease = { version: '1.1.0', date: '2999-01-01', changes: ['A stop.'] }

interface DeskAppOptions extends TestAppOptions {
  /** The releases of the kit, the newest first. */
  releases?: KitRelease[]
}

/**
 * The product with a desk. `takeDatabaseAway`: the desk's reads fail once so many queries have the
 * text in them. `visitorsReads`: what the desk reads beside visitors, not as the owner.
 * `ownersReads`: the others.
 */
export async function deskApp({ releases = [newRelease], ...options }: DeskAppOptions = {}) {
  let away = { once: '', after: Infinity }
  const visitorsReads: string[] = []
  const ownersReads: Sql[] = []
  const extension = deskExtension((database) => {
    const check = ({ sql: text }: Sql) => {
      if (text.includes(away.once)) away.after -= 1
      if (away.after < 0) throw new Unavailable('away')
    }
    const ownerReads = checkedReader(database.ownerReads, (query) => {
      ownersReads.push(query)
      check(query)
    })
    const reader = checkedReader(database, (query) => {
      visitorsReads.push(query.sql)
      check(query)
    })
    return { ...database, ...reader, ownerReads }
  })
  const built = { content: { ...ourContent, releases }, ...options.built }
  const app = await testApp({
    extension,
    ...options,
    built,
    config: { ownerEmail, ...options.config },
  })
  const takeDatabaseAway = (once = '', after = 0) => void (away = { once, after })
  return { ...app, takeDatabaseAway, visitorsReads, ownersReads }
}

function checkedReader(reader: Reader, check: (query: Sql) => void): Reader {
  return {
    async rows<Row>(query: Sql) {
      check(query)
      return reader.rows<Row>(query)
    },
    async row<Row>(query: Sql) {
      check(query)
      return reader.row<Row>(query)
    },
  }
}

let deskFolder: string | undefined

/** The folder of a project with a built desk. All tests of a process share it. */
function builtDesk(): string {
  if (deskFolder !== undefined) return deskFolder
  deskFolder = mkdtempSync(join(tmpdir(), 'starter-bot-desk-'))
  const folder = deskFolder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const [name, contents] of Object.entries(deskFiles)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), contents)
  }
  return folder
}

function deskExtension(wrap: (database: Database) => Database): Extension {
  const folder = builtDesk()
  return {
    migrations: ownerMigrations,
    recordEvent: ownerExtension.recordEvent,
    clockRepairs: ownerExtension.clockRepairs,
    mailings: mailingRules,
    async start(app, context) {
      // A spread would keep the config of this moment.
      const server = Object.create(context, { database: { value: wrap(context.database) } })
      addClientAddressRoute(app, context)
      await app.register((scope) => deskRoutes(scope, { server, folder }))
    },
  }
}

/** A browser that keeps its cookies. `headers`: of every request. */
export function deskBrowser(
  app: TestApp,
  {
    cookies = new Map<string, string>(),
    headers = {},
  }: { cookies?: Map<string, string>; headers?: Record<string, string> } = {},
) {
  /** The last answer's. */
  let setCookies: string[] = []
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const sent = {
      origin: ownOrigin,
      cookie: cookieHeader(cookies),
      ...Object.fromEntries(new Headers(init.headers)),
      ...headers,
    }
    const answer = await fetch(new URL(path, app.url), { ...init, headers: sent })
    setCookies = answer.headers.getSetCookie()
    keepCookies(cookies, answer)
    return answer
  }
  const desk = deskClient(app.url, send)
  const askForCode = () => newCode(app, () => desk.signIn.mailCode.mutate())
  return {
    desk,
    send,
    cookies,
    setCookies: () => setCookies,
    /** This browser at another server. */
    at: (other: TestApp) => deskBrowser(other, { cookies, headers }),
    askForCode,
    signIn: async () => desk.signIn.byCode.mutate(await askForCode()),
  }
}

async function newCode(app: TestApp, ask: () => Promise<unknown>): Promise<string> {
  const before = codesIn(app).length
  await ask()
  await eventually('a code is mailed', () => codesIn(app).length > before)
  return codesIn(app).at(-1)!
}

export async function signedIn(app: TestApp) {
  const browser = deskBrowser(app)
  await browser.signIn()
  return browser
}

/** How a call of the desk is refused. */
export async function refusalOf(calling: Promise<unknown>) {
  const error = await calling.then(
    () => undefined,
    (fault: unknown) => fault,
  )
  if (!(error instanceof TRPCClientError)) throw new Error('The desk did not refuse the call')
  const { httpStatus: status, field } = (error as TRPCClientError<DeskRouter>).data! // it came from the router
  return { status, message: error.message, ...(field !== undefined && { field }) }
}

/** As they were mailed. */
export function codesIn(app: TestApp): string[] {
  const mails = app.mailer.attempts.filter(({ address }) => address === ownerEmail)
  return mails.flatMap(({ message }) => /\b\d{4} \d{4}\b/.exec(message.text)?.[0] ?? [])
}

/** A link that signs in, as the command line prints it. */
export async function deskLink(app: TestApp): Promise<string> {
  const settings = { OWNER_EMAIL: 'owner@example.org' }
  const owner = ownerOf(app.databaseUrl, settings, { now: app.clock.now })
  return (await owner('desk-link')).printed.trim()
}
