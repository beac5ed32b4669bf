import { brand } from '#content/brand.ts'
import { logLevels } from '../log.ts'
import { mailApiNames, mailApiProviders } from '../transports/mail-api-providers.ts'
import { databaseEncryption } from './database-url.ts'
import { isLoopback } from './loopback.ts'
import { misspeltVariables } from './misspelt.ts'
import * as value from './parse-values.ts'

export type Environment = Record<string, string | undefined>

export type Config = ReturnType<typeof configFrom>

/** `hints`: variables that are probably misspelt. */
export type ReadConfig = { config: Config; hints: string[] } | { faults: string[] }

/**
 * The only reader of the environment. Returns a config, or all errors at once in words for the
 * owner.
 */
export function readConfig(environment: Environment): ReadConfig {
  const faults: string[] = []
  const known = new Set<string>()
  const isSet = (name: string) => Boolean(environment[name]) // an empty variable counts as unset
  const config = configFrom((name, parse) => {
    known.add(name)
    if (!isSet(name)) return undefined
    try {
      return parse(environment[name]!)
    } catch (fault) {
      if (!(fault instanceof value.ValueError)) throw fault
      faults.push(`${name} ${fault.message}`)
      return undefined
    }
  })
  faults.push(...faultsBetween(config, isSet))
  const hints = misspeltVariables(Object.keys(environment), known)
  return faults.length > 0 ? { faults: [...faults, ...hints] } : { config, hints }
}

type Read = <Value>(name: string, parse: (value: string) => Value) => Value | undefined

/** Every variable of the product. The public interface: names and defaults stay as they are. */
function configFrom(read: Read) {
  const production =
    read('NODE_ENV', value.oneOf(['production', 'development', 'test'])) === 'production'
  const port = read('PORT', value.wholeNumber(1, 65_535)) ?? 3000
  const publicUrl = read('PUBLIC_URL', value.origin) ?? `http://localhost:${port}`
  const smtpUrl = read('SMTP_URL', value.smtpUrl)
  const mailApi = readMailApi(read)
  const mailFrom = read('MAIL_FROM', value.mailbox) ?? {
    name: brand.name,
    address: 'starter@localhost',
  }
  return {
    ...readLimits(read),
    ...readMailTimes(read, production),
    production,
    port,
    publicUrl, // without a slash at the end, as functionsUrl
    smtpUrl,
    mailApi, // undefined, and no smtpUrl: the local inbox
    mailFrom,
    senderDomain: mailFrom.address.split('@')[1]!.toLowerCase(),
    host: read('HOST', value.text) ?? 'localhost',
    functionsUrl: read('FUNCTIONS_URL', value.functionsUrl) ?? `${publicUrl}/functions/v1`,
    databaseUrl: read('DATABASE_URL', value.databaseUrl) ?? 'file:data/starter-bot.db',
    hasLocalInbox: smtpUrl === undefined && mailApi === undefined,
    supportEmail:
      read('SUPPORT_EMAIL', value.address) ?? (brand.supportAddress || mailFrom.address),
    dkim: readDkim(read),
    anonKey: read('ANON_KEY', value.apiKey) ?? 'starter-bot-development-key',
    allowedOrigins: read('ALLOWED_ORIGINS', value.origins) ?? [],
    trustedProxies: read('TRUST_PROXY', value.wholeNumber(0, 10)) ?? 0,
    mailConcurrency: read('MAIL_CONCURRENCY', value.wholeNumber(1, 100)) ?? 4,
    hideAlreadyExists: read('HIDE_ALREADY_EXISTS', value.oneOf(['yes', 'no'])) === 'yes',
    ownerEmail: read('OWNER_EMAIL', value.address), // undefined: the owner gets no mail
    logLevel: read('LOG_LEVEL', value.oneOf(logLevels)) ?? 'info',
    metricsToken: read('METRICS_TOKEN', value.token), // undefined: /metrics answers 404
    bounceToken: read('BOUNCE_TOKEN', value.token), // undefined: /hooks/bounces answers 404
    webhook: readWebhook(read), // undefined: no program gets events
  }
}

