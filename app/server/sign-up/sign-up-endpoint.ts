import type { IncomingMessage } from 'node:http'
import { parseEmailAddress } from '#contract/email-address.ts'
import {
  attributionHeader,
  maxSignUpBodyBytes,
  type SignUpAccepted,
  type SignUpRejected,
} from '#contract/sign-up.ts'
import { isDatabaseFault } from '../database/database.ts'
import { type Answer, corsHeaders, htmlAnswer, jsonAnswer, preflightAnswer } from '../http/answer.ts'
import type { ClientNetworks } from '../http/client-address.ts'
import { hasMediaType } from '../http/gate.ts'
import type { Pages } from '../http/pages.ts'
import { bearerToken, readBody } from '../http/request.ts'
import type { ServerContext } from '../start/extension.ts'
import type { Counts } from '../statistics/counts.ts'
import { readFormSignUp, readJsonSignUp, type SignUp, type TypedSignUp } from './read-sign-up.ts'
import type { Receipts } from './receipts.ts'
import type { RegisteredSignUp } from './register-sign-ups.ts'

export interface SignUpDeps extends ServerContext {
  /** Resolves when the sign-up is on disk; throws when the database cannot take it. */
  register: (signUp: SignUp) => Promise<{ outcome: RegisteredSignUp; receipt: string }>
  receipts: Receipts
  pages: Pages
  counts: Counts
}

/** Answers `/functions/v1/send-starter-bot-email`: JSON to a program, a page to a plain form. */
export async function answerSignUp(request: IncomingMessage, deps: SignUpDeps): Promise<Answer> {
  const origin = deps.gate.corsOrigin(request)
  if (origin === undefined) return asJson(rejections.origin, undefined)
  if (request.method === 'OPTIONS') return preflightAnswer(origin)
  if (request.method !== 'POST') return asJson(rejections.method, origin)
  if (hasMediaType(request, 'application/x-www-form-urlencoded')) return takeForm(request, deps)
  return asJson(await takeJson(request, deps), origin)
}

async function takeJson(request: IncomingMessage, deps: SignUpDeps): Promise<SignUpReply> {
  const admission = deps.gate.admit(request, 'allowed-origins')
  if (admission.kind === 'refused') return rejections[admission.by]
  if (!hasCredential(request, deps.config.anonKey)) return rejections.credential
  if (!hasMediaType(request, 'application/json')) return rejections.mediaType
  const body = await readBody(request, maxSignUpBodyBytes)
  if (body.kind === 'too-large') return rejections.tooLarge
  const attribution = request.headers[attributionHeader]?.toString()
  const typed = body.kind === 'whole' ? readJsonSignUp(body.bytes, attribution) : undefined
  return typed ? await signUp(typed, admission.networks, deps) : rejections.body
}

async function takeForm(request: IncomingMessage, deps: SignUpDeps): Promise<Answer> {
  const admission = deps.gate.admit(request, 'own-pages')
  if (admission.kind === 'refused') return asJson(rejections[admission.by], undefined)
  const body = await readBody(request, maxSignUpBodyBytes)
  const bytes = body.kind === 'whole' ? body.bytes : Buffer.alloc(0)
  const typed = readFormSignUp(bytes, request.headers.referer, deps.config)
  const isTooLarge = body.kind === 'too-large'
  const reply = isTooLarge ? rejections.tooLarge : await signUp(typed, admission.networks, deps)
  return asPage(reply, typed, deps.pages)
}

/** Never throws: a program gets JSON and a plain form gets its page, whatever went wrong. */
async function signUp(
  { email, attribution }: TypedSignUp,
  networks: ClientNetworks,
  deps: SignUpDeps,
): Promise<SignUpReply> {
  const { register, counts, log } = deps
  try {
    const parsed = parseEmailAddress(email)
    if (!parsed) {
      counts.countSignUp('invalid', attribution)
      return rejections.email
    }
    const { outcome, receipt } = await register({ ...parsed, networks, attribution })
    counts.countSignUp(outcome.kind, attribution)
    if (outcome.kind === 'refused') counts.countLimit(outcome.by)
    return replyTo(outcome, receipt, parsed.address, deps)
  } catch (cause) {
    if (!isDatabaseFault(cause)) {
      log.error('request failed', { method: 'POST', cause })
      return rejections.fault
    }
    counts.countSignUp('unavailable', attribution)
    log.error('sign-up not stored', { cause })
    return rejections.unavailable
  }
}

