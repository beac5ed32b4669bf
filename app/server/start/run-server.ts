import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppDeps, createApp } from '../http/router.ts'
import type { Config } from '../configuration/config.ts'
import { groupCommits } from '../database/group-commits.ts'
import { type Database, inTransaction } from '../database/database.ts'
import type { Extension, ExtensionContext, RunningExtension } from './extension.ts'
import { readSecret } from '../database/settings.ts'
import { securityHeaders } from '../http/answer.ts'
import { createClientNetworks } from '../http/client-address.ts'
import { createGate, createSecretCheck } from '../http/gate.ts'
import { type ClientLimits, listen, stopListening } from '../http/server.ts'
import { startMaintenance } from '../maintenance.ts'
import { createLog } from '../log.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Mailer } from '../transports/mailer.ts'
import { keepTemplate } from '../deliveries/mail-templates.ts'
import { watchBacklog } from '../deliveries/backlog.ts'
import { mailQueue } from '../deliveries/mail-queue.ts'
import { Worker } from '../deliveries/worker.ts'
import { newToken } from '../subscribers/subscribers.ts'
import { keepWordings } from '../subscribers/wordings.ts'
import type { SignUp } from '../sign-up/read-sign-up.ts'
import { createReceipts, type Receipts } from '../sign-up/receipts.ts'
import { registerSignUps } from '../sign-up/register-sign-ups.ts'
import { type SiteState, watchSite } from '../sign-up/storm.ts'
import { Counts } from '../statistics/counts.ts'
import { startWritingDailyCounts } from '../statistics/write-daily-counts.ts'

export interface ServerParts extends Pick<
  AppDeps,
  'pages' | 'files' | 'downloads' | 'releases' | 'answerLocalInbox'
> {
  config: Config
  /** Migrated. */
  database: Database
  mailer: Mailer
  template: StarterEmailTemplate
  hashes: { styleHashes: string[]; scriptHashes: string[] }
  writeLog: (lines: string) => void
  /** ms since 1970. */
  now: () => number
  extensions: readonly Extension[]
  clientLimits?: ClientLimits
}

const graceMs = 8_000
const maintenanceGraceMs = 1_000

type Context = Omit<ExtensionContext, 'wakeDeliveries'> & { siteState: () => Promise<SiteState> }

/** Starts deliveries, extensions and HTTP. `stop` goes in reverse, and also closes mailer and database. */
export async function runServer(parts: ServerParts) {
  const { config, database, mailer, now, clientLimits: limits } = parts
  const context = await makeContext(parts)
  const { log } = context
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
  const dailyCounts = startWritingDailyCounts({ database, log, counts })

  const isMailSlow = () => backlog.trouble() !== undefined
  const receipts = createReceipts({ ...config, ...context, isMailSlow })
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
  const origins = new Set([config.publicUrl, ...config.allowedOrigins])
  const security = securityHeaders(config.publicUrl, config.functionsUrl, hashes)
  const app = createApp({ ...config, ...parts, ...context, ...served, origins })
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
    gate: createGate({ ...config, networksOf: createClientNetworks(secret, config.trustedProxies) }),
    checkSecret: createSecretCheck(now, sleep),
    siteState: watchSite(database, now),
    template,
  }
}

async function startDeliveries({ config, ...context }: Context, counts: Counts) {
  const { mailConcurrency: concurrency, retrySeconds, siteMailsPerHour } = config
  const settings = { retrySeconds, siteMailsPerHour, newToken, worker: newToken() }
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
      messageIdDomain: config.mailFrom.address.split('@')[1]!,
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
