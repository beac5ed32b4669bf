import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { guideFile, scriptFile } from '#site/kit/kit-files.ts'
import { Unavailable } from '#server/database/database.ts'
import { sendDownload } from '#server/http/download.ts'
import { refusals } from '#server/http/gate.ts'
import { readSession } from '#owner/access/sessions.ts'
import { type DeskContext, type DeskRequest, isProofFresh } from '#owner/acts/desk-request.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { deskApiPath } from '#contract/desk-paths.ts'
import { FieldError } from '#owner/acts/field-error.ts'

/** A file of people to import. Strangers may send a code or the answer of a passkey. */
const maxBodyBytes = 40_000_000
const maxBodyOfStrangersBytes = 16_000

const bytesType = 'application/octet-stream'

/** The decoration of a Fastify request that holds its DeskRequest. */
const decoration = 'deskRequest'

/**
 * The desk's API: the procedures of the router, and files. What answers them is imported at the
 * first request: most hours nobody is at the desk.
 */
export async function apiRoutes(app: FastifyInstance, desk: DeskContext): Promise<void> {
  app.setErrorHandler(answerFault)
  app.decorateRequest(decoration, null)
  app.addHook('onRoute', (route) => {
    route.bodyLimit = maxBodyBytes
  })
  app.addHook('onRequest', (request, reply) => admit(desk, request, reply))
  app.addContentTypeParser(bytesType, { parseAs: 'buffer' }, asItIs)
  app.post('/export', answerExport)
  app.get('/page-as-file', async (request) => {
    const { sendPage } = await import('#owner/site/answer-files.ts')
    return sendPage(deskRequestOf(request))
  })
  app.post('/page-as-file', async (request) => {
    const { takePage } = await import('#owner/site/answer-files.ts')
    return takePage(deskRequestOf(request))
  })
  app.post('/page-file', answerPageFile)
  app.post('/import-file', answerImportFile)
  app.get('/guide', (request, reply) => sendKitFile(guideFile, desk, request, reply))
  app.get('/script', (request, reply) => sendKitFile(scriptFile, desk, request, reply))
  await app.register(callRoutes)
}

/** The procedures. tRPC parses their JSON itself. */
async function callRoutes(app: FastifyInstance): Promise<void> {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, asItIs)
  app.all<{ Params: { path: string } }>('/:path', async (request) => {
    const { answerCall } = await import('./answer-call.ts')
    return answerCall(deskRequestOf(request), request.params.path)
  })
}

function asItIs(
  _request: FastifyRequest,
  body: string | Buffer,
  done: (fault: null, body: string | Buffer) => void,
): void {
  done(null, body)
}

/** Answers faults of the routes beside the router, in its form. */
function answerFault(fault: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (fault instanceof CommandError) {
    return refuse(
      reply,
      409,
      'CONFLICT',
      fault.message,
      fault instanceof FieldError ? fault.field : undefined,
    )
  }
  if (isTooLarge(fault)) {
    return refuse(reply, 413, 'PAYLOAD_TOO_LARGE', 'The file is larger than 40 MB.')
  }
  if (!(fault instanceof Unavailable)) throw fault
  reply.header('retry-after', '30')
  return refuse(reply, 503, 'SERVICE_UNAVAILABLE', 'The database does not answer.')
}

function isTooLarge(fault: unknown): boolean {
  return fault instanceof Error && 'statusCode' in fault && fault.statusCode === 413
}

function deskRequestOf(request: FastifyRequest): DeskRequest {
  return request.getDecorator<DeskRequest>(decoration)
}

/** As visitors download it. */
function sendKitFile(
  name: string,
  { server }: DeskContext,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const file = server.site.current.kit.find((one) => one.name === name)
  if (!file) return refuse(reply, 404, 'NOT_FOUND', 'There is no such file.')
  return sendDownload(request, reply, file)
}

/** Checks the origin first, then the session, then the path, so that strangers learn no paths. */
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
    return refuse(reply, status, 'FORBIDDEN', sentence)
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
  if (deskRequest.session) return undefined
  if (!request.url.startsWith(`${deskApiPath}/signIn.`)) {
    return refuse(reply, 401, 'UNAUTHORIZED', 'Nobody is signed in here.')
  }
  const length = Number(request.headers['content-length'] ?? Infinity)
  if (isWrite && !(length <= maxBodyOfStrangersBytes)) {
    return refuse(reply, 413, 'PAYLOAD_TOO_LARGE', 'That is too large.')
  }
  return undefined
}

async function answerExport(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const deskRequest = deskRequestOf(request)
  if (!hasProof(deskRequest)) return refuseWithoutProof(reply)
  const { exportWish, sendExport } = await import('#owner/people/export-file.ts')
  const { data: wish } = exportWish.safeParse(request.body)
  return wish ? sendExport(deskRequest, wish) : refuseInput(reply)
}

async function answerImportFile(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const deskRequest = deskRequestOf(request)
  const { answerImport, importWish } = await import('#owner/people/import/import-file.ts')
  const { data: wish } = importWish.safeParse(request.query)
  if (!wish) return refuseInput(reply)
  if (wish.act === 'start' && !hasProof(deskRequest)) return refuseWithoutProof(reply)
  return answerImport(deskRequest, wish)
}

async function answerPageFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { givenFile, takePageFile } = await import('#owner/site/answer-files.ts')
  const { data: given } = givenFile.safeParse(request.query)
  return given ? takePageFile(deskRequestOf(request), given) : refuseInput(reply)
}

function hasProof({ session, server }: DeskRequest): boolean {
  return session !== undefined && isProofFresh(session, server.now())
}

function refuseWithoutProof(reply: FastifyReply): FastifyReply {
  return refuse(reply, 403, 'FORBIDDEN', 'Confirm that it is you.')
}

function refuseInput(reply: FastifyReply): FastifyReply {
  return refuse(reply, 400, 'BAD_REQUEST', 'The server does not accept this input.')
}

/** In the form of the API's own errors. `field`: that the message is about. */
function refuse(
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
  field?: string,
): FastifyReply {
  return reply
    .code(status)
    .send({ error: { message, code: -32_000, data: { code, httpStatus: status, field } } })
}
