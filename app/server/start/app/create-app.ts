import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { functionsPath } from '#contract/sign-up.ts'
import { alertsPath } from '#contract/test-address.ts'
import type { Database } from '../../database/database.ts'
import { type ClientLimits, limitClients } from '../../http/client-limits.ts'
import { type Gate, isFromThisMachine } from '../../http/gate.ts'
import { sendPrepared } from '../../http/prepared-file.ts'
import type { Log } from '../../log.ts'
import { sendText } from '../../http/replies.ts'
import { alertRoutes } from '../../routes/alerts.ts'
import { personalPageRoutes } from '../../routes/personal-page/personal-page.ts'
import { receiptRoutes } from '../../routes/receipts.ts'
import { type SignUpDeps, signUpRoutes } from '../../routes/sign-up.ts'
import { privacyRoute } from '../../routes/privacy.ts'
import { siteRoutes } from '../../routes/site.ts'
import type { SiteHolder } from '../../site/served-site.ts'
import type { SettingsHolder } from '../../settings/site-settings.ts'
import type { Counts } from '../../statistics/counts.ts'
import type { RecordEvent } from '../../subscribers/events.ts'
import type { LocalInbox } from '../../transports/local-inbox.ts'
import { failureHandler } from './failures.ts'
import { holdBack } from './held-back.ts'
import { leadToPublicAddress } from './other-names.ts'
import { isValidRequest } from './valid-request.ts'

/**
 * Opens the local inbox. It is loaded when somebody looks at it: most of it is a reader of mail.
 */
export type OpenInbox = () => Promise<Pick<LocalInbox, 'answer'>>

export interface AppDeps {
  settings: SettingsHolder
  database: Database
  gate: Gate
  counts: Counts
  log: Log
  recordEvent: RecordEvent
  /** ms since 1970. */
  now: () => number
  /** Stores a sign-up and its mail, or refuses it. */
  register: SignUpDeps['register']
  site: SiteHolder
  /** The folder of the build. */
  dist: string
  /** Development only. */
  openInbox: OpenInbox | undefined
  limits: ClientLimits
}

/** Otherwise a start loads the compilers of JSON schemas, which takes 40 ms. */
const noSchemas = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

function refuseSchema(): never {
  throw new Error('No route has a JSON schema')
}

/** Every route that serves a visitor. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const { settings, log, site, limits } = deps
  const app = Fastify({
    // A request without Host gets its 400 with our headers.
    http: { ...limits, requireHostHeader: false },
    // Fastify sets these two on the server itself, over those of `http`.
    keepAliveTimeout: limits.keepAliveTimeout,
    requestTimeout: limits.requestTimeout,
    bodyLimit: 16 * 1024,
    return503OnClosing: false, // what has arrived is answered
    schemaController: { compilersFactory: noSchemas },
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (_fault, _request, reply: FastifyReply) =>
      void sendText(reply.code(400), 'Bad request'),
  })
  limitClients(app, limits, settings.current.config.trustedProxies > 0)
  app.addHook('onRequest', ({ raw }, reply, next) => {
    void reply.headers(site.current.security.data)
    if (isValidRequest(raw)) next()
    else void sendText(reply.code(400).header('connection', 'close'), 'Bad request')
  })
  holdBack(app, deps)
  leadToPublicAddress(app, deps)
  app.setErrorHandler(failureHandler(log, site))
  app.decorateReply('documentHeaders', { getter: () => site.current.security.document })
  app.setNotFoundHandler((request, reply) =>
    sendPrepared(request, reply, site.current.pages.notFound),
  )

  await registerRoutes(app, deps)
  if (deps.openInbox) inboxRoutes(app, deps.openInbox)
  return app
}

async function registerRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { settings, database, gate, counts, log, recordEvent, now, register, site, dist } = deps
  const { anonKey, hideAlreadyExists } = settings.current.config
  const signUp = { register, gate, counts, settings, site, log, anonKey, hideAlreadyExists }
  const receipts = { database, gate, now }
  const personalPage = { database, gate, counts, settings, site, recordEvent, now }
  const siteDeps = { settings, site, dist, counts, database, now }
  const alerts = { database, settings, site, now }

  const functionsPrefix = functionsPath.slice(0, -1) // without the slash at the end
  await app.register((scope) => signUpRoutes(scope, signUp), { prefix: functionsPrefix })
  await app.register((scope) => receiptRoutes(scope, receipts))
  await app.register((scope) => personalPageRoutes(scope, personalPage), { prefix: '/kit' })
  await app.register((scope) => alertRoutes(scope, alerts), { prefix: alertsPath.slice(0, -1) })
  await app.register((scope) => siteRoutes(scope, siteDeps))
  privacyRoute(app, { settings, site, database })
}

function inboxRoutes(app: FastifyInstance, openInbox: OpenInbox): void {
  app.get('/dev/inbox*', async (request, reply) => {
    const answer = isFromThisMachine(request.raw)
      ? await (await openInbox()).answer(request.url.split('?', 1)[0]!)
      : undefined
    if (!answer) return reply.callNotFound()
    return reply.headers(answer.headers).send(answer.body)
  })
}
