import { brand } from '#content/brand.ts'
import { databaseEncryption } from './database-url.ts'
import { isLoopback } from './loopback.ts'
import { mailApiBaseUrls, type MailApiName, mailApiNames } from './mail-apis.ts'
import { misspeltVariables } from './misspelt.ts'
import * as value from './parse-values.ts'

export type Environment = Record<string, string | undefined>

/** Every setting of the product. Names of the variables and defaults: `.env.example`. */
export interface Config extends NetworkConfig, LimitConfig, MailConfig {
  /** No local inbox, and a longer wait for the last reply of the relay. */
  production: boolean
  /** `file:PATH` or `postgres://…`. */
  databaseUrl: string
  /** A repeated sign-up is answered like a new one. */
  hideAlreadyExists: boolean
  /** If it is undefined, nobody has taken the desk yet, and the owner gets no mail. */
  ownerEmail: string | undefined
  logLevel: LogLevel
  /** If it is undefined, /metrics answers 404. */
  metricsToken: string | undefined
  /** If it is undefined, /hooks/bounces answers 404. */
  bounceToken: string | undefined
  /** If it is undefined, no program gets events. */
  webhook: WebhookConfig | undefined
  /** The names of the variables that are set, as far as the product knows them. */
  variablesSet: ReadonlySet<string>
}

export interface NetworkConfig {
  host: string
  port: number
  /** The origin of links in mails, without a slash at the end. */
  publicUrl: string
  /** The URL that the page calls, without the function's name and without a slash at the end. */
  functionsUrl: string
  /** The public credential of the page's client. */
  anonKey: string
  /** Further origins whose scripts may call the function. */
  allowedOrigins: readonly string[]
  /** Hops of `X-Forwarded-For` to believe. */
  trustedProxies: number
}

/** Infinity turns a limit off. */
export interface LimitConfig {
  signUpsPerNetworkIn10Minutes: number
  signUpsPerNetworkADay: number
  mailsPerAddressADay: number
  siteMailsPerHour: number
  /** A repeated sign-up gets the mail again after this wait. */
  resendAfterSeconds: number
}

export interface MailConfig {
  /**
   * Without it and without mailApi, mail goes to the local inbox, or waits for a service.
   */
  smtpUrl: string | undefined
  mailApi: MailApiConfig | undefined
  hasLocalInbox: boolean
  mailFrom: { name: string; address: string }
  /** The domain of mailFrom, and the right side of Message-IDs. */
  senderDomain: string
  supportEmail: string
  /** If it is undefined, the relay signs. */
  dkim: DkimConfig | undefined
  /** Parallel sends. */
  mailConcurrency: number
  /** Waits between tries; after the last the delivery has failed. */
  retrySeconds: readonly number[]
  /** For one mail, but for the last reply to it. */
  mailTimeoutSeconds: number
  /** For the last reply to a mail. A shorter wait makes duplicates (RFC 5321 4.5.3.2.6). */
  finalReplySeconds: number
}

export interface MailApiConfig {
  provider: MailApiName
  key: string
  /** Without a slash at the end. */
  baseUrl: string
}

export interface DkimConfig {
  domain: string
  selector: string
  privateKeyFile: string
  /** The content of the file, in PEM. */
  privateKey: string
}

export interface WebhookConfig {
  url: string
  /** Several while one is replaced by another. */
  secrets: readonly string[]
  /** The people whose address an event tells. */
  people: 'consented' | 'everyone'
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
/** The least grave first. */
export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

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
  const read: Read = (name, parse) => {
    known.add(name)
    if (!isSet(name)) return undefined
    try {
      return parse(environment[name]!)
    } catch (fault) {
      if (!(fault instanceof value.ValueError)) throw fault
      faults.push(`${name} ${fault.message}`)
      return undefined
    }
  }
  const settings = readSettings(read)
  const config: Config = { ...settings, variablesSet: new Set([...known].filter(isSet)) }
  faults.push(...faultsBetween(config, isSet))
  const hints = misspeltVariables(Object.keys(environment), known)
  return faults.length > 0 ? { faults: [...faults, ...hints] } : { config, hints }
}

