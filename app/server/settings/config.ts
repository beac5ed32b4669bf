import { z } from 'zod'
import { brand } from '#content/brand.ts'
import { databaseEncryption } from './database-url.ts'
import { isLoopback } from './hosts.ts'
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
  /** The variables that are set, as far as the product knows them. */
  source: Environment
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

/** `hints`: variables that are probably misspelt. */
export type ReadSettings = { config: Config; hints: string[] } | { faults: string[] }

const webhookPeople: readonly WebhookConfig['people'][] = ['consented', 'everyone']

/** Every variable of the product. The public interface: names and defaults stay as they are. */
const variables = z
  .object({
    NODE_ENV: value.oneOf(['production', 'development', 'test']),
    HOST: value.text,
    PORT: value.wholeNumber(1, 65_535),
    PUBLIC_URL: value.origin,
    FUNCTIONS_URL: value.functionsUrl,
    ANON_KEY: value.apiKey,
    ALLOWED_ORIGINS: value.origins,
    TRUST_PROXY: value.wholeNumber(0, 10),
    LIMIT_IP_PER_10_MIN: value.limit,
    LIMIT_IP_PER_DAY: value.limit,
    LIMIT_ADDRESS_PER_DAY: value.limit,
    LIMIT_SITE_MAILS_PER_HOUR: value.limit,
    RESEND_AFTER_SECONDS: value.wholeNumber(0, 31_536_000),
    SMTP_URL: value.smtpUrl,
    MAIL_API: value.oneOf(mailApiNames),
    MAIL_API_KEY: value.apiKey,
    MAIL_API_BASE_URL: value.apiUrl,
    MAIL_FROM: value.mailbox,
    SUPPORT_EMAIL: value.address,
    MAIL_TIMEOUT_SECONDS: value.wholeNumber(1, 3600),
    MAIL_CONCURRENCY: value.wholeNumber(1, 100),
    MAIL_RETRY_SECONDS: value.seconds,
    DKIM_DOMAIN: value.text,
    DKIM_SELECTOR: value.text,
    DKIM_PRIVATE_KEY_FILE: value.rsaKeyFile,
    DATABASE_URL: value.databaseUrl,
    HIDE_ALREADY_EXISTS: value.oneOf(['yes', 'no']),
    OWNER_EMAIL: value.address,
    LOG_LEVEL: value.oneOf(['debug', 'info', 'warn', 'error']),
    METRICS_TOKEN: value.token,
    BOUNCE_TOKEN: value.token,
    WEBHOOK_URL: value.webhookUrl,
    WEBHOOK_SECRET: value.webhookSecrets,
    WEBHOOK_PEOPLE: value.oneOf(webhookPeople),
  })
  .partial()

type Values = z.output<typeof variables>

const variableNames = Object.keys(variables.shape)

/**
 * The only reader of the environment. Returns the settings, or all errors at once in words for the
 * owner. Also called for what the desk stored, which has the same names.
 */
