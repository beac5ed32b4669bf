import type { IncomingMessage } from 'node:http'
import { parseEmailAddress } from '#contract/email-address.ts'
import { attributionHeader, maxSignUpBodyBytes } from '#contract/sign-up.ts'
import { isDatabaseFault } from '../database/faults.ts'
import { type Answer, preflightAnswer } from '../http/answer.ts'
import type { ClientNetworks } from '../http/client-address.ts'
import { type Gate, hasMediaType } from '../http/gate.ts'
import { readBody } from '../http/request.ts'
import type { Log } from '../log.ts'
import type { Pages } from '../http/pages.ts'
import type { Counts } from '../statistics/counts.ts'
import { readFormSignUp, readJsonSignUp, type SignUpBody } from './read-sign-up.ts'
import type { SignUp, SignUpOutcome } from './register-sign-ups.ts'
import { asJson, asPage, reject, rejections, type SignUpReply, tooManyRequests } from './sign-up-replies.ts'

export interface SignUpDeps {
  /** Resolves when the sign-up is on disk; throws when the database cannot take it. */
  register: (signUp: SignUp) => Promise<SignUpOutcome>
  gate: Gate
  anonKey: string
  /** Origins a browser may call from. */
  origins: ReadonlySet<string>
  hideAlreadyExists: boolean
  pages: Pages
  log: Log
  counts: Counts
}

/** Answers `/functions/v1/send-starter-bot-email`: JSON to a program, a page to a plain form. */
export async function answerSignUp(request: IncomingMessage, deps: SignUpDeps): Promise<Answer> {
  const origin = deps.gate.corsOrigin(request)
  if (origin === undefined) return asJson(reject(rejections.origin), undefined)
  if (request.method === 'OPTIONS') return preflightAnswer(origin)
  if (request.method !== 'POST') return asJson(reject(rejections.method), origin)
  return hasMediaType(request, 'application/x-www-form-urlencoded')
    ? takeForm(request, deps)
    : asJson(await takeJson(request, deps), origin)
}

async function takeJson(request: IncomingMessage, deps: SignUpDeps): Promise<SignUpReply> {
  const admission = deps.gate.admit(request, 'allowed-origins')
  if (admission.kind === 'refused') return reject(rejections[admission.by])
  if (!hasCredential(request, deps.anonKey)) return reject(rejections.credential)
  if (!hasMediaType(request, 'application/json')) return reject(rejections.mediaType)
  const body = await readBody(request, maxSignUpBodyBytes)
  if (body.kind === 'too-large') return reject(rejections.tooLarge)
  const asked =
    body.kind === 'whole'
      ? readJsonSignUp(body.bytes, request.headers[attributionHeader]?.toString())
      : undefined
  return asked === undefined ? reject(rejections.body) : signUp(asked, admission.networks, deps)
}

async function takeForm(request: IncomingMessage, deps: SignUpDeps): Promise<Answer> {
  const admission = deps.gate.admit(request, 'own-pages')
  if (admission.kind === 'refused') return asJson(reject(rejections[admission.by]), undefined)
  const body = await readBody(request, maxSignUpBodyBytes)
  const bytes = body.kind === 'whole' ? body.bytes : Buffer.alloc(0)
  const asked = readFormSignUp(bytes, request.headers.referer, deps.origins)
  const reply =
    body.kind === 'too-large' ? reject(rejections.tooLarge) : await signUp(asked, admission.networks, deps)
  return asPage(reply, asked, deps.pages)
}

/** Never throws: a program reads JSON and a plain form gets its page, whatever went wrong. */
async function signUp(
  { email, attribution }: SignUpBody,
  networks: ClientNetworks,
  { register, hideAlreadyExists, counts, log }: SignUpDeps,
): Promise<SignUpReply> {
  try {
    const parsed = parseEmailAddress(email)
    if (!parsed) {
      counts.countSignUp('invalid', attribution)
      return reject(rejections.email)
    }
    const outcome = await register({ ...parsed, networks })
    counts.countSignUp(outcome.kind, attribution)
    if (outcome.kind === 'refused') counts.countLimit(outcome.by)
    return hideAlreadyExists ? hiding(outcome, parsed.address) : telling(outcome, parsed.address)
  } catch (cause) {
    if (!isDatabaseFault(cause)) {
      log.error('request failed', { method: 'POST', cause })
      return reject(rejections.fault)
    }
    counts.countSignUp('unavailable', attribution)
    log.error('sign-up not stored', { cause })
    return reject(rejections.unavailable)
  }
}

function telling(outcome: SignUpOutcome, address: string): SignUpReply {
  switch (outcome.kind) {
    case 'registered':
      return { kind: 'accepted', address, alreadyExists: false, nextResendAt: outcome.nextResendAt }
    case 'already-registered':
      return { ...outcome, kind: 'accepted', address, alreadyExists: true }
    case 'refused':
      return reject(tooManyRequests(outcome.retryAfterSeconds))
    default:
      return outcome satisfies never
  }
}

/** One answer, whether the address is new, on the list, unsubscribed, or above its ceiling. */
function hiding(outcome: SignUpOutcome, address: string): SignUpReply {
  return outcome.kind === 'refused' && outcome.by === 'network'
    ? reject(tooManyRequests(outcome.retryAfterSeconds))
    : { kind: 'accepted', address, alreadyExists: false }
}

/** The credential is public: it keeps out what does not know the site, and needs no constant-time comparison. */
function hasCredential({ headers }: IncomingMessage, anonKey: string): boolean {
  if (headers['apikey'] === anonKey) return true
  const [, token] = /^bearer +(.*)$/i.exec(headers.authorization ?? '') ?? [] // RFC 9110 11.1: in any case
  return token === anonKey
}
