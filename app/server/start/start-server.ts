import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../settings/config.ts'
import { builtFiles } from '../project-files.ts'
import { repairClocks } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { migrate, openDatabase, siteMigrations } from '../database/open-database.ts'
import { readSecret } from '../database/settings.ts'
import { openSharedClock } from '../database/shared-clock.ts'
import { endHoldUps } from '../deliveries/deliveries.ts'
import { watchMail } from '../deliveries/mail-state.ts'
import { noMailings } from '../deliveries/mailing-rules.ts'
import { Worker } from '../deliveries/worker/worker.ts'
import { clientLimits, type ClientLimits } from '../http/client-limits.ts'
import { createGate } from '../http/gate.ts'
import { createLog, type Log } from '../log.ts'
import { registerSignUp } from '../sign-up/register-sign-up.ts'
import { fillSite, withPublishedSender } from '../site/fill-site.ts'
import { type LoadedSite, PublishedSite } from '../site/load-site.ts'
import { openRenderer, type Renderer } from '../site/renderer-client.ts'
import { holdSite, type SiteHolder } from '../site/served-site.ts'
import { holdSettings, type SettingsHolder, type SiteSettings } from '../settings/site-settings.ts'
import { readBuiltSite } from '../site/built-site.ts'
import { Counts } from '../statistics/counts.ts'
import { openMetrics } from '../statistics/metrics.ts'
import { newToken } from '../subscribers/subscribers.ts'
import { dropEndedAddresses } from '../test-address/test-addresses.ts'
import { createFollowingMailer, serviceOf } from '../transports/following-mailer.ts'
import { openLocalInbox } from '../transports/open-mailer.ts'
import type { LocalInbox } from '../transports/local-inbox.ts'
import type { Mailer } from '../transports/mailer.ts'
import { checkPort } from './check-port.ts'
import type { Extension, ServerContext } from './context.ts'
import { type AppDeps, createApp } from './create-app.ts'
import { siteClockRepairs } from './clock-repairs.ts'
import { clearErased, dropOld } from './maintenance.ts'
import { createRepeats, type Repeats } from './repeat.ts'

const minuteMs = 60_000
/**
 * Twice within the hour after which the pages promise that nothing is left of an erasure: a backup
 * may be in the way once.
 */
const maintenanceEveryMs = 25 * minuteMs
/** A killed process loses the counts of this time, and Today lags behind the list by it. */
const writeCountsEveryMs = 1_000
const closeIdleEveryMs = 50

/** How long a server waits for what. A test sets them shorter. */
export interface ServerWaits {
  /** Part of graceMs in production, where a proxy has to learn not to use its connections again. */
  drainMs: number
  /** A stop may take 10 s. These are for what is in flight; the last writes come after it. */
  graceMs: number
  /** A database that does not answer the last writes takes no more of a stop than this. */
  lastWritesMs: number
  /** Another instance may have changed the settings, or published. */
  followOthersEveryMs: number
}

export const serverWaits: ServerWaits = {
  drainMs: 1_000,
  graceMs: 6_500,
  lastWritesMs: 2_000,
  followOthersEveryMs: 2_000,
}

export interface StartedServer {
  /** Where page, inbox, data and desk are, for the owner. */
  startupLines: string[]
  stop(): Promise<void>
}

/** Opens the database and the mailer, loads what the build wrote, and serves. */
export async function startServer(config: Config, extension?: Extension): Promise<StartedServer> {
  await checkPort(config)
  const database = await openDatabase(config.databaseUrl)
  const clock = await openSharedClock(database, Date.now)
  const inbox = config.hasLocalInbox ? await openLocalInbox(config) : undefined
  const running = await runServer({
    config,
    database,
    inbox,
    writeLog: (lines) => void process.stdout.write(lines),
    now: clock.now,
    compareClocks: clock.compare,
    extension,
  })
  const { context } = running
  const lines = (await extension?.linesForOwner?.(context)) ?? []
  return {
    startupLines: [...startupLines(context.settings.current), ...lines],
    stop: running.stop,
  }
}

/** A few lines for the owner: where page, local inbox and data are. */
function startupLines({ config, isAddressKnown, isHeldBack }: SiteSettings): string[] {
  const { publicUrl, databaseUrl } = config
  const isFile = databaseUrl.startsWith('file:')
  const data = isFile ? resolve(databaseUrl.slice('file:'.length)) : new URL(databaseUrl).host
  const page = isAddressKnown ? publicUrl : 'at an address that the desk asks for'
  return [
    `Page    ${page}${isHeldBack ? ', held back until you open it at the desk' : ''}`,
    mailLine(config),
    `Data    ${data}`,
  ]
}

function mailLine({ publicUrl, smtpUrl, mailApi, hasLocalInbox }: Config): string {
  const relay = mailApi?.baseUrl ?? smtpUrl
  if (relay !== undefined) return `Mail    goes to ${new URL(relay).host}`
  return hasLocalInbox ? `Inbox   ${publicUrl}/dev/inbox` : 'Mail    waits for a mail service'
}

