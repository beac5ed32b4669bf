import { type CleanedEnv, customCleanEnv } from 'envalid'
import { brand } from '#content/brand.ts'
import { mailApiProviders } from '../transports/mail-api-providers.ts'
import { databaseEncryption } from './database-url.ts'
import { variables } from './environment.ts'
import { isLoopback } from './loopback.ts'

export type Environment = Record<string, string | undefined>

export type Config = ReturnType<typeof configFrom>

type Values = Omit<
  CleanedEnv<typeof variables>,
  'isDevelopment' | 'isDev' | 'isTest' | 'isProduction' | 'isProd'
>

const webhookFault = 'WEBHOOK_URL or WEBHOOK_SECRET is missing: they go together'

/** The only reader of the environment. Returns a config, or all errors at once in words for the owner. */
export function readConfig(environment: Environment): { config: Config } | { faults: string[] } {
  const { values, errors } = readVariables(environment)
  const isSet = (name: keyof Values) => values[name] !== undefined || name in errors
  const faults = [
    ...Object.entries(errors).map(([name, { message }]) => `${name} ${message}`),
    ...dkimFaults(isSet),
    ...mailApiFaults(isSet),
    ...(isSet('SMTP_URL') || isSet('MAIL_API') ? [] : missingTransportFaults(values)),
    ...databaseFaults(values),
    ...(isSet('WEBHOOK_URL') === isSet('WEBHOOK_SECRET') ? [] : [webhookFault]),
  ]
  return faults.length > 0 ? { faults } : { config: configFrom(values) }
}

/** An empty variable counts as unset. The value of a variable with an error is undefined, whatever its type says. */
function readVariables(environment: Environment): { values: Values; errors: Record<string, Error> } {
  const names = Object.keys(variables)
  const given = Object.fromEntries(names.map((name) => [name, environment[name] || undefined]))
  let errors: Record<string, Error> = {}
  const reporter = (report: { errors: Record<string, Error> }) => void (errors = report.errors)
  return { values: customCleanEnv(given, variables, (values) => values, { reporter }), errors }
}

function configFrom(values: Values) {
  const production = values.NODE_ENV === 'production'
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  const mailTimeoutSeconds = values.MAIL_TIMEOUT_SECONDS ?? 30
  return {
    production,
    publicUrl, // without a slash at the end, as functionsUrl
    mailTimeoutSeconds,
    host: values.HOST,
    port: values.PORT,
    functionsUrl: values.FUNCTIONS_URL ?? `${publicUrl}/functions/v1`,
    databaseUrl: values.DATABASE_URL,
    smtpUrl: values.SMTP_URL,
    mailApi: mailApiFrom(values), // undefined, and no smtpUrl: the local inbox
    hasLocalInbox: values.SMTP_URL === undefined && values.MAIL_API === undefined,
    mailFrom: values.MAIL_FROM,
    supportEmail: values.SUPPORT_EMAIL ?? (brand.supportAddress || values.MAIL_FROM.address),
    dkim: dkimFrom(values),
    anonKey: values.ANON_KEY,
    allowedOrigins: [...values.ALLOWED_ORIGINS, ...(production ? [] : loopbackOrigins(values.PORT))],
    trustedProxies: values.TRUST_PROXY,
    signUpsPerNetworkIn10Minutes: values.LIMIT_IP_PER_10_MIN,
    signUpsPerNetworkADay: values.LIMIT_IP_PER_DAY,
    mailsPerAddressADay: values.LIMIT_ADDRESS_PER_DAY,
    siteMailsPerHour: values.LIMIT_SITE_MAILS_PER_HOUR,
    resendAfterSeconds: values.RESEND_AFTER_SECONDS,
    retrySeconds: values.MAIL_RETRY_SECONDS,
    // The wait for the final reply to a mail. A shorter one makes duplicates (RFC 5321 4.5.3.2.6).
    finalReplySeconds: production && values.MAIL_TIMEOUT_SECONDS === undefined ? 600 : mailTimeoutSeconds,
    mailConcurrency: values.MAIL_CONCURRENCY,
    hideAlreadyExists: values.HIDE_ALREADY_EXISTS === 'yes',
    keepUnopenedDays: values.KEEP_UNOPENED_DAYS,
    ownerEmail: values.OWNER_EMAIL, // undefined: the owner gets no mail
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN, // undefined: /metrics answers 404
    bounceToken: values.BOUNCE_TOKEN, // undefined: /hooks/bounces answers 404
    webhook: webhookFrom(values), // undefined: nobody is told of events
  }
}

function dkimFrom({ DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_PRIVATE_KEY_FILE: file }: Values) {
  return domain && selector && file ? { domain, selector, privateKeyFile: file } : undefined
}

function dkimFaults(isSet: (name: keyof Values) => boolean): string[] {
  const names = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY_FILE'] as const
  const missing = names.filter((name) => !isSet(name))
  if (missing.length === names.length) return []
  return missing.map((name) => `${name} is missing: the three DKIM variables go together`)
}

function mailApiFrom({ MAIL_API: provider, MAIL_API_KEY: key, MAIL_API_BASE_URL: baseUrl }: Values) {
  if (provider === undefined || key === undefined) return undefined
  return { provider, key, baseUrl: baseUrl ?? mailApiProviders[provider].baseUrl }
}

function mailApiFaults(isSet: (name: keyof Values) => boolean): string[] {
  const companions = ['MAIL_API_KEY', 'MAIL_API_BASE_URL'] as const
  if (!isSet('MAIL_API'))
    return companions.filter(isSet).map((name) => `${name} is set without MAIL_API, which names the provider`)
  return [
    ...(isSet('MAIL_API_KEY') ? [] : ['MAIL_API_KEY is missing: MAIL_API needs it']),
    ...(isSet('SMTP_URL') ? ['MAIL_API and SMTP_URL are both set: mail leaves by one of them'] : []),
  ]
}

function webhookFrom({ WEBHOOK_URL: url, WEBHOOK_SECRET: secrets }: Values) {
  return url !== undefined && secrets !== undefined ? { url, secrets } : undefined
}

/** The local inbox shows working links, so it exists only where nobody else can open it. */
function missingTransportFaults({ NODE_ENV, HOST, PUBLIC_URL }: Partial<Values>): string[] {
  if (NODE_ENV === 'production')
    return ['SMTP_URL is missing, or MAIL_API: with NODE_ENV=production there is no local inbox']
  const because = (name: string) =>
    `SMTP_URL is missing: ${name} is not a loopback address, so others could read the local inbox`
  return [
    ...(PUBLIC_URL !== undefined && !isLoopback(new URL(PUBLIC_URL).hostname) ? [because('PUBLIC_URL')] : []),
    ...(HOST !== undefined && !isLoopback(HOST) ? [because('HOST')] : []),
  ]
}

function databaseFaults({ NODE_ENV, DATABASE_URL }: Partial<Values>): string[] {
  if (NODE_ENV !== 'production' || DATABASE_URL === undefined) return []
  if (databaseEncryption(DATABASE_URL) !== 'unverified') return []
  return [
    'DATABASE_URL names a remote PostgreSQL without verified TLS: add sslmode=verify-full (or sslmode=disable, if the network is yours alone)',
  ]
}

/** In development the page may be opened by any loopback name of this machine. */
function loopbackOrigins(port: number): string[] {
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${port}`).origin)
}
