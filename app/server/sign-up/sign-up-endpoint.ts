import type { IncomingMessage } from 'node:http'
import { parseEmailAddress } from '#contract/email-address.ts'
import {
  attributionHeader,
  maxSignUpBodyBytes,
  type SignUpAccepted,
  type SignUpRejected,
} from '#contract/sign-up.ts'
import type { Answer } from '../http/answer.ts'
import { readBody } from '../http/read-body.ts'
import type { Log } from '../log.ts'
import type { Pages } from '../http/pages.ts'
import type { Counts } from '../statistics/counts.ts'
import type { Registration, SignUp } from './register-sign-ups.ts'
import { type Rejection, rejections, tooManyRequests } from './rejections.ts'
import { readFormSignUp, readJsonSignUp, type SignUpBody } from './sign-up-body.ts'

export interface SignUpEndpointMeans {
  /** Resolves when the sign-up is on disk; throws when the database cannot take it. */
  register: (signUp: SignUp) => Promise<Registration>
  /** A keyed hash of the network a request came from. */
  networkOf: (request: IncomingMessage) => string
  anonKey: string
  /** Origins a browser may call from. */
  origins: ReadonlySet<string>
  hideAlreadyExists: boolean
  pages: Pages
  log: Log
  counts: Counts
}

type Outcome = { kind: 'accepted'; alreadyExists: boolean } | { kind: 'rejected'; rejection: Rejection }

/** Answers `/functions/v1/send-starter-bot-email`: JSON to a program, a page to a plain form. */
export async function answerSignUp(request: IncomingMessage, means: SignUpEndpointMeans): Promise<Answer> {
  const { origin } = request.headers
  if (origin !== undefined && !means.origins.has(origin)) return asJson(reject(rejections.origin), undefined)
  if (request.method === 'OPTIONS') return preflight(origin)
  if (request.method !== 'POST') return asJson(reject(rejections.method), origin)
  return mediaTypeOf(request) === 'application/x-www-form-urlencoded'
    ? answerForm(request, means)
    : asJson(await takeJson(request, means).catch((cause) => ownFault(cause, means)), origin)
}

/** A program, and a script on another origin, reads JSON with its headers, whatever went wrong in here. */
function ownFault(cause: unknown, { log }: SignUpEndpointMeans): Outcome {
  log.error('request failed', { method: 'POST', cause })
  return reject(rejections.fault)
}

async function takeJson(request: IncomingMessage, means: SignUpEndpointMeans): Promise<Outcome> {
  if (!hasCredential(request, means.anonKey)) return reject(rejections.credential)
  if (mediaTypeOf(request) !== 'application/json') return reject(rejections.mediaType)
  if (request.headers['content-encoding'] !== undefined) return reject(rejections.mediaType)
  const body = await readBody(request, maxSignUpBodyBytes)
  if (body.kind === 'too-large') return reject(rejections.tooLarge)
  const asked = body.kind === 'whole' ? readJsonSignUp(body.bytes, attributionOf(request)) : undefined
  return asked === undefined ? reject(rejections.body) : signUp(asked, request, means)
}

async function signUp(
  { email, attribution }: SignUpBody,
  request: IncomingMessage,
  means: SignUpEndpointMeans,
): Promise<Outcome> {
  const { counts, log } = means
  const parsed = parseEmailAddress(email)
  if (!parsed) {
    counts.countSignUp('invalid', attribution)
    return reject(rejections.email)
  }
  try {
    const registration = await means.register({ ...parsed, network: means.networkOf(request) })
    counts.countSignUp(registration.kind, attribution)
    if (registration.kind === 'refused') counts.countLimit(registration.by)
    return toOutcome(registration, means)
  } catch (cause) {
    counts.countSignUp('unavailable', attribution)
    log.error('sign-up not stored', { cause })
    return reject(rejections.unavailable)
  }
}

function toOutcome(registration: Registration, { hideAlreadyExists }: SignUpEndpointMeans): Outcome {
  switch (registration.kind) {
    case 'registered':
      return { kind: 'accepted', alreadyExists: false }
    case 'already-registered':
      return { kind: 'accepted', alreadyExists: !hideAlreadyExists }
    case 'refused':
      return reject(tooManyRequests(registration.retryAfterSeconds))
    default:
      return registration satisfies never
  }
}

async function answerForm(request: IncomingMessage, means: SignUpEndpointMeans): Promise<Answer> {
  const body = await readBody(request, maxSignUpBodyBytes)
  if (body.kind === 'too-large') return page(rejections.tooLarge.status, means.pages.page('result-error', {}))
  const bytes = body.kind === 'whole' ? body.bytes : Buffer.alloc(0)
  const asked = readFormSignUp(bytes, request.headers.referer, means.origins)
  const outcome = await signUp(asked, request, means)
  if (outcome.kind === 'accepted') {
    const { address = asked.email } = parseEmailAddress(asked.email) ?? {}
    return page(
      200,
      means.pages.page(outcome.alreadyExists ? 'result-already-on-list' : 'result-sent', { address }),
    )
  }
  const { status, code, retryAfterSeconds } = outcome.rejection
  const html =
    code === 'invalid_email'
      ? means.pages.page('result-invalid', {
          address: asked.email,
          form: asked.attribution.form,
          source: asked.attribution.campaign,
        })
      : means.pages.page('result-error', {})
  return page(status, html, retryAfterSeconds)
}

function page(status: number, html: string, retryAfterSeconds?: number): Answer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...retryAfter(retryAfterSeconds),
  }
  return { status, headers, body: html }
}

function reject(rejection: Rejection): Outcome {
  return { kind: 'rejected', rejection }
}

/** The credential is public by design: it keeps out what does not know the site, and is no secret to compare in constant time. */
function hasCredential({ headers }: IncomingMessage, anonKey: string): boolean {
  return headers.authorization === `Bearer ${anonKey}` || headers['apikey'] === anonKey
}

function attributionOf({ headers }: IncomingMessage): string | undefined {
  return headers[attributionHeader]?.toString()
}

function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
}

function preflight(origin: string | undefined): Answer {
  const headers = {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
    'access-control-max-age': '86400',
  }
  return { status: 204, headers, body: '' }
}

const json = { 'content-type': 'application/json', 'cache-control': 'no-store' }
const acceptedBodies = [false, true].map((alreadyExists) =>
  JSON.stringify({ success: true, alreadyExists } satisfies SignUpAccepted),
)

function asJson(outcome: Outcome, origin: string | undefined): Answer {
  const headers = origin === undefined ? json : { ...json, ...corsHeaders(origin) }
  if (outcome.kind === 'accepted')
    return { status: 200, headers, body: acceptedBodies[Number(outcome.alreadyExists)]! }
  const { status, code, message, retryAfterSeconds } = outcome.rejection
  const more = status === 405 ? { allow: 'POST, OPTIONS' } : retryAfter(retryAfterSeconds)
  return {
    status,
    headers: { ...headers, ...more },
    body: JSON.stringify({ error: { code, message } } satisfies SignUpRejected),
  }
}

function corsHeaders(origin: string | undefined): Record<string, string> {
  return origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'origin' }
}

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}