export interface ServerParts {
  config: Config
  database: Database
  /** By default the service that is set up. */
  mailer?: Mailer | undefined
  inbox?: LocalInbox | undefined
  writeLog: (lines: string) => void
  now: () => number
  /** From 0 to 1. */
  random?: () => number
  /** How long this process has run, in ms. */
  uptimeMs?: () => number
  /** Called every minute. */
  compareClocks?: (() => Promise<void>) | undefined
  extension?: Extension | undefined
  dist?: string
  /** By default in a thread. */
  renderer?: Renderer
  limits?: ClientLimits | undefined
  waits?: ServerWaits
}

export interface RunningServer {
  app: FastifyInstance
  context: ServerContext
  port: number
  stop(): Promise<void>
}

/**
 * Applies migrations, and starts deliveries, the owner's ring and HTTP. `stop` answers what is in
 * flight, finishes the mails being sent and releases the other claims, within 10 s.
 */
export async function runServer(parts: ServerParts): Promise<RunningServer> {
  const { database, now, extension, dist = builtFiles, waits = serverWaits } = parts
  await migrate(database, extension?.migrations ?? siteMigrations)
  const secret = await database.transaction(readSecret)
  const settings = await holdSettings(parts.config, database)
  const { config } = settings.current
  const log = createLog(config.logLevel, parts.writeLog)
  const counts = new Counts(now, config.metricsToken ? await openMetrics() : undefined)
  const repeats = createRepeats(log, parts.uptimeMs)
  let worker: Worker | undefined // it starts last, and routes wake it
  const wakeDeliveries = () => worker?.wake()
  const context = await createContext(parts, { secret, settings, log, repeats, wakeDeliveries })
  await repeatChores(context, { ...parts, counts, waits })

  const { gate, site, recordEvent } = context
  const app = await createApp({
    settings,
    database,
    gate,
    counts,
    log,
    recordEvent,
    now,
    register: registerWith(context),
    site,
    dist,
    inbox: parts.inbox,
    limits: parts.limits ?? clientLimits,
  })
  await extension?.start(app, context)
  await app.listen({ host: config.host, port: config.port })
  // From here on: a server that cannot listen has claimed no mail.
  const started = startWorker(context, counts, parts.random ?? Math.random)
  worker = started
  repeats.begin()
  return {
    app,
    context,
    port: (app.server.address() as AddressInfo).port, // a string only for a pipe
    stop: () => stopServer({ app, worker: started, repeats, counts, context, waits }),
  }
}

/** At the start and after each change. */
function tellIgnored(settings: SettingsHolder, log: Log): void {
  const tell = async () => {
    for (const name of settings.current.ignored) {
      log.error('a stored setting is not understood, and not used', { name })
    }
  }
  void tell()
  settings.onChange(tell)
}

/** The values that the context is made from, beside the server's parts. */
interface ContextParts {
  secret: string
  settings: SettingsHolder
  log: Log
  repeats: Repeats
  wakeDeliveries: () => void
}

async function createContext(
  { database, now, extension, ...parts }: ServerParts,
  { secret, settings, log, repeats, wakeDeliveries }: ContextParts,
): Promise<ServerContext> {
  const { config } = settings.current
  const dist = parts.dist ?? builtFiles
  const renderer = parts.renderer ?? openRenderer(dist)
  tellIgnored(settings, log)
  const built = await readBuiltSite(dist)
  const published = new PublishedSite({ database, renderer, built, log, now })
  const site = await serveSite(settings, published, database)
  return {
    get config() {
      return withPublishedSender(settings.current.config, site.current.content)
    },
    settings,
    database,
    mailer: parts.mailer ?? createFollowingMailer(settings),
    log,
    gate: createGate(settings, secret),
    secret,
    site,
    published,
    renderer,
    now,
    recordEvent: extension?.recordEvent(config) ?? (async () => {}),
    mailings: extension?.mailings ?? noMailings,
    wakeDeliveries,
    repeat: repeats.add,
    repeatDeleting: repeats.addDeleting,
  }
}

function startWorker(context: ServerContext, counts: Counts, random: () => number): Worker {
  const { config, settings, database, mailer, log, now, recordEvent, mailings } = context
  const deps = {
    database,
    mailer,
    log,
    now,
    recordEvent,
    mailings,
    counts,
    random,
    sender: () => context.config,
  }
  const { mailConcurrency, mailTimeoutSeconds, retrySeconds, siteMailsPerHour } = config
  const limits = { mailConcurrency, mailTimeoutSeconds, retrySeconds, siteMailsPerHour }
  const worker = new Worker({ ...deps, ...limits, worker: newToken() })

  let known = serviceAndSenderOf(settings.current.config)
  settings.onChange(async () => {
    const latest = serviceAndSenderOf(settings.current.config)
    if (latest === known) return
    await database.transaction((transaction) => endHoldUps(transaction, now()))
    known = latest
    worker.forgetRelay()
  })
  return worker
}

