import type { MailMessage } from '#site/mail/mail-message.ts'
import type { MailApiConfig } from '../settings/config.ts'
import type { Mailer, SendOutcome } from './mailer.ts'
import { type Fields, mailApiProviders } from './mail-api-providers.ts'
import { type Attempt, createRelayMailer, type RelayOptions } from './relay-mailer.ts'
import { blameFor, plainWords } from './refusal.ts'
import { smtpFailure } from './smtp-failure.ts'

interface Answer {
  status: number
  /** The fields of the JSON object in the body. Empty: there is none. */
  fields: Fields
  retryAfterMs: number | undefined
}

/** Mail over a provider's HTTP API, for hosts that block SMTP: one request a mail. */
export function createMailApi(options: MailApiConfig & RelayOptions): Mailer {
  return createRelayMailer(options, async (message, attempt) =>
    outcomeOf(await postMail(options, message, attempt), options, message),
  )
}

async function postMail(
  access: MailApiConfig,
  message: MailMessage,
  { signal, onProgress }: Attempt,
): Promise<Answer> {
  const { path, headersFor, bodyFor } = mailApiProviders[access.provider]
  // Postmark reads a list of addresses from one text.
  if (!/^[^\s,;:<>"()[\]\\]+@[^\s,;:<>"()[\]\\]+$/.test(message.to)) {
    onProgress('mail-begun')
    throw Object.assign(new Error('This is not one address'), { code: 'EENVELOPE' })
  }
  const body = JSON.stringify(bodyFor(message))
  onProgress('body-sent') // fetch does not say when, so all of it has the time limit of the reply
  const request = { method: 'POST', body, headers: headersFor(message), signal }
  return askMailApi(access, path, request).catch((fault: unknown) => {
    if (!afterConnecting.has(smtpFailure(fault).why)) onProgress('connecting')
    throw fault
  })
}

/** The faults of `fetch` after which the mail may have arrived. */
const afterConnecting = new Set(['ETIMEDOUT', 'ECONNRESET', 'EPIPE'])

function outcomeOf(
  { status, fields, retryAfterMs }: Answer,
  { provider: name }: MailApiConfig,
  { to: recipient }: MailMessage,
): SendOutcome {
  const provider = mailApiProviders[name]
  if (status >= 200 && status < 300 && provider.isAccepted(fields)) {
    return { kind: 'accepted', reply: `${name} ${status}` }
  }
  const { code, message } = provider.read(fields)
  const why = [name, status, code].filter((part) => part !== undefined).join(' ')
  // `response` may quote the address: it is shown to the owner, and not logged.
  const cause = Object.assign(new Error(why), { response: `${why} ${message}`.trim() })
  const isAboutRequest = status === 400 || status === 422
  // Postmark's words for 5.2.1 name spam as well.
  const said = `550 ${provider.statusCodeFor(code, message) ?? message}`
  const to = isAboutRequest ? 'recipient' : 'earlier'
  if (blameFor({ to, said, recipient }) === 'person') {
    return { kind: 'refused', why, words: plainWords(message, recipient), cause }
  }
  return { kind: 'relay-fault', why, progress: 'mail-begun', retryAfterMs, cause }
}

/**
 * Throws what the network throws. Never follows a redirect, which would carry the key elsewhere.
 */
export async function askMailApi(
  { provider, key, baseUrl }: MailApiConfig,
  path: string,
  request: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...mailApiProviders[provider].credential(key),
    ...request.headers,
  }
  try {
    const response = await fetch(baseUrl + path, { ...request, headers, redirect: 'manual' })
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now())
    return { status: response.status, fields: fieldsOf(await response.text()), retryAfterMs }
  } catch (fault) {
    if (fault instanceof Error && fault.cause !== undefined) throw fault.cause // the network's own
    throw fault
  }
}

function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
  } catch {
    return new Map()
  }
}

export const maxRetryAfterMs = 24 * 60 * 60_000

/** Seconds or a date: RFC 9110 10.2.3. A wait of more than a day would outlive the cause. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  const isSeconds = /^\d+$/.test(value.trim())
  const ms = isSeconds ? Number(value) * 1000 : Date.parse(value) - now
  if (Number.isNaN(ms)) return undefined
  return Math.min(Math.max(0, ms), maxRetryAfterMs)
}
