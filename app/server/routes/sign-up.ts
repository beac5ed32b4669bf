import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseEmailAddress } from '#contract/email-address.ts'
import { shownAddress } from '#contract/shown-address.ts'
import {
  maxSignUpBodyBytes,
  type SignUpAccepted,
  type SignUpRejected,
  signUpFunction,
  signUpPath,
} from '#contract/sign-up.ts'
import { Unavailable } from '../database/database.ts'
import type { SignUp, SignUpOutcome } from '../sign-up/register-sign-up.ts'
import { readFormSignUp, readJsonSignUp, type TypedSignUp } from '../sign-up/read-sign-up.ts'
import type { RouteContext } from '../start/context.ts'
import { signUpPage } from '../subscribers/wordings.ts'
import { allowCors } from './cors.ts'
import { sendHtml } from './failures.ts'
import { bearerToken, isForm } from './request.ts'

export interface SignUpDeps extends RouteContext {
  register(signUp: SignUp): Promise<SignUpOutcome>
}

/** `/functions/v1/send-starter-bot-email`: JSON to a program, a page to a plain form. */
export async function signUpRoutes(functions: FastifyInstance, deps: SignUpDeps): Promise<void> {
  await allowCors(functions, deps.gate, 'POST')
  functions.removeAllContentTypeParsers()
  functions.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJsonSignUp)
  functions.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    readFormSignUp,
  )
  functions.setErrorHandler<FastifyError>((fault, request, reply) =>
    answer(reply, rejectionOf(fault, deps), request, deps),
  )
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const isOurs = request.url.split('?', 1)[0] === signUpPath
    return answer(reply, isOurs ? rejections.method : rejections.unknown, request, deps)
  }
  functions.setNotFoundHandler(answerUnknown)
  // A not-found handler runs once the body is parsed, which refuses most bodies with 400 or 415.
  functions.addHook('onRequest', async (request, reply) => {
    if (request.is404) return answerUnknown(request, reply)
  })
  functions.post<{ Body: TypedSignUp }>(
    `/${signUpFunction}`,
    {
      bodyLimit: maxSignUpBodyBytes,
      onRequest(request, _reply, next) {
        admit(request, deps)
        next()
      },
    },
    async (request, reply) => answer(reply, await signUp(request, deps), request, deps),
  )
}

/** Refuses a request before its body is read. */
function admit(request: FastifyRequest, { gate, config }: SignUpDeps): void {
  const refusal = gate.refusalOf(request.raw, isForm(request) ? 'own-pages' : 'allowed-origins')
  if (refusal) throw rejections[refusal]
  // The public credential only keeps out callers that do not know the site, so it needs no
  // constant-time comparison.
  const credentials = [request.headers['apikey'], bearerToken(request)]
  if (!isForm(request) && !credentials.includes(config.anonKey)) throw rejections.credential
  // Fastify would pass a request without a body and its type on unread.
  const { 'content-type': type, 'content-encoding': coding } = request.headers
  if (type === undefined || coding !== undefined) throw rejections.mediaType
}

async function signUp(
  request: FastifyRequest<{ Body: TypedSignUp }>,
  { register, counts, gate, config }: SignUpDeps,
): Promise<SignUpReply> {
  const { email, attribution } = request.body
  const parsed = parseEmailAddress(email)
  if (!parsed) {
    counts.countSignUp('invalid', attribution)
    return rejections.email
  }
  const { form, campaign } = attribution
  const { language, wording } = signUpPage
  const networks = gate.networksOf(request.raw)
  const outcome = await register({
    ...parsed,
    form,
    campaign,
    language,
    wording: wording.hash,
    networks,
  })
  counts.countSignUp(outcome.kind, attribution)
  if (outcome.kind === 'refused') counts.countLimit(outcome.by)
  return replyTo(outcome, shownAddress(parsed.address), config.hideAlreadyExists)
}

type SignUpReply = { status: 200; body: SignUpAccepted; address: string } | Rejected

