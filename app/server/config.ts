import { brand } from '#content/brand.ts'
import { type Environment, EnvironmentReader } from './environment-reader.ts'
import { type LogLevel, logLevels } from './log.ts'

export interface Config {
  production: boolean
  host: string
  port: number
  /** Origin without a slash at its end. */
  publicUrl: string
  databaseUrl: string
  /** Undefined: the local inbox. */
  smtpUrl: string | undefined
  mailFrom: { name: string; address: string }
  supportEmail: string
  dkim: { domain: string; selector: string; privateKeyFile: string } | undefined
  anonKey: string
  /** Besides `publicUrl`. */
  allowedOrigins: string[]
  trustedProxies: number
  signUpsPerNetworkIn10Minutes: number
  mailsPerAddressADay: number
  siteMailsPerHour: number
  resendAfterSeconds: number
  retrySeconds: number[]
  mailTimeoutSeconds: number
  /** For the last reply to a mail's data: a shorter wait makes duplicates (RFC 5321 4.5.3.2.6). */
  finalReplySeconds: number
  mailConcurrency: number
  hideAlreadyExists: boolean
  keepUnopenedDays: number
  /** Undefined: the owner gets no mail. */
  ownerEmail: string | undefined
  logLevel: LogLevel
  /** Undefined: /metrics answers 404. */
  metricsToken: string | undefined
  /** Undefined: /hooks/bounces answers 404. */
  bounceToken: string | undefined
}

/** Reads the environment, the only place that does. Either a config or every fault in it, in words for the owner. */
export function readConfig(environment: Environment): { config: Config } | { faults: string[] } {
  const read = new EnvironmentReader(environment)
  const production = environment['NODE_ENV'] === 'production'
  const port = read.wholeNumber('PORT', 3000, 1, 65535)
  const mailFrom = read.mailbox('MAIL_FROM', { name: brand.name, address: 'starter@localhost' })
  const timeout = read.wholeNumber('MAIL_TIMEOUT_SECONDS', 30, 1, 3600)
  const config: Config = {
    production,
    host: read.text('HOST', 'localhost'),
    port,
    publicUrl: read.origin('PUBLIC_URL', `http://localhost:${port}`),
    databaseUrl: read.matching(
      'DATABASE_URL',
      'file:data/starter-bot.db',
      /^(?:file:.|postgres(?:ql)?:\/\/.)/,
      'file:PATH or postgres://…',
    ),
    smtpUrl: read.matching(
      'SMTP_URL',
      undefined,
      /^smtps?:\/\/./,
      'smtp://user:password@host:587 or smtps://…',
    ),
    mailFrom,
    supportEmail: read.address('SUPPORT_EMAIL', brand.supportAddress || mailFrom.address),
    dkim: read.dkim(),
    anonKey: read.text('ANON_KEY', 'starter-bot-development-key'),
    allowedOrigins: [
      ...read.list('ALLOWED_ORIGINS').map((origin) => read.asOrigin('ALLOWED_ORIGINS', origin)),
      ...(production ? [] : loopbackOrigins(port)),
    ],
    trustedProxies: read.wholeNumber('TRUST_PROXY', 0, 0, 10),
    signUpsPerNetworkIn10Minutes: read.limit('LIMIT_IP_PER_10_MIN', 20),
    mailsPerAddressADay: read.limit('LIMIT_ADDRESS_PER_DAY', 3),
    siteMailsPerHour: read.limit('LIMIT_SITE_MAILS_PER_HOUR', 600),
    resendAfterSeconds: read.wholeNumber('RESEND_AFTER_SECONDS', 900, 0, 31_536_000),
    retrySeconds: read.waits('MAIL_RETRY_SECONDS', '60,300,1800,7200,21600,86400'),
    mailTimeoutSeconds: timeout,
    finalReplySeconds: production && read.isUnset('MAIL_TIMEOUT_SECONDS') ? 600 : timeout,
    mailConcurrency: read.wholeNumber('MAIL_CONCURRENCY', 4, 1, 100),
    hideAlreadyExists: read.oneOf('HIDE_ALREADY_EXISTS', 'no', ['yes', 'no']) === 'yes',
    keepUnopenedDays: read.limit('KEEP_UNOPENED_DAYS', Infinity),
    ownerEmail: read.address('OWNER_EMAIL', undefined),
    logLevel: read.oneOf('LOG_LEVEL', 'info', logLevels),
    metricsToken: environment['METRICS_TOKEN'] || undefined,
    bounceToken: environment['BOUNCE_TOKEN'] || undefined,
  }
  if (production && !config.smtpUrl)
    read.fault('SMTP_URL', 'is missing: with NODE_ENV=production there is no local inbox')
  return read.faults.length > 0 ? { faults: read.faults } : { config }
}

/** In development the page may be opened by any of this machine's names. */
function loopbackOrigins(port: number): string[] {
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${port}`).origin)
}
