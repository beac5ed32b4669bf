import { existsSync } from 'node:fs'
import { EnvError, makeExactValidator } from 'envalid'
import { brand } from '#content/brand.ts'
import { parseEmailAddress } from '#contract/email-address.ts'
import { logLevels } from '../log.ts'
import { mailApiNames } from '../transports/mail-api-providers.ts'
import { serverUrls } from './database-url.ts'
import { isLoopback } from './loopback.ts'

const minTokenLength = 22 // 128 bits in base64url

const text = makeExactValidator<string>((value) => value)

/** Neither a token nor a URL that may hold a password is repeated in a message. */
const token = makeExactValidator<string>((value) => {
  if (value.length < minTokenLength)
    throw new EnvError(`must have at least ${minTokenLength} characters (openssl rand -hex 24 makes one)`)
  return value
})

const databaseUrl = makeExactValidator<string>((value) => {
  if (/^file:./.test(value) || serverUrls(value).length > 0) return value
  throw new EnvError('must have the form file:PATH or postgres://…')
})
const smtpUrl = urlWith(/^smtps?:\/\/./, 'smtp://user:password@host:587 or smtps://…')

/** Never repeated in a message. It becomes a header of a request. */
const key = makeExactValidator<string>((value) => {
  if (/^[!-~]+$/.test(value)) return value
  throw new EnvError('must be the key alone, without spaces')
})