function replyTo(
  outcome: RegisteredSignUp,
  receipt: string,
  address: string,
  { config }: SignUpDeps,
): SignUpReply {
  const dependsOnAddress = outcome.kind !== 'refused' || outcome.by !== 'network'
  const isHidden = config.hideAlreadyExists && dependsOnAddress
  if (outcome.kind === 'refused' && !isHidden) return tooManyRequests(outcome.retryAfterSeconds)
  const told: Told = isHidden || outcome.kind === 'refused' ? {} : outcome
  const body: SignUpAccepted = {
    success: true,
    alreadyExists: !isHidden && outcome.kind === 'already-registered',
    resentAt: isoTime(told.resentAt),
    nextResendAt: isoTime(told.nextResendAt),
    receipt: isHidden || (outcome.kind === 'already-registered' && !('resentAt' in outcome)) ? null : receipt,
  }
  return { status: 200, body, address }
}

type Told = { resentAt?: number; nextResendAt?: number }

let lastTime = { ms: 0, iso: '' }

/** Sign-ups that share a commit share their times as well: the text is made once for them. */
function isoTime(ms: number | undefined): string | null {
  if (ms === undefined) return null
  if (ms !== lastTime.ms) lastTime = { ms, iso: new Date(ms).toISOString() }
  return lastTime.iso
}

/** Checks the public credential. It only keeps out callers that do not know the site, so it needs no constant-time comparison. */
function hasCredential(request: IncomingMessage, anonKey: string): boolean {
  return request.headers['apikey'] === anonKey || bearerToken(request) === anonKey
}

type SignUpReply = { status: 200; body: SignUpAccepted; address: string } | Rejected

interface Rejected {
  status: number
  body: SignUpRejected
  headers: Record<string, string>
}

const notStored = 'The sign-up could not be stored. Please try again in a moment.'

const rejections = {
  method: rejected(405, 'method_not_allowed', 'Only POST is answered here.', { allow: 'POST, OPTIONS' }),
  origin: rejected(403, 'forbidden_origin', 'This origin may not call the function.'),
  host: rejected(421, 'misdirected_request', 'This server does not answer for that host.'),
  credential: rejected(401, 'unauthorized', 'The public credential is missing or wrong.'),
  mediaType: rejected(415, 'unsupported_media_type', 'The body must be application/json.'),
  tooLarge: rejected(413, 'body_too_large', `The body may have ${maxSignUpBodyBytes} bytes at most.`),
  body: rejected(400, 'bad_request', 'The body must be JSON of the form { "email": string }.'),
  email: rejected(400, 'invalid_email', 'Please enter a valid email address'),
  unavailable: rejected(503, 'unavailable', notStored, { 'retry-after': '30' }),
  fault: rejected(500, 'internal_error', 'Something went wrong here. Please try again.'),
}

function tooManyRequests(retryAfterSeconds: number): Rejected {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return rejected(429, 'too_many_requests', 'Too many sign-ups. Please try again later.', headers)
}

function rejected(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Rejected {
  return { status, body: { error: { code, message } }, headers }
}

/** `origin`: whose scripts may read the answer. */
function asJson(reply: SignUpReply, origin: string | undefined): Answer {
  const cors = corsHeaders(origin)
  return jsonAnswer(reply.status, reply.body, 'headers' in reply ? { ...cors, ...reply.headers } : cors)
}

/** The page that answers a plain form. An error gives the form back as it was filled in. */
function asPage(reply: SignUpReply, { email, attribution }: TypedSignUp, pages: Pages): Answer {
  if ('address' in reply) {
    const { address, body } = reply
    const name = body.alreadyExists ? 'result-already-on-list' : 'result-sent'
    return htmlAnswer(200, pages.page(name, { address, receipt: body.receipt ?? '' }))
  }
  const { form, campaign } = attribution
  const name = reply === rejections.email ? 'result-invalid' : 'result-error'
  return htmlAnswer(reply.status, pages.page(name, { address: email, form, campaign }), reply.headers)
}
