import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseEmailAddress } from '#contract/email-address.ts'
import { parsePostgresUrl } from './database-url.ts'
import { isLoopback } from './hosts.ts'

/**
 * Completes a sentence that begins with the name of the variable. It is thrown within a parser
 * whose form does not say enough.
 */
class ValueError extends Error {}

export const text = z.string()

export const token = mustSecretly(
  'have at least 22 characters (openssl rand -hex 24 makes one)', // 128 bits in base64url
  (value) => (value.length >= 22 ? value : undefined),
)

export const databaseUrl = mustSecretly('have the form file:PATH or postgres://…', (value) => {
  if (/^file:./.test(value)) return value
  refuseBarePassword(value)
  return parsePostgresUrl(value) && value
})

export const smtpUrl = mustSecretly(
  'have the form smtp://user:password@host:587 or smtps://…',
  (value) => {
    if (!/^smtps?:\/\/./.test(value)) return undefined
    refuseBarePassword(value)
    return URL.parse(value)?.hostname ? value : undefined
  },
)

/** A URL would end its user and password at the first of these, and take them for another host. */
function refuseBarePassword(url: string): void {
  const [, authority = '', rest = ''] = /^\w+:\/\/([^/?#]*)(.*)/s.exec(url) ?? []
  const isEnded = rest.includes('@') && !/^[^?#@]*\?[\w-]+=/.test(rest) // a query may have an @
  if (!isEnded && !/%(?![\da-f]{2})/i.test(authority)) return
  throw new ValueError('must write / as %2F, ? as %3F, # as %23 and % as %25 in user and password')
}

/** It becomes a header of requests: the server's, or those of every visitor's browser. */
export const apiKey = mustSecretly('be the key alone, without spaces', (value) =>
  /^[!-~]+$/.test(value) ? value : undefined,
)

/** The key travels with every mail. */
export const apiUrl = mustSecretly(
  'be an https:// URL without user, query or fragment (http:// only for this machine)',
  (value) => {
    const url = webUrl(value)
    const isSafe = url?.protocol === 'https:' || isLoopback(url?.hostname ?? '')
    return isSafe ? baseUrl(value) : undefined
  },
)

/** Its path can be a secret. It may be in a private network, so http:// is allowed. */
export const webhookUrl = mustSecretly(
  'be an http:// or https:// URL without user and password',
  (value) => webUrl(value)?.href,
)

/** Secrets as Standard Webhooks 1.0.0 writes them. Several while one is replaced by another. */
export const webhookSecrets = mustSecretly(
  'be whsec_ and 24 to 64 bytes in base64 (echo whsec_$(openssl rand -base64 32) makes one)',
  (value) => {
    const secrets: string[] = value.match(/[^\s,]+/g) ?? []
    const isValid = (one: string) => /^whsec_[A-Za-z\d+/]{32,86}={0,2}$/.test(one) // six bits a character
    return secrets.length > 0 && secrets.every(isValid) ? secrets : undefined
  },
)

export const limit = mustBe('a whole number above zero or "off"', (value) => {
  if (value === 'off') return Infinity
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined
})

export const seconds = mustBe('whole seconds separated by commas', (value) =>
  /^\d{1,8}(?:,\d{1,8})*$/.test(value) ? value.split(',').map(Number) : undefined,
)

export const origin = mustBe('an origin such as https://example.com, without a path', originOf)

export const origins = variable((value) => {
  const typed: string[] = value.match(/[^\s,]+/g) ?? []
  const wrong = typed.filter((one) => originOf(one) === undefined)
  if (wrong.length === 0) return typed.map((one) => originOf(one)!)
  const quoted = wrong.map((one) => `"${one}"`).join(' and ')
  throw new ValueError(`must be origins such as https://example.com, without a path, not ${quoted}`)
})

function originOf(value: string): string | undefined {
  const url = webUrl(value)
  return url && url.href === `${url.origin}/` ? url.origin : undefined // as browsers write it
}

export const functionsUrl = mustBe('a URL such as https://example.com/functions/v1', baseUrl)

export const address = mustBe('an email address', (value) =>
  isMailAddress(value) ? value : undefined,
)

/** `Name <address>` or the address alone. */
export const mailbox = variable((value) => {
  const [, name = '', mailAddress = value] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(value) ?? []
  // oxlint-disable-next-line no-control-regex -- a line break here would inject a header
  if (isMailAddress(mailAddress) && !/[\0-\x1f]/.test(name)) return { name, address: mailAddress }
  throw new ValueError(`must have the form Name <address>, not "${value}"`)
})

/**
 * nodemailer signs with RSA alone. With any other key it says nothing, and sends the mail unsigned.
 */
export const rsaKeyFile = mustBe('a file with an RSA private key in PEM', (privateKeyFile) => {
  try {
    const privateKey = readFileSync(privateKeyFile, 'utf8')
    const isRsa = createPrivateKey(privateKey).asymmetricKeyType === 'rsa'
    return isRsa ? { privateKeyFile, privateKey } : undefined
  } catch {
    return undefined
  }
})

export function wholeNumber(min: number, max: number) {
  return mustBe(`a whole number from ${min} to ${max}`, (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN
    return number >= min && number <= max ? number : undefined
  })
}

export function oneOf<Choice extends string>(choices: readonly Choice[]) {
  return mustBe(`one of ${choices.join(', ')}`, (value) => choices.find((one) => one === value))
}

/** Returns undefined for a wrong value. */
type Parse<Value> = (value: string) => Value | undefined

/** The error repeats the value. */
function mustBe<Value>(form: string, parse: Parse<Value>) {
  return variable((value) => {
    const parsed = parse(value)
    if (parsed === undefined) throw new ValueError(`must be ${form}, not "${value}"`)
    return parsed
  })
}

/** For a value that may hold a secret: the error does not repeat it. */
function mustSecretly<Value>(form: string, parse: Parse<Value>) {
  return variable((value) => {
    const parsed = parse(value)
    if (parsed === undefined) throw new ValueError(`must ${form}`)
    return parsed
  })
}

function variable<Value>(parse: (value: string) => Value) {
  return z.string().transform((value, context): Value => {
    try {
      return parse(value)
    } catch (fault) {
      if (!(fault instanceof ValueError)) throw fault
      context.addIssue(fault.message)
      return z.NEVER
    }
  })
}

function webUrl(value: string): URL | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.username || url.password ? undefined : url
}

/** Without a slash at the end. */
function baseUrl(value: string): string | undefined {
  return /[?#]/.test(value) ? undefined : webUrl(value)?.href.replace(/\/+$/, '')
}

function isMailAddress(value: string): boolean {
  return parseEmailAddress(value) !== undefined || /^[^@\s]+@localhost$/.test(value)
}