type Read = <Value>(name: string, parse: (value: string) => Value) => Value | undefined

/** Every variable of the product. The public interface: names and defaults stay as they are. */
function readSettings(read: Read): Omit<Config, 'variablesSet'> {
  const production =
    read('NODE_ENV', value.oneOf(['production', 'development', 'test'])) === 'production'
  const network = readNetwork(read)
  const mail = readMail(read, production)
  return {
    ...network,
    ...readLimits(read),
    ...mail,
    production,
    hasLocalInbox: usesLocalInbox({ ...network, ...mail, production }),
    databaseUrl: read('DATABASE_URL', value.databaseUrl) ?? 'file:data/starter-bot.db',
    hideAlreadyExists: read('HIDE_ALREADY_EXISTS', value.oneOf(['yes', 'no'])) === 'yes',
    ownerEmail: read('OWNER_EMAIL', value.address),
    logLevel: read('LOG_LEVEL', value.oneOf(logLevels)) ?? 'info',
    metricsToken: read('METRICS_TOKEN', value.token),
    bounceToken: read('BOUNCE_TOKEN', value.token),
    webhook: readWebhook(read),
  }
}

function readNetwork(read: Read): NetworkConfig {
  const port = read('PORT', value.wholeNumber(1, 65_535)) ?? 3000
  const publicUrl = read('PUBLIC_URL', value.origin) ?? `http://localhost:${port}`
  return {
    host: read('HOST', value.text) ?? 'localhost',
    port,
    publicUrl,
    functionsUrl: read('FUNCTIONS_URL', value.functionsUrl) ?? `${publicUrl}/functions/v1`,
    anonKey: read('ANON_KEY', value.apiKey) ?? 'starter-bot-development-key',
    allowedOrigins: read('ALLOWED_ORIGINS', value.origins) ?? [],
    trustedProxies: read('TRUST_PROXY', value.wholeNumber(0, 10)) ?? 0,
  }
}

function readLimits(read: Read): LimitConfig {
  return {
    signUpsPerNetworkIn10Minutes: read('LIMIT_IP_PER_10_MIN', value.limit) ?? 20,
    signUpsPerNetworkADay: read('LIMIT_IP_PER_DAY', value.limit) ?? 200,
    mailsPerAddressADay: read('LIMIT_ADDRESS_PER_DAY', value.limit) ?? 3,
    siteMailsPerHour: read('LIMIT_SITE_MAILS_PER_HOUR', value.limit) ?? 600,
    resendAfterSeconds: read('RESEND_AFTER_SECONDS', value.wholeNumber(0, 31_536_000)) ?? 300,
  }
}

const defaultRetrySeconds = [60, 300, 1800, 7200, 21_600, 86_400]

function readMail(read: Read, production: boolean): Omit<MailConfig, 'hasLocalInbox'> {
  const smtpUrl = read('SMTP_URL', value.smtpUrl)
  const mailApi = readMailApi(read)
  const mailFrom = read('MAIL_FROM', value.mailbox) ?? {
    name: brand.name,
    address: 'starter@localhost',
  }
  const timeoutSeconds = read('MAIL_TIMEOUT_SECONDS', value.wholeNumber(1, 3600))
  return {
    smtpUrl,
    mailApi,
    mailFrom,
    senderDomain: mailFrom.address.split('@')[1]!.toLowerCase(),
    supportEmail: read('SUPPORT_EMAIL', value.address) ?? mailFrom.address,
    dkim: readDkim(read),
    mailConcurrency: read('MAIL_CONCURRENCY', value.wholeNumber(1, 100)) ?? 4,
    retrySeconds: read('MAIL_RETRY_SECONDS', value.seconds) ?? defaultRetrySeconds,
    mailTimeoutSeconds: timeoutSeconds ?? 30,
    finalReplySeconds: timeoutSeconds ?? (production ? 600 : 30),
  }
}

