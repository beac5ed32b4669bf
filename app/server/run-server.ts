import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppMeans, createApp } from './http/router.ts'
import type { Config } from './config.ts'
import { groupCommits } from './database/group-commits.ts'
import type { Database } from './database/database.ts'
import type { Extension, ExtensionContext, RunningExtension } from './extension.ts'
import { readSecret } from './database/secret.ts'
import { createSecretCheck } from './http/answer.ts'
import { createClientNetworks } from './http/client-address.ts'
import { createGate } from './http/gate.ts'
import { type ClientLimits, listen, stopListening } from './http/server.ts'
import { securityHeaders } from './http/security-headers.ts'
import { startMaintenance } from './maintenance.ts'
import { createLog } from './log.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Mailer } from './transports/mailer.ts'
import { keepTemplate } from './deliveries/mail-templates.ts'
import { watchBacklog } from './deliveries/backlog.ts'
import { DeliveryWorker } from './deliveries/worker.ts'
import { newToken } from './personal-page/personal-link.ts'
import { registerSignUps, type SignUp } from './sign-up/register-sign-ups.ts'
import { createCounts } from './statistics/counts.ts'
import { startWritingDailyCounts } from './statistics/daily-tally.ts'

export interface ServerParts extends Pick<AppMeans, 'pages' | 'files' | 'downloads' | 'answerLocalInbox'> {
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

/** Delivery worker -> HTTP, on parts that are ready; `stop` goes in reverse and closes mailer and database as well. */
export async function runServer(parts: ServerParts) {
  const { config, database, mailer, now } = parts
  const secret = await readSecret(database.query)
  const log = createLog(config.logLevel, secret, parts.writeLog)
  const counts = createCounts(now)
  const template = await keepTemplate(database.query, parts.template)
  const delivery = new DeliveryWorker({
    ...{ database, mailer, log, counts, now, newToken, worker: newToken() },
    concurrency: config.mailConcurrency,
    retrySeconds: config.retrySeconds,
    siteMailsPerHour: config.siteMailsPerHour,
  })
  await database.onDeliveryQueuedElsewhere(() => delivery.wake())
  const gate = createGate({ ...config, networksOf: createClientNetworks(secret, config.trustedProxies) })
  const checkSecret = createSecretCheck(now, sleep)
  const context = { config, database, mailer, log, gate, checkSecret, secret, now }
  const extensions = await startExtensions(parts.extensions, context)
  const backlog = watchBacklog({
    ...{ database, log, now },
    onChange: (trouble) => extensions.forEach((extension) => extension.noteMailTrouble?.(trouble)),
  })
  const maintenance = startMaintenance({ ...{ database, log, now, template, extensions }, ...config })
  const dailyCounts = startWritingDailyCounts({ database, log, tally: counts.tally })

  const committed = () => {
    delivery.yieldToSignUps()
    database.announceDeliveries()
  }
  const register = registerInGroups(parts, { template, secret, committed })
  const app = createApp(appMeans(parts, { log, counts, gate, checkSecret, extensions, register }))
  const security = securityHeaders(config.publicUrl, config.functionsUrl, parts.hashes)
  const server = await listen(app, { ...config, security, limits: parts.clientLimits })
  return {
    port: (server.address() as AddressInfo).port, // a string only for a pipe
    async stop() {
      backlog.stop()
      await Promise.all([
        stopListening(server, graceMs, parts.clientLimits),
        delivery.stop(graceMs),
        maintenance.stop(),
        ...extensions.map((extension) => extension.stop?.(graceMs)),
      ])
      await Promise.all([dailyCounts.stop(), mailer.close()])
      await database.close()
    },
  }
}

function appMeans(
  { config, database, now, pages, files, downloads, answerLocalInbox }: ServerParts,
  made: Pick<AppMeans, 'log' | 'counts' | 'gate' | 'checkSecret' | 'extensions' | 'register'>,
): AppMeans {
  return {
    ...{ pages, files, downloads, answerLocalInbox, database, now, ...made },
    anonKey: config.anonKey,
    origins: new Set([config.publicUrl, ...config.allowedOrigins]),
    hideAlreadyExists: config.hideAlreadyExists,
    noteOpened: config.keepUnopenedDays !== Infinity,
    metricsToken: config.metricsToken,
  }
}

function registerInGroups(
  { config, database, now }: ServerParts,
  { template, secret, committed }: { template: string; secret: string; committed: () => void },
) {
  const messageIdDomain = config.mailFrom.address.split('@')[1]!
  async function commit(signUps: readonly SignUp[]) {
    const resendAfterMs = config.resendAfterSeconds * 1000
    const context = { ...config, now: now(), resendAfterMs, template, messageIdDomain, secret }
    const outcomes = await database.query
      .transaction()
      .execute((transaction) => registerSignUps(transaction, signUps, context))
    committed()
    return outcomes
  }
  return groupCommits(commit, { patienceMs: database.commitTimeoutMs })
}

async function startExtensions(extensions: readonly Extension[], context: ExtensionContext) {
  const running: RunningExtension[] = []
  for (const start of extensions) {
    const extension = await start(context)
    if (extension) running.push(extension)
  }
  return running
}