/**
 * `isHidden`: nothing tells whether the address was on the list. Only a busy network is refused.
 */
function replyTo(outcome: SignUpOutcome, address: string, isHidden: boolean): SignUpReply {
  if (outcome.kind === 'refused' && (outcome.by === 'network' || !isHidden)) {
    const headers = { 'retry-after': String(outcome.retryAfterSeconds) }
    return rejected(429, 'too_many_requests', 'Too many sign-ups. Please try again later.', headers)
  }
  const told = isHidden ? undefined : outcome
  const body: SignUpAccepted = {
    success: true,
    alreadyExists: told?.kind === 'already-registered' || told?.kind === 'resent',
    resentAt: told && 'resentAt' in told ? isoTime(told.resentAt) : null,
    nextResendAt: told && 'nextResendAt' in told ? isoTime(told.nextResendAt) : null,
    receipt: told && 'receipt' in told ? told.receipt : null,
  }
  return { status: 200, body, address }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

type Rejected = ReturnType<typeof rejected>

const notStored = 'The sign-up could not be stored. Please try again in a moment.'

const rejections = {
  unknown: rejected(404, 'not_found', 'There is no function of this name.'),
  method: rejected(405, 'method_not_allowed', 'Only POST is answered here.', {
    allow: 'POST, OPTIONS',
  }),
  origin: rejected(403, 'forbidden_origin', 'This origin may not call the function.'),
  host: rejected(421, 'misdirected_request', 'This server does not answer for that host.'),
  credential: rejected(401, 'unauthorized', 'The public credential is missing or wrong.'),
  mediaType: rejected(415, 'unsupported_media_type', 'The body must be application/json.'),
  tooLarge: rejected(
    413,
    'body_too_large',
    `The body may have ${maxSignUpBodyBytes} bytes at most.`,
  ),
  body: rejected(400, 'bad_request', 'The body must be JSON of the form { "email": string }.'),
  email: rejected(400, 'invalid_email', 'Please enter a valid email address'),
  unavailable: rejected(503, 'unavailable', notStored, { 'retry-after': '30' }),
  fault: rejected(500, 'internal_error', 'Something went wrong here. Please try again.'),
}

function rejected(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
) {
  const body: SignUpRejected = { error: { code, message } }
  return { status, body, headers }
}

/** Never throws: a program gets JSON and a plain form gets its page, whatever went wrong. */
function rejectionOf(fault: FastifyError | Rejected, { log, counts }: SignUpDeps): Rejected {
  if (!(fault instanceof Error)) return fault
  if (fault.statusCode === 413) return rejections.tooLarge
  if (fault.statusCode === 415) return rejections.mediaType
  if (fault.statusCode !== undefined && fault.statusCode < 500) return rejections.body
  log.error('sign-up not stored', { cause: fault })
  if (!(fault instanceof Unavailable)) return rejections.fault
  counts.countSignUp('unavailable')
  return rejections.unavailable
}

/**
 * The page that answers a plain form gives the form back as it was filled in, if something was
 * wrong.
 */
function answer(
  reply: FastifyReply,
  result: SignUpReply,
  request: FastifyRequest,
  { pages }: SignUpDeps,
) {
  reply.code(result.status).header('cache-control', 'no-store')
  if ('headers' in result) reply.headers(result.headers)
  if (!isForm(request) || result === rejections.unknown) return reply.send(result.body)
  if ('address' in result) {
    const { address, body } = result
    const name = body.alreadyExists ? 'result-already-on-list' : 'result-sent'
    const { receipt } = body
    const receiptLink = receipt ? pages.part('receipt-link', { receipt }) : ''
    return sendHtml(reply, pages.page(name, { address }, { receiptLink }))
  }
  // A body that could not be read leaves nothing to give back.
  const typed = request.body as TypedSignUp | undefined
  const { form = '', campaign = '' } = typed?.attribution ?? {}
  const name = result === rejections.email ? 'result-invalid' : 'result-error'
  return sendHtml(reply, pages.page(name, { address: typed?.email ?? '', form, campaign }))
}
