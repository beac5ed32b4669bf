import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { groupCommits } from './database/group-commits.ts'
import { migrate } from './database/migrate.ts'
import { type Database, openDatabase } from './database/open-database.ts'
import { readSecret } from './database/secret.ts'
import { clientAddress, hideNetwork } from './http/client-address.ts'
import { listen, stopListening } from './http/listen.ts'
import { securityHeaders } from './http/security-headers.ts'
import { loadKitDownloads, loadStaticFiles } from './load-static-files.ts'
import { createLog } from './log.ts'
import { createLocalInbox } from './mail/local-inbox.ts'
import { createSmtpMailer } from './mail/smtp-mailer.ts'
import { createMetrics } from './metrics.ts'
import { startDeliveryLoop } from './outbox/delivery-loop.ts'
import { keepTemplate } from './outbox/mail-templates.ts'
import { loadPages } from './pages.ts'
import { newToken } from './personal-link/personal-link.ts'
import { registerSignUps, type SignUp } from './sign-up/register-sign-ups.ts'

export interface RunningServer {
  /** Where the page, the local inbox and the data are: a few lines for the owner. */
  whereabouts: string[]
  /** Answers what is in flight, finishes or hands back what is being sent; within 10 s. */
  stop(): Promise<void>
}

const dist = join(import.meta.dirname, '..', 'dist')
const graceMs = 8_000

/** Database -> mailer -> delivery loop -> HTTP; stops in reverse. Throws what keeps it from starting. */
export async function startServer(config: Config): Promise<RunningServer> {
  const now = Date.now
  const [database, pages, files, downloads, hashes] = await Promise.all([
    openMigrated(config.databaseUrl),
    loadPages(dist, config),
    loadStaticFiles(dist, config.publicUrl),
    loadKitDownloads(dist),
    readJson('build.json'),
  ])
  const secret = await readSecret(database.query)
  const log = createLog(config.logLevel, secret, (lines) => void process.stdout.write(lines))
  const metrics = createMetrics()
  const inbox = config.smtpUrl ? undefined : createLocalInbox(inboxFolder(config.databaseUrl))
  const mailer = inbox ?? (await openSmtpMailer(config))
  const template = await keepTemplate(database.query, await starterEmailTemplate(config))

  const delivery = startDeliveryLoop({
    ...{ database, mailer, log, metrics, now, worker: newToken() },
    concurrency: config.mailConcurrency,
    retrySeconds: config.retrySeconds,
    siteMailsPerHour: config.siteMailsPerHour,
  })
  await database.onDeliveryQueuedElsewhere(delivery.wake)

  const register = groupCommits(async (signUps: readonly SignUp[]) => {
    const means = {
      ...config,
      now: now(),
      resendAfterMs: config.resendAfterSeconds * 1000,
      newToken,
      template,
    }
    const messageIdDomain = config.mailFrom.address.split('@')[1]!
    const outcomes = await database.query
      .transaction()
      .execute((transaction) => registerSignUps(transaction, signUps, { ...means, messageIdDomain }))
    delivery.wake()
    return outcomes
  })
  const app = createApp({
    ...{ register, pages, files, downloads, database, log, metrics, now },
    networkOf: (request) => hideNetwork(clientAddress(request, config.trustedProxies), secret),
    anonKey: config.anonKey,
    origins: new Set([
      config.publicUrl,
      ...config.allowedOrigins,
      ...(config.production ? [] : loopbackOrigins(config)),
    ]),
    hideAlreadyExists: config.hideAlreadyExists,
    noteOpened: config.keepUnopenedDays !== Infinity,
    security: securityHeaders(config.publicUrl, hashes),
    metricsToken: config.metricsToken,
    answerLocalInbox: inbox?.answer,
  })
  const server = await listen(app, config.host, config.port)
  return {
    whereabouts: whereabouts(config),
    async stop() {
      await Promise.all([stopListening(server, graceMs), delivery.stop(graceMs)])
      await mailer.close()
      await database.close()
    },
  }
}

async function openMigrated(url: string): Promise<Database> {
  const database = await openDatabase(url)
  await migrate(database)
  return database
}

async function openSmtpMailer({
  smtpUrl = '',
  mailConcurrency,
  mailTimeoutSeconds,
  finalReplySeconds,
  dkim,
}: Config) {
  return createSmtpMailer({
    url: smtpUrl,
    concurrency: mailConcurrency,
    timeoutMs: mailTimeoutSeconds * 1000,
    finalReplyTimeoutMs: finalReplySeconds * 1000,
    dkim: dkim && { ...dkim, privateKey: await readFile(dkim.privateKeyFile, 'utf8') },
  })
}

async function starterEmailTemplate({ mailFrom, supportEmail, publicUrl }: Config) {
  const { subject, html, text } = await readJson('email/starter-email.json')
  return {
    subject,
    html,
    text,
    from: `${mailFrom.name} <${mailFrom.address}>`,
    replyTo: supportEmail,
    publicUrl,
  }
}

/** What the build wrote, in the form its reader expects. */
async function readJson(path: string) {
  return JSON.parse(await readFile(join(dist, path), 'utf8'))
}

/** In development the page may be opened by any of this machine's names. */
function loopbackOrigins({ port }: Config): string[] {
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`)
}

function inboxFolder(databaseUrl: string): string {
  return databaseUrl.startsWith('file:')
    ? join(dirname(databaseUrl.slice('file:'.length)), 'inbox')
    : 'data/inbox'
}

function whereabouts({ publicUrl, smtpUrl, databaseUrl }: Config): string[] {
  const data = databaseUrl.startsWith('file:')
    ? resolve(databaseUrl.slice('file:'.length))
    : new URL(databaseUrl).host
  return [
    `Page    ${publicUrl}`,
    smtpUrl ? `Mail    goes to ${new URL(smtpUrl).host}` : `Inbox   ${publicUrl}/dev/inbox`,
    `Data    ${data}`,
  ]
}
