import fastifyCompress from '@fastify/compress'
import fastifyStatic from '@fastify/static'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { functionsPath } from '#contract/sign-up.ts'
import { clientLimits, type ClientLimits, limitClients } from '../http/client-limits.ts'
import { isFromThisMachine } from '../http/gate.ts'
import { sendPrepared } from '../http/prepared-file.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import { isValidRequest } from '../http/valid-request.ts'
import { failureHandler, sendText } from '../routes/failures.ts'
import { type PersonalPageDeps, personalPageRoutes } from '../routes/personal-page.ts'
import { receiptRoutes } from '../routes/receipts.ts'
import { type SignUpDeps, signUpRoutes } from '../routes/sign-up.ts'
import { type SiteDeps, siteRoutes } from '../routes/site.ts'
import type { LocalInbox } from '../transports/local-inbox.ts'

export interface AppDeps extends SignUpDeps, PersonalPageDeps, SiteDeps {
  security: SecurityHeaders
  /** Development only. */
  inbox: LocalInbox | undefined
  limits?: ClientLimits | undefined
}

/** Otherwise a start loads the compilers of JSON schemas, which takes 40 ms. */
const noSchemas = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

function refuseSchema(): never {
  throw new Error('No route has a JSON schema')
}

/** Every route that serves a visitor. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { pages, security, limits = clientLimits, config } = deps
  const app = Fastify({
    http: { ...limits, requireHostHeader: false }, // a request without Host gets its 400 with our headers
    keepAliveTimeout: limits.keepAliveTimeout,
    requestTimeout: limits.requestTimeout,
    bodyLimit: 16 * 1024,
    return503OnClosing: false, // what has arrived is answered
    schemaController: { compilersFactory: noSchemas },
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (_fault, _request, reply: FastifyReply) =>
      void sendText(reply.code(400), 'Bad request'),
  })
  limitClients(app, limits, config.trustedProxies > 0)
  app.addHook('onRequest', ({ raw }, reply, next) => {
    void reply.headers(security.data)
    if (isValidRequest(raw)) next()
    else void sendText(reply.code(400).header('connection', 'close'), 'Bad request')
  })
  app.setErrorHandler(failureHandler(deps))
  app.decorateReply('documentHeaders', { getter: () => security.document })
  app.setNotFoundHandler((request, reply) => sendPrepared(request, reply, pages.notFound))

  await app.register(fastifyCompress, { global: false })
  await app.register(fastifyStatic, { root: deps.dist, serve: false }) // for reply.sendFile
  await app.register((scope) => signUpRoutes(scope, deps), { prefix: functionsPath.slice(0, -1) })
  await app.register((scope) => receiptRoutes(scope, deps))
  await app.register((scope) => personalPageRoutes(scope, deps), { prefix: '/kit' })
  await app.register((scope) => siteRoutes(scope, deps))
  if (deps.inbox) inboxRoutes(app, deps.inbox)
  return app
}

function inboxRoutes(app: FastifyInstance, inbox: LocalInbox): void {
  app.get('/dev/inbox*', async (request, reply) => {
    const answer = isFromThisMachine(request.raw)
      ? await inbox.answer(request.url.split('?', 1)[0]!)
      : undefined
    if (!answer) return reply.callNotFound()
    return reply.headers(answer.headers).send(answer.body)
  })
}
