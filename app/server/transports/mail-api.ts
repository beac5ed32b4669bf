import { request as requestHttp, Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { request as requestHttps, Agent as HttpsAgent } from 'node:https'
import { text as readText } from 'node:stream/consumers'
import {
  type Mailer,
  makeMailer,
  type MailMessage,
  type RelayOptions,
  type SendOutcome,
  startTimeLimit,
} from './mailer.ts'
import { type Fields, failureFor, type MailApiName, mailApiProviders } from './mail-api-providers.ts'
import { smtpFailure } from './smtp-failure.ts'

export interface MailApiAccess {
  provider: MailApiName
  key: string
  /** Without a slash at the end. */
  baseUrl: string
}

export interface MailApiOptions extends RelayOptions, MailApiAccess {}

/** Mail over a provider's HTTP API, for hosts that block SMTP: one request a mail. */
export function createMailApi(options: MailApiOptions): Mailer {
  const provider = mailApiProviders[options.provider]
  const ask = createClient(options)

  async function send(message: MailMessage): Promise<SendOutcome> {
    // Postmark reads a list of addresses from one text.
    if (!/^[^\s,;:<>"()[\]\\]+@[^\s,;:<>"()[\]\\]+$/.test(message.to))
      return { kind: 'permanent', why: 'EENVELOPE', cause: new Error('This is not one address') }
    try {
      const body = JSON.stringify(provider.bodyFor(message))
      const answer = await ask('POST', provider.path, { body, headers: provider.headersFor(message) })
      return outcomeOf(answer, options)
    } catch (cause) {
      return smtpFailure(cause)
    }
  }

  return makeMailer(send, { graceMs: options.closeGraceMs, cut: ask.close })
}

export interface ApiAnswer {
  status: number
  fields: Fields
  retryAfterMs: number | undefined
}

function outcomeOf({ status, fields, retryAfterMs }: ApiAnswer, options: MailApiOptions): SendOutcome {
  const provider = mailApiProviders[options.provider]
  const [code, message] = [provider.codeOf(fields), provider.messageOf(fields)]
  if (status >= 200 && status < 300 && provider.isAccepted(fields)) {
    options.onAccepted?.(`${options.provider} ${status}`)
    return { kind: 'accepted' }
  }
  const why = [options.provider, status, code].filter((part) => part !== undefined).join(' ')
  // `response` may quote the address: it is shown to the owner, and not logged.
  const cause = Object.assign(new Error(why), { response: `${why} ${message}`.trim() })
  return failureFor(provider.judge(status, code, message), why, cause, retryAfterMs)
}

const maxAnswerBytes = 64 * 1024

interface ApiRequest {
  body?: string
  headers?: Record<string, string>
}

/** Throws what the network throws, and ETIMEDOUT. Never follows a redirect, which would carry the key elsewhere. */
export function createClient(options: Omit<MailApiOptions, 'closeGraceMs' | 'onAccepted'>) {
  const { provider, key, baseUrl, concurrency } = options
  const isEncrypted = baseUrl.startsWith('https:')
  const settings = { keepAlive: true, maxSockets: concurrency }
  const agent = isEncrypted ? new HttpsAgent(settings) : new HttpAgent(settings)
  const request = isEncrypted ? requestHttps : requestHttp

  async function ask(method: 'GET' | 'POST', path: string, { body, headers }: ApiRequest = {}) {
    using limit = startTimeLimit(options)
    const asking = request(baseUrl + path, {
      method,
      agent,
      signal: limit.signal,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && bodyHeaders(body)),
        ...mailApiProviders[provider].credential(key),
        ...headers,
      },
    })
    asking.once('finish', limit.noteBodySent)
    try {
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        asking.once('response', resolve)
        asking.on('error', reject)
      })
      asking.end(body)
      return await readAnswer(await answered)
    } catch (cause) {
      throw limit.signal.aborted ? Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' }) : cause
    }
  }

  return Object.assign(ask, { close: () => agent.destroy() })
}

function bodyHeaders(body: string) {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
}

async function readAnswer(response: IncomingMessage): Promise<ApiAnswer> {
  let length = 0
  response.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxAnswerBytes) response.destroy(new Error('The answer is too long'))
  })
  const text = await readText(response)
  return {
    status: response.statusCode ?? 0,
    fields: fieldsOf(text),
    retryAfterMs: readRetryAfter(response.headers['retry-after'], Date.now()),
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

const longestRetryAfterMs = 24 * 60 * 60_000

/** Seconds or a date: RFC 9110 10.2.3. A wait of more than a day would outlive the cause. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), longestRetryAfterMs)
}