function readMailApi(read: Read): MailApiConfig | undefined {
  const provider = read('MAIL_API', value.oneOf(mailApiNames))
  const key = read('MAIL_API_KEY', value.apiKey)
  const baseUrl = read('MAIL_API_BASE_URL', value.apiUrl)
  if (provider === undefined || key === undefined) return undefined
  return { provider, key, baseUrl: baseUrl ?? mailApiBaseUrls[provider] }
}

function readDkim(read: Read): DkimConfig | undefined {
  const domain = read('DKIM_DOMAIN', value.text)
  const selector = read('DKIM_SELECTOR', value.text)
  const key = read('DKIM_PRIVATE_KEY_FILE', value.rsaKeyFile)
  if (domain === undefined || selector === undefined || key === undefined) return undefined
  return { domain, selector, ...key }
}

const webhookPeople: readonly WebhookConfig['people'][] = ['consented', 'everyone']

function readWebhook(read: Read): WebhookConfig | undefined {
  const url = read('WEBHOOK_URL', value.webhookUrl)
  const secrets = read('WEBHOOK_SECRET', value.webhookSecrets)
  const people = read('WEBHOOK_PEOPLE', value.oneOf(webhookPeople)) ?? 'consented'
  if (url === undefined || secrets === undefined) return undefined
  return { url, secrets, people }
}

type IsSet = (name: string) => boolean

/** Errors of several variables together. */
function faultsBetween(config: Config, isSet: IsSet): string[] {
  const faults = [...dkimFaults(isSet), ...mailServiceFaults(isSet)]
  if (config.production && databaseEncryption(config.databaseUrl) === 'unverified') {
    faults.push(
      'DATABASE_URL names a remote PostgreSQL without verified TLS: add sslmode=verify-full ' +
        '(or sslmode=disable, if the network is yours alone)',
    )
  }
  if (isSet('WEBHOOK_URL') !== isSet('WEBHOOK_SECRET')) {
    faults.push('WEBHOOK_URL or WEBHOOK_SECRET is missing: they go together')
  }
  return faults
}

function dkimFaults(isSet: IsSet): string[] {
  const names = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY_FILE']
  if (!names.some(isSet)) return []
  const missing = names.filter((name) => !isSet(name))
  return missing.map((name) => `${name} is missing: the three DKIM variables go together`)
}

function mailServiceFaults(isSet: IsSet): string[] {
  const isApi = isSet('MAIL_API')
  const faults: string[] = []
  for (const name of ['MAIL_API_KEY', 'MAIL_API_BASE_URL']) {
    if (isSet(name) && !isApi) {
      faults.push(`${name} is set without MAIL_API, which names the provider`)
    }
  }
  if (isApi && !isSet('MAIL_API_KEY')) {
    faults.push('MAIL_API_KEY is missing: MAIL_API needs it')
  }
  if (isApi && isSet('SMTP_URL')) {
    faults.push('MAIL_API and SMTP_URL are both set: mail leaves by one of them')
  }
  return faults
}

/**
 * The local inbox shows working links, so it exists only where nobody else can open it. Without it
 * and without a service, mail waits.
 */
export function usesLocalInbox({
  production,
  smtpUrl,
  mailApi,
  publicUrl,
  host,
}: Pick<Config, 'production' | 'smtpUrl' | 'mailApi' | 'publicUrl' | 'host'>): boolean {
  const hasService = smtpUrl !== undefined || mailApi !== undefined
  const isOpenedHere = isLoopback(new URL(publicUrl).hostname) && isLoopback(host)
  return !production && !hasService && isOpenedHere
}

/** False: mail waits until a service is set up. */
export function canSend({
  hasLocalInbox,
  smtpUrl,
  mailApi,
}: Pick<Config, 'hasLocalInbox' | 'smtpUrl' | 'mailApi'>): boolean {
  return hasLocalInbox || smtpUrl !== undefined || mailApi !== undefined
}