function readLimits(read: Read) {
  return {
    signUpsPerNetworkIn10Minutes: read('LIMIT_IP_PER_10_MIN', value.limit) ?? 20,
    signUpsPerNetworkADay: read('LIMIT_IP_PER_DAY', value.limit) ?? 200,
    mailsPerAddressADay: read('LIMIT_ADDRESS_PER_DAY', value.limit) ?? 3,
    siteMailsPerHour: read('LIMIT_SITE_MAILS_PER_HOUR', value.limit) ?? 600,
    resendAfterSeconds: read('RESEND_AFTER_SECONDS', value.wholeNumber(0, 31_536_000)) ?? 900,
  }
}

function readMailTimes(read: Read, production: boolean) {
  const timeout = read('MAIL_TIMEOUT_SECONDS', value.wholeNumber(1, 3600))
  return {
    retrySeconds: read('MAIL_RETRY_SECONDS', value.seconds) ?? [
      60, 300, 1800, 7200, 21_600, 86_400,
    ],
    mailTimeoutSeconds: timeout ?? 30,
    // The wait for the final reply to a mail. A shorter one makes duplicates (RFC 5321 4.5.3.2.6).
    finalReplySeconds: timeout ?? (production ? 600 : 30),
  }
}

function readMailApi(read: Read) {
  const provider = read('MAIL_API', value.oneOf(mailApiNames))
  const key = read('MAIL_API_KEY', value.apiKey)
  const baseUrl = read('MAIL_API_BASE_URL', value.apiUrl)
  if (provider === undefined || key === undefined) return undefined
  return { provider, key, baseUrl: baseUrl ?? mailApiProviders[provider].baseUrl }
}

function readDkim(read: Read) {
  const domain = read('DKIM_DOMAIN', value.text)
  const selector = read('DKIM_SELECTOR', value.text)
  const key = read('DKIM_PRIVATE_KEY_FILE', value.rsaKeyFile)
  return domain && selector && key ? { domain, selector, ...key } : undefined
}

function readWebhook(read: Read) {
  const url = read('WEBHOOK_URL', value.webhookUrl)
  const secrets = read('WEBHOOK_SECRET', value.webhookSecrets)
  const people = read('WEBHOOK_PEOPLE', value.oneOf(['consented', 'everyone'])) ?? 'consented'
  return url && secrets ? { url, secrets, people } : undefined
}

/** Errors of several variables together. */
function faultsBetween(config: Config, isSet: (name: string) => boolean): string[] {
  const { production, publicUrl, host } = config
  const dkim = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY_FILE']
  const missing = dkim.some(isSet) ? dkim.filter((name) => !isSet(name)) : []
  const isApi = isSet('MAIL_API')
  // The local inbox shows working links, so it exists only where nobody else can open it.
  const isInbox = !isApi && !isSet('SMTP_URL')
  const opened = [
    ...(isLoopback(new URL(publicUrl).hostname) ? [] : ['PUBLIC_URL']),
    ...(isLoopback(host) ? [] : ['HOST']),
  ]
  const faults = [
    ...missing.map((name) => `${name} is missing: the three DKIM variables go together`),
    ...['MAIL_API_KEY', 'MAIL_API_BASE_URL'].map(
      (name) =>
        isSet(name) && !isApi && `${name} is set without MAIL_API, which names the provider`,
    ),
    isApi && !isSet('MAIL_API_KEY') && 'MAIL_API_KEY is missing: MAIL_API needs it',
    isApi && isSet('SMTP_URL') && 'MAIL_API and SMTP_URL are both set: mail leaves by one of them',
    isInbox &&
      production &&
      'SMTP_URL is missing, or MAIL_API: with NODE_ENV=production there is no local inbox',
    ...opened.map(
      (name) =>
        isInbox &&
        !production &&
        `SMTP_URL is missing: ${name} is not a loopback address, so others could read the local inbox`,
    ),
    production &&
      databaseEncryption(config.databaseUrl) === 'unverified' &&
      'DATABASE_URL names a remote PostgreSQL without verified TLS: add sslmode=verify-full (or sslmode=disable, if the network is yours alone)',
    isSet('WEBHOOK_URL') !== isSet('WEBHOOK_SECRET') &&
      'WEBHOOK_URL or WEBHOOK_SECRET is missing: they go together',
  ]
  return faults.filter((fault) => fault !== false)
}
