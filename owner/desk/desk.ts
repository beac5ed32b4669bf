import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import fastifyStatic from '@fastify/static'
import { fastifyTRPCPlugin, type FastifyTRPCPluginOptions } from '@trpc/server/adapters/fastify'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isLoopback } from '#server/configuration/loopback.ts'
import { nameCommands } from '#server/configuration/project-files.ts'
import { Unavailable } from '#server/database/database.ts'
import { refusals } from '#server/http/gate.ts'
import { prepareFile, sendPrepared } from '#server/http/prepared-file.ts'
import { dropEnded, forgetFormerOwner, isProofFresh, readSession } from './access/sessions.ts'
import type { Call, DeskContext } from './call.ts'
import { deskApiPath, deskPath } from './paths.ts'
import { type DeskRouter, deskRouter } from './router.ts'
import { exportWish, sendExport } from './routes/people.ts'

const hourMs = 60 * 60_000
/** A file of people to import. Strangers may send a code or the answer of a passkey. */
const maxBodyBytes = 40_000_000
const maxBodyOfStrangersBytes = 16_000

/** The owner's desk: its pages, its API, and the cleaning of its tables. */
export async function deskRoutes(app: FastifyInstance, context: DeskContext): Promise<void> {
  const { config, database, log, now, ownerEmail } = context
  await forgetFormerOwner(database, ownerEmail)
  const { protocol, hostname } = new URL(config.publicUrl)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    log.warn(
      'nobody can sign in at the desk: browsers refuse its cookie without https in PUBLIC_URL',
    )
  }
  context.repeat('cleaning the desk', hourMs, () => dropEnded(database, now()))
  await app.register(fastifyCookie)
  await app.register((scope) => apiRoutes(scope, context), { prefix: deskApiPath })
  await pageRoutes(app, context)
}

/** Checks the origin first, then the session, then the path, so that strangers learn no paths. */
async function apiRoutes(app: FastifyInstance, context: DeskContext): Promise<void> {
  app.setErrorHandler((fault, _request, reply) => {
    if (!(fault instanceof Unavailable)) throw fault
    reply.header('retry-after', '30')
    return refuse(reply, 503, 'SERVICE_UNAVAILABLE', 'The database does not answer.')
  })
  app.decorateRequest('call', null)
  app.addHook('onRoute', (route) => {
    route.bodyLimit = maxBodyBytes
  })
  app.addHook('onRequest', async (request, reply) => {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    const refusal = isWrite ? context.gate.refusalOf(request.raw, 'own-pages') : undefined
    if (refusal) {
      const { status, sentence } = refusals[refusal]
      return refuse(reply, status, 'FORBIDDEN', sentence)
    }
    const call = { ...context, request, reply }
    const session = await readSession(call)
    request.setDecorator('call', { ...call, session })
    const isDoor = request.url.startsWith(`${deskApiPath}/signIn.`)
    if (!session && !isDoor) return refuse(reply, 401, 'UNAUTHORIZED', 'Nobody is signed in here.')
    const length = Number(request.headers['content-length'] ?? Infinity)
    if (!session && isWrite && !(length <= maxBodyOfStrangersBytes)) {
      return refuse(reply, 413, 'PAYLOAD_TOO_LARGE', 'That is too much.')
    }
  })
  app.post('/export', async (request, reply) => {
    const call = request.getDecorator<Call>('call')
    const { data: wish } = exportWish.safeParse(request.body)
    if (!call.session || !isProofFresh(call.session, call.now())) {
      return refuse(reply, 403, 'FORBIDDEN', 'Confirm that it is you.')
    }
    if (!wish) return refuse(reply, 400, 'BAD_REQUEST', 'The server does not accept this input.')
    return sendExport(wish, call)
  })
  app.get('/guide', (_request, reply) =>
    reply
      .type('application/pdf')
      .send(readFileSync(join(context.folder, 'dist/kit/setup-guide.pdf'))),
  )
  await app.register(fastifyTRPCPlugin, { trpcOptions: proceduresFor(context) })
}

function proceduresFor({ log }: DeskContext): FastifyTRPCPluginOptions<DeskRouter>['trpcOptions'] {
  return {
    router: deskRouter,
    createContext: ({ req }) => req.getDecorator<Call>('call'),
    allowMethodOverride: true,
    onError({ error, req }) {
      if (error.code === 'INTERNAL_SERVER_ERROR') {
        log.error('request to the desk failed', { method: req.method, cause: error.cause ?? error })
      }
    },
  }
}

/** In the form of the API's own errors. */
function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply
    .code(status)
    .send({ error: { message, code: -32_000, data: { code, httpStatus: status } } })
}

/**
 * Every path below /desk that is not a file gets the app itself, which shows the view of that path.
 */
async function pageRoutes(app: FastifyInstance, { folder }: DeskContext): Promise<void> {
  const built = join(folder, 'dist/desk')
  const page = await prepareFile(nameCommands(readFileSync(join(built, 'index.html'), 'utf8')), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  for (const path of [deskPath, `${deskPath}/*`]) {
    app.get(path, (request, reply) => sendPrepared(request, reply, page))
  }
  // The name of an asset holds a hash of its contents: an address never gets other bytes.
  await app.register(fastifyStatic, {
    root: join(built, 'assets'),
    prefix: `${deskPath}/assets/`,
    decorateReply: false,
    preCompressed: true,
    index: false,
    maxAge: '1y',
    immutable: true,
  })
}

/**
 * The component library writes styles at run time. Scripts are as strict as on the pages of
 * visitors.
 */
const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')
