import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ContentError } from '#site/kit/content-error.ts'
import { Unavailable } from '#server/database/database.ts'
import { refusals } from '#server/http/gate.ts'
import { readSession } from '#owner/access/sign-in/sessions.ts'
import type { DeskContext, DeskRequest } from '#owner/acts/desk-request.ts'
import { CommandError, FieldError } from '#owner/acts/errors.ts'
import { type Guard, refusalOf } from '#owner/acts/guard.ts'
import { deskApiPath } from '#contract/desk-paths.ts'
import { isCheapToParse } from '#owner/acts/json-cost.ts'

/** Calls, of which a picture of a letter is the largest. */
const maxCallBytes = 4_000_000
/** Strangers may send a code or the answer of a passkey. */
const maxCallOfStrangersBytes = 16_000

/** Some 500,000 people. */
const maxImportBytes = 40_000_000

const bytesType = 'application/octet-stream'

/** The decoration of a Fastify request that holds its DeskRequest. */
const decoration = 'deskRequest'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call a route of the desk's API. */
    guard?: Guard
  }
}

interface BytesRoute {
  method: 'GET' | 'POST'
  url: string
  guard: Guard
  /** As a call if it is undefined. */
  maxBodyBytes?: number
  answer(deskRequest: DeskRequest): Promise<FastifyReply>
}

/**
 * What takes or gives a file, which the calls of the router do not carry. What answers is imported
 * at the first request: most hours nobody is at the desk.
 */
export const bytesRoutes: readonly BytesRoute[] = [
  { method: 'POST', url: '/export', guard: 'proof', answer: answerExport },
  {
    method: 'POST',
    url: '/import-file',
    guard: 'owner',
    maxBodyBytes: maxImportBytes,
    answer: answerTriedImport,
  },
  {
    method: 'POST',
    url: '/start-import',
    guard: 'proof',
    maxBodyBytes: maxImportBytes,
    answer: answerStartedImport,
  },
  {
    method: 'POST',
    url: '/suppress-file',
    guard: 'owner',
    maxBodyBytes: maxImportBytes,
    answer: answerSuppressFile,
  },
  {
    method: 'POST',
    url: '/start-suppress',
    guard: 'proof',
    maxBodyBytes: maxImportBytes,
    answer: answerStartSuppress,
  },
  {
    method: 'GET',
    url: '/page-as-file',
    guard: 'owner',
    answer: async (deskRequest) =>
      (await import('#owner/site/files/answer-files.ts')).sendPage(deskRequest),
  },
  {
    method: 'POST',
    url: '/page-as-file',
    guard: 'owner',
    maxBodyBytes: 22_000_000, // with a file of each kind, as large as it may be
    answer: async (deskRequest) =>
      (await import('#owner/site/files/answer-files.ts')).takePage(deskRequest),
  },
  {
    method: 'POST',
    url: '/page-file',
    guard: 'owner',
    maxBodyBytes: 11_000_000, // a guide of 10 MB, or little more, which gets a sentence
    answer: answerPageFile,
  },
]

/** The desk's API: the procedures of the router, and files. */
export async function apiRoutes(app: FastifyInstance, desk: DeskContext): Promise<void> {
  app.setErrorHandler(answerFault)
  app.decorateRequest(decoration, null)
  app.addHook('onRequest', (request, reply) => admit(desk, request, reply))
  app.addContentTypeParser(bytesType, { parseAs: 'buffer' }, asItIs)
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, jsonText)
  for (const { method, url, guard, maxBodyBytes, answer } of bytesRoutes) {
    app.route({
      method,
      url,
      bodyLimit: maxBodyBytes ?? maxCallBytes,
      config: { guard },
      handler: (request) => answer(deskRequestOf(request)),
    })
  }
  // The procedures.
  app.all<{ Params: { path: string } }>('/:path', { bodyLimit: maxCallBytes }, async (request) => {
    const { answerCall } = await import('./answer-call.ts')
    return answerCall(deskRequestOf(request), request.params.path)
  })
}

type TakeBody = (fault: Error | null, body?: string | Buffer) => void

function asItIs(_request: FastifyRequest, body: Buffer, done: TakeBody): void {
  done(null, body)
}

/** It stays a text: tRPC parses it itself. */
function jsonText(_request: FastifyRequest, body: string, done: TakeBody): void {
  if (isCheapToParse(body)) done(null, body)
  else done(new InputFault())
}

/** An input that no page of the desk sends. */
class InputFault extends Error {}

/** Answers faults of the routes beside the router, in its form. */
function answerFault(fault: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (fault instanceof InputFault) return refuse(reply, refusedInput)
  if (fault instanceof CommandError || fault instanceof ContentError) {
    const field = fault instanceof FieldError ? fault.field : undefined
    return refuse(reply, { status: 409, code: 'CONFLICT', message: fault.message, field })
  }
  if (isTooLarge(fault)) {
    const message = `The file is larger than ${request.routeOptions.bodyLimit / 1_000_000} MB.`
    return refuse(reply, { status: 413, code: 'PAYLOAD_TOO_LARGE', message })
  }
  if (!(fault instanceof Unavailable)) throw fault
  reply.header('retry-after', '30')
  const message = 'The database does not answer.'
  return refuse(reply, { status: 503, code: 'SERVICE_UNAVAILABLE', message })
}

