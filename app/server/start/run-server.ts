import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../settings/config.ts'
import { builtFiles } from '../project-files.ts'
import type { Database } from '../database/database.ts'
import { migrate, siteMigrations } from '../database/open-database.ts'
import { readSecret } from '../database/settings.ts'
import { endHoldUps } from '../deliveries/deliveries.ts'
import { noMailings } from '../deliveries/mailing-rules.ts'
import { Worker } from '../deliveries/worker/worker.ts'
import { clientLimits, type ClientLimits } from '../http/client-limits.ts'
import { createGate } from '../http/gate.ts'
import { createLog, type Log } from '../log.ts'
import { registerSignUp } from '../sign-up/register-sign-up.ts'
import { readBuiltSite } from '../site/built-site.ts'
import { fillSite, withPublishedSender } from '../site/fill-site.ts'
import { type LoadedSite, PublishedSite } from '../site/load-site.ts'
import { openRenderer, type Renderer } from '../site/renderer-client.ts'
import { holdSite, type SiteHolder } from '../site/served-site.ts'
import { holdSettings, type SettingsHolder } from '../settings/site-settings.ts'
import { Counts } from '../statistics/counts.ts'
import { openMetrics } from '../statistics/metrics.ts'
import { newToken } from '../subscribers/subscribers.ts'
import { createFollowingMailer, serviceOf } from '../transports/following-mailer.ts'
import type { Mailer } from '../transports/mailer.ts'
import { repeatChores } from './chores.ts'
import type { Extension, ServerContext } from './context.ts'
import { type AppDeps, createApp, type OpenInbox } from './app/create-app.ts'
import { createRepeats, type Repeats } from './repeat.ts'
import { type ServerWaits, serverWaits, stopServer } from './stop-server.ts'

export interface ServerParts {
  config: Config
  database: Database
  /** By default the service that is set up. */
  mailer?: Mailer | undefined
  openInbox?: OpenInbox | undefined
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
  /** By default in a process. */
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
  await repeatChores(context, { ...parts, ...waits, counts })

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
    openInbox: parts.openInbox,
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
    const current = { template, kit: releases[0], senderDomain }
    const outcome = await database.transaction((transaction) =>
      registerSignUp(transaction, signUp, { ...fixed, ...current, now: now() }),
    )
    if ('receipt' in outcome) wakeDeliveries()
    return outcome
  }
}