export function readSettings(environment: Environment): ReadSettings {
  // An empty variable counts as unset.
  const set = variableNames.flatMap((name): [string, string][] => {
    const written = environment[name]
    return written ? [[name, written]] : []
  })
  const source = Object.fromEntries(set)
  const read = variables.safeParse(source)
  const hints = misspeltVariables(Object.keys(environment), new Set(variableNames))
  const faults = [
    ...(read.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}`),
    ...faultsBetween(source),
  ]
  if (!read.success || faults.length > 0) return { faults: [...faults, ...hints] }
  return { config: configFrom(read.data, source), hints }
}

function configFrom(values: Values, source: Environment): Config {
  const production = values.NODE_ENV === 'production'
  const network = networkFrom(values)
  const mail = mailFrom(values, production)
  return {
    ...network,
    ...limitsFrom(values),
    ...mail,
    production,
    hasLocalInbox: usesLocalInbox({ ...network, ...mail, production }),
    databaseUrl: values.DATABASE_URL ?? 'file:data/starter-bot.db',
    hideAlreadyExists: values.HIDE_ALREADY_EXISTS === 'yes',
    ownerEmail: values.OWNER_EMAIL,
    logLevel: values.LOG_LEVEL ?? 'info',
    metricsToken: values.METRICS_TOKEN,
    bounceToken: values.BOUNCE_TOKEN,
    webhook: webhookFrom(values),
    source,
  }
}

function networkFrom(values: Values): NetworkConfig {
  const port = values.PORT ?? 3000
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${port}`
  return {
    host: values.HOST ?? 'localhost',
    port,
    publicUrl,
    functionsUrl: values.FUNCTIONS_URL ?? `${publicUrl}/functions/v1`,
    anonKey: values.ANON_KEY ?? 'starter-bot-development-key',
    allowedOrigins: values.ALLOWED_ORIGINS ?? [],
    trustedProxies: values.TRUST_PROXY ?? 0,
  }
}

function limitsFrom(values: Values): LimitConfig {
  return {
    signUpsPerNetworkIn10Minutes: values.LIMIT_IP_PER_10_MIN ?? 20,
    signUpsPerNetworkADay: values.LIMIT_IP_PER_DAY ?? 200,
    mailsPerAddressADay: values.LIMIT_ADDRESS_PER_DAY ?? 3,
    siteMailsPerHour: values.LIMIT_SITE_MAILS_PER_HOUR ?? 600,
    resendAfterSeconds: values.RESEND_AFTER_SECONDS ?? 300,
  }
}

const defaultRetrySeconds = [60, 300, 1800, 7200, 21_600, 86_400]

function mailFrom(values: Values, production: boolean): Omit<MailConfig, 'hasLocalInbox'> {
  const sender = values.MAIL_FROM ?? { name: brand.name, address: 'starter@localhost' }
  const timeoutSeconds = values.MAIL_TIMEOUT_SECONDS
  return {
    smtpUrl: values.SMTP_URL,
    mailApi: mailApiFrom(values),
    mailFrom: sender,
    senderDomain: sender.address.split('@')[1]!.toLowerCase(),
    supportEmail: values.SUPPORT_EMAIL ?? sender.address,
    dkim: dkimFrom(values),
    mailConcurrency: values.MAIL_CONCURRENCY ?? 4,
    retrySeconds: values.MAIL_RETRY_SECONDS ?? defaultRetrySeconds,
    mailTimeoutSeconds: timeoutSeconds ?? 30,
    finalReplySeconds: timeoutSeconds ?? (production ? 600 : 30),
  }
}

function mailApiFrom(values: Values): MailApiConfig | undefined {
  const { MAIL_API: provider, MAIL_API_KEY: key, MAIL_API_BASE_URL: baseUrl } = values
  if (provider === undefined || key === undefined) return undefined
  return { provider, key, baseUrl: baseUrl ?? mailApiBaseUrls[provider] }
}

function dkimFrom(values: Values): DkimConfig | undefined {
  const { DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_PRIVATE_KEY_FILE: key } = values
  if (domain === undefined || selector === undefined || key === undefined) return undefined
  return { domain, selector, ...key }
}

function webhookFrom(values: Values): WebhookConfig | undefined {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets, WEBHOOK_PEOPLE: people } = values
  if (url === undefined || secrets === undefined) return undefined
  return { url, secrets, people: people ?? 'consented' }
}

type IsSet = (name: string) => boolean

/** Errors of several variables together. */
function faultsBetween({ NODE_ENV, DATABASE_URL = '', ...others }: Environment): string[] {
  const isSet: IsSet = (name) => others[name] !== undefined
  const faults = [...dkimFaults(isSet), ...mailServiceFaults(isSet)]
  if (NODE_ENV === 'production' && databaseEncryption(DATABASE_URL) === 'unverified') {
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
function usesLocalInbox({
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