function serviceAndSenderOf(config: Config): string {
  return `${serviceOf(config)} ${config.mailFrom.address}`
}

/** The site follows every change of the settings. */
async function serveSite(
  settings: SettingsHolder,
  published: PublishedSite,
  database: Database,
): Promise<SiteHolder> {
  const fill = (loaded: LoadedSite) => fillSite(loaded, settings.current.config, database)
  const site = holdSite(await fill(await published.load()))
  settings.onChange(() => site.change(fill))
  return site
}

async function repeatChores(
  context: ServerContext,
  {
    counts,
    waits: { followOthersEveryMs },
    compareClocks,
    extension,
  }: Pick<ServerParts, 'compareClocks' | 'extension'> & Pick<RunningParts, 'counts' | 'waits'>,
): Promise<void> {
  const { settings, config, database, log, now, repeat, repeatDeleting } = context
  const repairs = [...siteClockRepairs(config), ...(extension?.clockRepairs(config) ?? [])]
  await repairClocks(database, repairs, now)
  const watch = watchMail(log, now)
  repeat('settings', followOthersEveryMs, () => settings.refresh())
  repeat('published page', followOthersEveryMs, () => followPublished(context))
  repeat('watching mail', minuteMs, () => watch(database))
  repeat('repairing clocks', minuteMs, () => repairClocks(database, repairs, now))
  repeat('clearing what was erased', maintenanceEveryMs, () => clearErased(context))
  repeatDeleting('dropping old limits and counts', maintenanceEveryMs, () => dropOld(context))
  repeat('test addresses', minuteMs, () => dropEndedAddresses(database, now()))
  repeat('counts of the day', writeCountsEveryMs, () => counts.writeDays(database, log))
  if (compareClocks) repeat('comparing clocks', minuteMs, compareClocks)
}

/** Serves what another instance has published. */
function followPublished(context: ServerContext): Promise<void> {
  return context.site.change(async (served) => {
    const newer = await context.published.newerThan(served)
    return newer && fillSite(newer, context.config, context.database)
  })
}

interface RunningParts {
  app: FastifyInstance
  worker: Worker
  repeats: Repeats
  counts: Counts
  context: ServerContext
  waits: ServerWaits
}

async function stopServer({
  app,
  worker,
  repeats,
  counts,
  context,
  waits: { drainMs, graceMs, lastWritesMs },
}: RunningParts): Promise<void> {
  const { database, mailer, log, renderer } = context
  const drained = context.config.production ? drain(app, drainMs) : Promise.resolve()
  const listened = drained.then(() => stopListening(app, graceMs - drainMs))
  await Promise.all([listened, worker.stop(graceMs), repeats.stop()])
  // Closing the mailer breaks off what is still in flight; the worker then hands it back.
  const handedBack = mailer.close().then(() => worker.stop(lastWritesMs))
  const last = Promise.all([counts.writeDays(database, log), handedBack, renderer.close()])
  await Promise.race([last, sleep(lastWritesMs, undefined, { ref: false })])
  await database.close()
}

/**
 * Goes on answering, and ends each connection with its answer. If it were closed while it is idle, a
 * proxy might just then send a sign-up there, which it would not send again.
 */
async function drain(app: FastifyInstance, drainMs: number): Promise<void> {
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close')
  })
  await sleep(drainMs)
}

async function stopListening(app: FastifyInstance, graceMs: number): Promise<void> {
  // Node closes the connections that are idle now; the others are once their requests are answered.
  const idle = setInterval(() => app.server.closeIdleConnections(), closeIdleEveryMs)
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(cut)
  clearInterval(idle)
}

/** A sign-up is a transaction of its own. After its commit the mail is due. */
function registerWith(context: ServerContext): AppDeps['register'] {
  const { config, settings, database, now, wakeDeliveries, secret, site, recordEvent } = context
  const { signUpsPerNetworkIn10Minutes, signUpsPerNetworkADay, mailsPerAddressADay } = config
  const limits = {
    signUpsPerNetworkIn10Minutes,
    signUpsPerNetworkADay,
    mailsPerAddressADay,
  }
  const resendAfterMs = config.resendAfterSeconds * 1000
  const fixed = { limits, resendAfterMs, secret, recordEvent }
  return async (signUp) => {
    // The owner may change these at the desk while the server runs.
    const { starterTemplate: template, releases } = site.current
    const { senderDomain } = settings.current.config
    const current = { template, release: releases[0]?.version, senderDomain }
    const outcome = await database.transaction((transaction) =>
      registerSignUp(transaction, signUp, { ...fixed, ...current, now: now() }),
    )
    if ('receipt' in outcome) wakeDeliveries()
    return outcome
  }
}
