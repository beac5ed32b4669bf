import type { Config } from '../configuration/config.ts'
import type { Mailer } from './mailer.ts'
import { type Fields, classifyAnswer, mailApiProviders } from './mail-api-providers.ts'
import { createRelayMailer, type RelayOptions } from './relay-mailer.ts'

type MailApiAccess = NonNullable<Config['mailApi']>

/** Mail over a provider's HTTP API, for hosts that block SMTP: one request a mail. */
export function createMailApi(options: MailApiAccess & RelayOptions): Mailer {
  const provider = mailApiProviders[options.provider]
  return createRelayMailer(options, async (message, { signal, onBodySent }) => {
    // Postmark reads a list of addresses from one text.
    if (!/^[^\s,;:<>"()[\]\\]+@[^\s,;:<>"()[\]\\]+$/.test(message.to)) {
      return { kind: 'permanent', why: 'EENVELOPE', cause: new Error('This is not one address') }
    }
    const body = JSON.stringify(provider.bodyFor(message))
    onBodySent() // fetch does not say when, so all of the request has the long time limit of the reply
    const request = { method: 'POST', body, headers: provider.headersFor(message), signal }
    const { status, fields, retryAfterMs } = await askMailApi(options, provider.path, request)
    if (status >= 200 && status < 300 && provider.isAccepted(fields)) {
      return { kind: 'accepted', reply: `${options.provider} ${status}` }
    }
    const { code, message: words } = provider.read(fields)
    const why = [options.provider, status, code].filter((part) => part !== undefined).join(' ')
    // `response` may quote the address: it is shown to the owner, and not logged.
    const cause = Object.assign(new Error(why), { response: `${why} ${words}`.trim() })
    return { ...classifyAnswer(options.provider, status, fields), why, cause, retryAfterMs }
  })
}

/**
 * Throws what the network throws. Never follows a redirect, which would carry the key elsewhere.
 */
export async function askMailApi(
  { provider, key, baseUrl }: MailApiAccess,
  path: string,
  request: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
) {
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
    throw fault instanceof Error && fault.cause !== undefined ? fault.cause : fault // fetch hides the network's own
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
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxRetryAfterMs)
}
