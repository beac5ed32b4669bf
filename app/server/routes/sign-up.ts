import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { suggestAddress } from '#contract/address-slip.ts'
import { parseEmailAddress } from '#contract/email-address.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { maxSignUpBodyBytes, signUpFunction, signUpPath } from '#contract/sign-up.ts'
import { Unavailable } from '../database/database.ts'
import type { Gate } from '../http/gate.ts'
import type { Templates } from '../http/pages.ts'
import type { Log } from '../log.ts'
import { readFormSignUp, readJsonSignUp, type TypedSignUp } from '../sign-up/read-sign-up.ts'
import type { SignUp, SignUpOutcome } from '../sign-up/register-sign-up.ts'
import type { Counts } from '../statistics/counts.ts'
import { allowCors } from '../http/cors.ts'
import { sendHtml } from '../http/replies.ts'
import { bearerToken, isForm } from '../http/request.ts'
import { type Rejected, rejections, replyTo, type SignUpReply } from '../sign-up/sign-up-replies.ts'

/** The parts of what is served that a sign-up needs. */
interface SignUpSite {
  readonly pages: Templates
  readonly content: { readonly brand: { readonly language: string } }
  /** The words of the page that asks for the address. */
  readonly wordings: { readonly signUp: { readonly hash: string } }
}

interface SiteHolder {
  /** Read it for each request. */
  readonly current: SignUpSite
}

export interface SignUpDeps {
  /** Stores a sign-up and its mail, or refuses it. */
  register(signUp: SignUp): Promise<SignUpOutcome>
  gate: Gate
  counts: Counts
  settings: { readonly current: { readonly isHeldBack: boolean } }
  site: SiteHolder
  log: Log
  /** The public credential. */
  anonKey: string
  /** A repeated sign-up is answered like a new one. */
  hideAlreadyExists: boolean
}

/** `/functions/v1/send-starter-bot-email`: JSON to a program, a page to a plain form. */
export async function signUpRoutes(scope: FastifyInstance, deps: SignUpDeps): Promise<void> {
  const { site } = deps
  await allowCors(scope, deps.gate, 'POST')
  readBodies(scope)
  scope.setErrorHandler<FastifyError>((fault, request, reply) =>
    answer(reply, rejectionOf(fault, deps), request, site.current),
  )
  answerOtherPaths(scope, site)
  scope.post<{ Body: TypedSignUp }>(
    `/${signUpFunction}`,
    {
      bodyLimit: maxSignUpBodyBytes,
      onRequest(request, _reply, next) {
        admit(request, deps)
        next()
      },
    },
    async (request, reply) => {
      const meant = slipIn(request.body)
      if (meant !== undefined) return askAboutSlip(reply, request.body, meant, site.current.pages)
      return answer(reply, await signUp(request, deps), request, site.current)
    },
  )
}

/** The address that was probably meant, if a plain form has not been asked about it yet. */
function slipIn({ email, isConfirmed }: TypedSignUp): string | undefined {
  const parsed = isConfirmed ? undefined : parseEmailAddress(email)
  return parsed && suggestAddress(parsed.address)
}

/** The script of the page asks the same before it sends anything. */
function askAboutSlip(
  reply: FastifyReply,
  { email, attribution: { form, campaign } }: TypedSignUp,
  meant: string,
  pages: Templates,
): FastifyReply {
  void reply.header('cache-control', 'no-store')
  return sendHtml(reply, pages.page('result-slip', { address: email, meant, form, campaign }))
}

function readBodies(scope: FastifyInstance): void {
  const asBuffer = { parseAs: 'buffer' } as const
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', asBuffer, readJsonSignUp)
  scope.addContentTypeParser('application/x-www-form-urlencoded', asBuffer, readFormSignUp)
}

/** A function that is not there, or another method. */
function answerOtherPaths(scope: FastifyInstance, site: SiteHolder): void {
  const answerOther = (request: FastifyRequest, reply: FastifyReply) => {
    const isOurs = request.url.split('?', 1)[0] === signUpPath
    if (isOurs) return answer(reply, rejections.method, request, site.current)
    // A form gets JSON as well: the caller of a function that is not there is a program.
    return sendJson(reply, rejections.unknown)
  }
  scope.setNotFoundHandler(answerOther)
  // A not-found handler runs once the body is parsed, which refuses most bodies with 400 or 415.
  scope.addHook('onRequest', (request, reply, next) => {
    if (request.is404) void answerOther(request, reply)
    else next()
  })
}

