import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Config } from '../configuration/config.ts'
import { databaseHosts } from '../configuration/database-url.ts'
import { projectRoot, readProjectFile } from '../configuration/project-files.ts'
import { type Database, inTransaction } from '../database/database.ts'
import { groupCommits } from '../database/group-commits.ts'
import { appliedMigrations, migrate, migrationNames, openDatabase } from '../database/open-database.ts'
import { readSecret } from '../database/settings.ts'
import { watchBacklog } from '../deliveries/backlog.ts'
import { mailQueue } from '../deliveries/mail-queue.ts'
import { keepTemplate } from '../deliveries/mail-templates.ts'
import { Worker } from '../deliveries/worker.ts'
import { securityHeaders } from '../http/answer.ts'
import { createGate, createSecretCheck } from '../http/gate.ts'
import { loadKitDownloads, loadStaticFiles } from '../http/load-static-files.ts'
import { loadPages } from '../http/pages.ts'
import { type AppDeps, createApp } from '../http/router.ts'
import { type ClientLimits, listen, stopListening } from '../http/server.ts'
import { createLog } from '../log.ts'
import { startMaintenance } from '../maintenance.ts'
import type { SignUp } from '../sign-up/read-sign-up.ts'
import { createReceipts, type Receipts } from '../sign-up/receipts.ts'
import { registerSignUps } from '../sign-up/register-sign-ups.ts'
import { type SiteState, watchSite } from '../sign-up/storm.ts'
import { Counts } from '../statistics/counts.ts'
import { newToken } from '../subscribers/subscribers.ts'
import { keepWordings } from '../subscribers/wordings.ts'
import { openLocalInbox, openMailer, readStarterEmailTemplate } from '../transports/open-mailer.ts'
import type { Extension, ExtensionContext, RunningExtension, ServerContext } from './extension.ts'

const dist = join(projectRoot, 'dist')

/**
 * Opens the database and the mailer, loads what the build wrote, and runs the server on them. `stop` answers what is in
 * flight, finishes the mails being sent and releases the other claims, within 10 s.
 */
export async function startServer(config: Config, extensions: readonly Extension[]) {
  const [database, pages, files] = await Promise.all([
    openMigrated(config.databaseUrl),
    loadPages(dist, config),
    loadStaticFiles(dist, config.publicUrl),
  ])
  const inbox = config.hasLocalInbox ? await openLocalInbox(config) : undefined
  const running = await runServer({
    config,
    database,
    mailer: inbox ?? (await openMailer(config)),
    pages,
    files,
    downloads: loadKitDownloads(dist),
    releases: readJson('kit/releases.json'),
    hashes: readJson('build.json'),
    extensions,
    template: await readStarterEmailTemplate(dist, config),
    answerLocalInbox: inbox && ((path) => inbox.answer(path)),
    writeLog: (lines) => void process.stdout.write(lines),
    now: Date.now,
  })
  return { whereabouts: whereabouts(config), stop: running.stop }
}

async function openMigrated(url: string): Promise<Database> {
  const database = await openDatabase(url)
  await migrate(database)
  return database
}

/** The build writes it in the form that its reader expects. */
function readJson(path: string) {
  return JSON.parse(readProjectFile(join(dist, path)).toString())
}

/** A few lines for the owner: where page, local inbox and data are. */
function whereabouts({ publicUrl, smtpUrl, mailApi, databaseUrl }: Config): string[] {
  const data = databaseUrl.startsWith('file:')
    ? resolve(databaseUrl.slice('file:'.length))
    : databaseHosts(databaseUrl)
  const relay = mailApi?.baseUrl ?? smtpUrl
  return [
    `Page    ${publicUrl}`,
    relay ? `Mail    goes to ${new URL(relay).host}` : `Inbox   ${publicUrl}/dev/inbox`,
    `Data    ${data}`,
  ]
}

/** `database`: migrated. */
export interface ServerParts extends Pick<
  AppDeps,
  'config' | 'database' | 'mailer' | 'now' | 'pages' | 'files' | 'downloads' | 'releases' | 'answerLocalInbox'
> {
  template: StarterEmailTemplate
  hashes: { styleHashes: string[]; scriptHashes: string[] }
  writeLog: (lines: string) => void
  extensions: readonly Extension[]
  clientLimits?: ClientLimits
}

const graceMs = 7_000 // of the 10 s that are promised; counts and database take up to 1.5 s after it
const maintenanceGraceMs = 1_000

type Context = ServerContext & { siteState: () => Promise<SiteState> }