function isTooLarge(fault: unknown): boolean {
  return fault instanceof Error && 'statusCode' in fault && fault.statusCode === 413
}

function deskRequestOf(request: FastifyRequest): DeskRequest {
  return request.getDecorator<DeskRequest>(decoration)
}

/**
 * Checks the origin first, then the guard, then the path, so that strangers learn no paths. A route
 * without a guard of its own holds calls, whose procedures have theirs: strangers may sign in.
 */
async function admit(
  { server, folder }: DeskContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  reply.header('cache-control', 'no-store') // answers hold people's addresses
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  const refusal = isWrite ? server.gate.refusalOf(request.raw, 'desk') : undefined
  if (refusal) {
    const { status, sentence } = refusals[refusal]
    return refuse(reply, { status, code: 'FORBIDDEN', message: sentence })
  }
  const deskRequest: DeskRequest = {
    server,
    ownerEmail: server.config.ownerEmail,
    folder,
    request,
    reply,
    session: undefined,
  }
  deskRequest.session = await readSession(deskRequest)
  request.setDecorator(decoration, deskRequest)
  const isSigningIn = request.url.startsWith(`${deskApiPath}/signIn.`)
  const guard = request.routeOptions.config.guard ?? (isSigningIn ? 'anyone' : 'owner')
  const refused = refusalOf(guard, deskRequest)
  if (refused) return refuse(reply, refused)
  // A call as large as a file would be looked through and parsed on the visitors' thread.
  const isForFiles = request.routeOptions.bodyLimit > maxCallBytes
  if (isForFiles && request.headers['content-type'] !== bytesType) return refuse(reply, noFile)
  if (deskRequest.session) return undefined
  const length = Number(request.headers['content-length'] ?? Infinity)
  if (isWrite && !(length <= maxCallOfStrangersBytes)) {
    return refuse(reply, {
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
      message: 'That is too large.',
    })
  }
  return undefined
}

async function answerExport(deskRequest: DeskRequest): Promise<FastifyReply> {
  const { exportWish, sendExport } = await import('#owner/people/export/export-file.ts')
  const { data: wish } = exportWish.safeParse(jsonOf(deskRequest.request))
  return wish ? sendExport(deskRequest, wish) : refuseInput(deskRequest)
}

async function answerTriedImport(deskRequest: DeskRequest): Promise<FastifyReply> {
  const { answerTrial, trialWish } = await import('#owner/people/import/import-file.ts')
  const { data: wish } = trialWish.safeParse(deskRequest.request.query)
  return wish ? answerTrial(deskRequest, wish) : refuseInput(deskRequest)
}

async function answerStartedImport(deskRequest: DeskRequest): Promise<FastifyReply> {
  const { answerStart, importWish } = await import('#owner/people/import/import-file.ts')
  const { data: wish } = importWish.safeParse(deskRequest.request.query)
  return wish ? answerStart(deskRequest, wish) : refuseInput(deskRequest)
}

async function answerSuppressFile(deskRequest: DeskRequest): Promise<FastifyReply> {
  const { answerTriedSuppress, suppressWish } =
    await import('#owner/people/suppress/suppress-file.ts')
  const { data: wish } = suppressWish.safeParse(deskRequest.request.query)
  return wish ? answerTriedSuppress(deskRequest, wish) : refuseInput(deskRequest)
}

async function answerStartSuppress(deskRequest: DeskRequest): Promise<FastifyReply> {
  const { answerStartedSuppress, suppressWish } =
    await import('#owner/people/suppress/suppress-file.ts')
  const { data: wish } = suppressWish.safeParse(deskRequest.request.query)
  return wish ? answerStartedSuppress(deskRequest, wish) : refuseInput(deskRequest)
}

async function answerPageFile(deskRequest: DeskRequest): Promise<FastifyReply> {
  const { givenFile, takePageFile } = await import('#owner/site/files/answer-files.ts')
  const { data: given } = givenFile.safeParse(deskRequest.request.query)
  return given ? takePageFile(deskRequest, given) : refuseInput(deskRequest)
}

function jsonOf({ body }: FastifyRequest): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined
  } catch {
    return undefined
  }
}

function refuseInput({ reply }: DeskRequest): FastifyReply {
  return refuse(reply, refusedInput)
}

const refusedInput: Refusal = {
  status: 400,
  code: 'BAD_REQUEST',
  message: 'The server does not accept this input.',
}

const noFile: Refusal = {
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: `A file is sent as ${bytesType}.`,
}

interface Refusal {
  status: number
  code: string
  message: string
  /** The field of a form that the message is about. */
  field?: string | undefined
}

/** In the form of the API's own errors. */
function refuse(reply: FastifyReply, { status, code, message, field }: Refusal): FastifyReply {
  return reply
    .code(status)
    .send({ error: { message, code: -32_000, data: { code, httpStatus: status, field } } })
}