/** Refuses a request before its body is read: it throws the rejection. */
function admit(request: FastifyRequest, { gate, settings, anonKey }: SignUpDeps): void {
  if (settings.current.isHeldBack) throw rejections.notOpen
  const refusal = gate.refusalOf(request.raw, isForm(request) ? 'own-pages' : 'allowed-origins')
  if (refusal) throw rejections[refusal]
  // The public credential only keeps out callers that do not know the site, so it needs no
  // constant-time comparison.
  const credentials = [request.headers['apikey'], bearerToken(request)]
  if (!isForm(request) && !credentials.includes(anonKey)) throw rejections.credential
  // Without a body and its type, Fastify would run the route with no body parsed.
  const { 'content-type': type, 'content-encoding': coding } = request.headers
  if (type === undefined || coding !== undefined) throw rejections.mediaType
}

async function signUp(
  request: FastifyRequest<{ Body: TypedSignUp }>,
  { register, counts, gate, site, hideAlreadyExists }: SignUpDeps,
): Promise<SignUpReply> {
  const { email, attribution } = request.body
  const parsed = parseEmailAddress(email)
  if (!parsed) {
    counts.countSignUp('invalid', attribution)
    return rejections.email
  }
  const { content, wordings } = site.current
  const outcome = await register({
    ...parsed,
    form: attribution.form,
    campaign: attribution.campaign,
    // A program shows words of its own, or none.
    ...(attribution.form !== 'program' && {
      language: content.brand.language,
      wording: wordings.signUp.hash,
    }),
    networks: gate.networksOf(request.raw),
  })
  counts.countSignUp(outcome.kind, attribution)
  if (outcome.kind === 'refused') counts.countLimit(outcome.by)
  return replyTo(outcome, parsed.address, hideAlreadyExists)
}

/** The rejection that answers a fault of any kind. It may have been thrown itself, by `admit`. */
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

function answer(
  reply: FastifyReply,
  result: SignUpReply,
  request: FastifyRequest,
  site: SignUpSite,
): FastifyReply {
  if (!isForm(request)) return sendJson(reply, result)
  writeHead(reply, result)
  return sendHtml(reply, resultPage(result, request, site))
}

function sendJson(reply: FastifyReply, result: SignUpReply): FastifyReply {
  writeHead(reply, result)
  return reply.send(result.body)
}

function writeHead(reply: FastifyReply, result: SignUpReply): void {
  void reply.header('cache-control', 'no-store')
  if (result.kind === 'rejected') void reply.code(result.status).headers(result.headers)
}

/** A page after a fault gives the form back as it was filled in. */
function resultPage(
  result: SignUpReply,
  request: FastifyRequest,
  { pages, content }: SignUpSite,
): string {
  if (result === rejections.notOpen) return pages.page('opens-soon', {})
  if (result === rejections.host) return pages.page('elsewhere', { path: '/' })
  if (result.kind === 'accepted') {
    const name = result.body.alreadyExists ? 'result-already-on-list' : 'result-sent'
    return pages.page(name, { address: shownAddress(result.address) })
  }
  // A body that could not be read leaves nothing to give back.
  const typed = request.body as TypedSignUp | undefined
  const { form = '', campaign = '' } = typed?.attribution ?? {}
  const values = { address: typed?.email ?? '', form, campaign }
  if (result.status === 429) {
    const time = waitInWords(Number(result.headers['retry-after']), content.brand.language)
    return pages.page('result-wait', { ...values, time })
  }
  return pages.page(result === rejections.email ? 'result-invalid' : 'result-error', values)
}

/** Such as "in 9 minutes". The server does not know the visitor's clock. */
function waitInWords(seconds: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language)
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 90) return words.format(minutes, 'minute')
  return words.format(Math.ceil(minutes / 60), 'hour')
}