/** The key travels with every mail. */
const apiUrl = makeExactValidator<string>((value) => {
  const url = URL.parse(value)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url && isSafe && !url.username && !url.password && !/[?#]/.test(value))
    return url.href.replace(/\/+$/, '')
  throw new EnvError(
    'must be an https:// URL without user, query or fragment (http:// only for this machine)',
  )
})

/** Never repeated in a message, because its path can be a secret. It may be in a private network, so http:// is allowed. */
const webhookUrl = makeExactValidator<string>((value) => {
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href
  throw new EnvError('must be an http:// or https:// URL without user and password')
})

/** Secrets as Standard Webhooks 1.0.0 writes them: 24 to 64 bytes. Several while one is replaced by another. */
const webhookSecrets = makeExactValidator<string[]>((value) => {
  const secrets = value.split(/[\s,]+/).filter((one) => one !== '')
  const isValid = (one: string) => {
    const bytes = Buffer.from(one.replace(/^whsec_/, ''), 'base64').length
    return /^whsec_[A-Za-z\d+/]+={0,2}$/.test(one) && bytes >= 24 && bytes <= 64
  }
  if (secrets.length > 0 && secrets.every(isValid)) return secrets
  throw new EnvError(
    'must be whsec_ and 24 to 64 bytes in base64 (echo whsec_$(openssl rand -base64 32) makes one)',
  )
})

/** A whole number above zero, or "off" for no limit. */
const limit = makeExactValidator<number>((value) => {
  if (value === 'off') return Infinity
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new EnvError(`must be a whole number above zero or "off", not "${value}"`)
})

const waits = makeExactValidator<number[]>((value) => {
  if (/^\d{1,8}(?:,\d{1,8})*$/.test(value)) return value.split(',').map(Number)
  throw new EnvError(`must be whole seconds separated by commas, not "${value}"`)
})

const origin = makeExactValidator<string>(parseOrigin)

const origins = makeExactValidator<string[]>((value) =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(parseOrigin),
)

const functionsUrl = makeExactValidator<string>((value) => {
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !/[?#]/.test(value))
    return url.href.replace(/\/+$/, '')
  throw new EnvError(`must be a URL such as https://example.com/functions/v1, not "${value}"`)
})

const address = makeExactValidator<string>((value) => {
  if (isMailAddress(value)) return value
  throw new EnvError(`must be an email address, not "${value}"`)
})

/** `Name <address>` or the address alone. */
const mailbox = makeExactValidator<{ name: string; address: string }>((value) => {
  const [, name = '', mailAddress = value] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(value) ?? []
  // oxlint-disable-next-line no-control-regex -- a line break here would inject a header
  if (isMailAddress(mailAddress) && !/[\0-\x1f]/.test(name)) return { name, address: mailAddress }
  throw new EnvError(`must have the form Name <address>, not "${value}"`)
})

const existingFile = makeExactValidator<string>((value) => {
  if (existsSync(value)) return value
  throw new EnvError(`names a file that does not exist: "${value}"`)
})

/** Every variable of the product. The public interface: names and defaults stay as they are. */
export const variables = {
  NODE_ENV: text({ default: undefined }),
  HOST: text({ default: 'localhost' }),
  PORT: wholeNumber(1, 65_535)({ default: 3000 }),
  PUBLIC_URL: origin({ default: undefined }),
  FUNCTIONS_URL: functionsUrl({ default: undefined }),
  DATABASE_URL: databaseUrl({ default: 'file:data/starter-bot.db' }),
  SMTP_URL: smtpUrl({ default: undefined }),
  MAIL_API: oneOf(mailApiNames)({ default: undefined }),
  MAIL_API_KEY: key({ default: undefined }),
  MAIL_API_BASE_URL: apiUrl({ default: undefined }),
  MAIL_FROM: mailbox({ default: { name: brand.name, address: 'starter@localhost' } }),
  SUPPORT_EMAIL: address({ default: undefined }),
  DKIM_DOMAIN: text({ default: undefined }),
  DKIM_SELECTOR: text({ default: undefined }),
  DKIM_PRIVATE_KEY_FILE: existingFile({ default: undefined }),
  ANON_KEY: text({ default: 'starter-bot-development-key' }),
  ALLOWED_ORIGINS: origins({ default: [] }),
  TRUST_PROXY: wholeNumber(0, 10)({ default: 0 }),
  LIMIT_IP_PER_10_MIN: limit({ default: 20 }),
  LIMIT_IP_PER_DAY: limit({ default: 200 }),
  LIMIT_ADDRESS_PER_DAY: limit({ default: 3 }),
  LIMIT_SITE_MAILS_PER_HOUR: limit({ default: 600 }),
  RESEND_AFTER_SECONDS: wholeNumber(0, 31_536_000)({ default: 900 }),
  MAIL_RETRY_SECONDS: waits({ default: [60, 300, 1800, 7200, 21_600, 86_400] }),
  MAIL_TIMEOUT_SECONDS: wholeNumber(1, 3600)({ default: undefined }),
  MAIL_CONCURRENCY: wholeNumber(1, 100)({ default: 4 }),
  HIDE_ALREADY_EXISTS: oneOf(['yes', 'no'])({ default: 'no' }),
  KEEP_UNOPENED_DAYS: limit({ default: Infinity }),
  OWNER_EMAIL: address({ default: undefined }),
  BOUNCE_TOKEN: token({ default: undefined }),
  WEBHOOK_URL: webhookUrl({ default: undefined }),
  WEBHOOK_SECRET: webhookSecrets({ default: undefined }),
  LOG_LEVEL: oneOf(logLevels)({ default: 'info' }),
  METRICS_TOKEN: token({ default: undefined }),
}

function urlWith(pattern: RegExp, form: string) {
  return makeExactValidator<string>((value) => {
    if (pattern.test(value) && URL.canParse(value)) return value
    throw new EnvError(`must have the form ${form}`)
  })
}

function wholeNumber(min: number, max: number) {
  return makeExactValidator<number>((value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN
    if (number >= min && number <= max) return number
    throw new EnvError(`must be a whole number from ${min} to ${max}, not "${value}"`)
  })
}

function oneOf<Choice extends string>(choices: readonly Choice[]) {
  return makeExactValidator<Choice>((value) => {
    const choice = choices.find((one) => one === value)
    if (choice !== undefined) return choice
    throw new EnvError(`must be one of ${choices.join(', ')}, not "${value}"`)
  })
}

function parseOrigin(value: string): string {
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && (value === url.origin || value === `${url.origin}/`))
    return url.origin
  throw new EnvError(`must be an origin such as https://example.com, without a path, not "${value}"`)
}

function isMailAddress(value: string): boolean {
  return parseEmailAddress(value) !== undefined || /^[^@\s]+@localhost$/.test(value)
}