/** Starts deliveries, extensions and HTTP. `stop` goes in reverse, and also closes mailer and database. */
export async function runServer(parts: ServerParts) {
  const { config, database, mailer, now, clientLimits: limits } = parts
  const context = await makeContext(parts)
  const { log } = context
  if (!(await appliedMigrations(database)).isSubsetOf(new Set(migrationNames())))
    log.warn('the database is of a newer version of this program')
  const counts = new Counts(now)
  const delivery = await startDeliveries(context, counts)
  const extensions = await startExtensions(parts.extensions, {
    ...context,
    wakeDeliveries() {
      delivery.wake()
      database.announceDeliveries() // to the other instances
    },
  })
  const backlog = watchBacklog({
    database,
    log,
    now,
    onChange: (trouble) => extensions.forEach((extension) => extension.reportMailTrouble?.(trouble)),
  })
  const maintenance = startMaintenance({ ...config, database, log, now, extensions })
  const dailyCounts = counts.startWriting(database, log)

  const receipts = createReceipts(context, () => backlog.trouble() !== undefined)
  const register = registerInGroups(context, delivery, receipts)
  const server = await serve(parts, context, { counts, extensions, register, receipts })
  return {
    port: (server.address() as AddressInfo).port, // a string only for a pipe
    async stop() {
      const extensionsStopped = extensions.map((extension) => extension.stop?.(graceMs))
      const httpStopped = stopListening(server, graceMs, limits)
      const loopsStopped = [delivery.stop(graceMs), maintenance.stop(maintenanceGraceMs), backlog.stop()]
      await Promise.all([httpStopped, ...loopsStopped, ...extensionsStopped])
      await Promise.all([dailyCounts.stop(), mailer.close()])
      await database.close()
    },
  }
}

type Served = Pick<AppDeps, 'counts' | 'extensions' | 'register' | 'receipts'>

function serve(parts: ServerParts, context: Context, served: Served) {
  const { config, hashes, clientLimits: limits } = parts
  const security = securityHeaders(config.publicUrl, config.functionsUrl, hashes)
  const app = createApp({ ...parts, ...context, ...served })
  return listen(app, { ...config, security, limits })
}

async function startExtensions(extensions: readonly Extension[], context: ExtensionContext) {
  const running: RunningExtension[] = []
  for (const start of extensions) {
    const extension = await start(context)
    if (extension) running.push(extension)
  }
  return running
}

async function makeContext(parts: ServerParts): Promise<Context> {
  const { config, database, mailer, now } = parts
  // One transaction, which runs again if another instance that starts now rolls it back.
  const { secret, template } = await inTransaction(database.query, async (transaction) => {
    await keepWordings(transaction)
    return {
      secret: await readSecret(transaction),
      template: await keepTemplate(transaction, parts.template),
    }
  })
  return {
    config,
    database,
    mailer,
    now,
    secret,
    log: createLog(config.logLevel, secret, parts.writeLog),
    gate: createGate(config, secret),
    checkSecret: createSecretCheck(now, sleep),
    siteState: watchSite(database, now),
    template,
  }
}

async function startDeliveries({ config, ...context }: Context, counts: Counts) {
  const { mailConcurrency: concurrency, retrySeconds, siteMailsPerHour } = config
  const settings = { retrySeconds, siteMailsPerHour, worker: newToken() }
  const queue = mailQueue({ ...context, ...settings, counts })
  const worker = new Worker(queue, { ...context, ...settings, concurrency })
  await context.database.onDeliveryQueuedElsewhere(() => worker.wake())
  return worker
}

/** Registers the sign-ups that arrive while a commit is running in one transaction after it. */
function registerInGroups(
  { config, database, secret, template, siteState, now }: Context,
  delivery: Awaited<ReturnType<typeof startDeliveries>>,
  receipts: Receipts,
) {
  async function commit(signUps: readonly SignUp[]) {
    const context = {
      ...config,
      ...(await siteState()),
      now: now(),
      resendAfterMs: config.resendAfterSeconds * 1000,
      template,
      secret,
    }
    const outcomes = await inTransaction(database.query, (transaction) =>
      registerSignUps(transaction, signUps, context),
    )
    delivery.yieldToSignUps(signUps.length)
    database.announceDeliveries()
    const issued = receipts.issue(outcomes)
    return outcomes.map((outcome, index) => ({ outcome, receipt: issued[index]! }))
  }
  return groupCommits(commit, { timeoutMs: database.commitTimeoutMs })
}
