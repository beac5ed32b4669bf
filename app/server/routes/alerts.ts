import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { alertsPath, maxAlertBytes } from '#contract/test-address.ts'
import { clientIpOf } from '../http/client-address.ts'
import { isSameSecret } from '../http/gate.ts'
import { keepPrivate } from '../http/personal-headers.ts'
import { sendPrepared } from '../http/prepared-file.ts'
import type { Database } from '../database/database.ts'
import type { SiteHolder } from '../site/served-site.ts'
import type { SettingsHolder } from '../settings/site-settings.ts'
import { isTokenForm } from '../subscribers/subscribers.ts'
import { arrivalFrom, receiveAlert, waitOf } from '../test-address/receive-alert.ts'
import { readingFor } from '../test-address/state.ts'
import { findByKey } from '../test-address/test-addresses.ts'
import { sendText } from '../http/replies.ts'

export interface AlertDeps {
  database: Database
  settings: SettingsHolder
  site: SiteHolder
  /** ms since 1970. */
  now: () => number
}

/**
 * `/alerts/KEY`: takes what TradingView sends to a visitor's test address. The key is the
 * permission, so neither origin nor host are asked about. Nothing is passed on.
 */
export async function alertRoutes(app: FastifyInstance, deps: AlertDeps): Promise<void> {
  keepPrivate(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
  // The type as it was sent: what Fastify cannot read it would answer with 415.
  app.decorateRequest('contentTypeSent', '')
  const onRequest = (request: AlertRequest, reply: FastifyReply) => admit(request, reply, deps)
  app.all<KeyRoute>('/:key', { bodyLimit: maxAlertBytes, onRequest }, (request, reply) =>
    receive(request, reply, deps),
  )
  // Fastify's `all` leaves out the methods of WebDAV.
  app.setNotFoundHandler((request, reply) =>
    hasKey(request) && request.method !== 'POST'
      ? sendWrongMethod(reply)
      : sendPrepared(request, reply, deps.site.current.pages.notFound),
  )
}

/** Without anything below the key. */
function hasKey({ url }: FastifyRequest): boolean {
  return /^[^/?]+(?:\?|$)/.test(url.slice(alertsPath.length))
}

interface KeyRoute {
  Params: { key: string }
}
type AlertRequest = FastifyRequest<KeyRoute>

declare module 'fastify' {
  interface FastifyRequest {
    contentTypeSent: string
  }
}

/** Runs before the body is taken: most of what strangers send ends here, and writes nothing. */
async function admit(
  request: AlertRequest,
  reply: FastifyReply,
  { database, now }: AlertDeps,
): Promise<FastifyReply | undefined> {
  if (request.method !== 'POST') return sendWrongMethod(reply)
  // A short body comes with its headers. Once it has been parsed the connection can stay open.
  if (!request.raw.complete) await nextTurn()
  const { key } = request.params
  const found = isTokenForm(key) ? await findByKey(database, key, now()) : undefined
  if (!found || !isSameSecret(key, found.key)) return sendEnded(reply)
  const waitMs = await waitOf(database, found.subscriber, now())
  if (waitMs !== undefined) return sendTooMany(reply, waitMs)
  const { headers } = request.raw
  request.contentTypeSent = headers['content-type'] ?? ''
  headers['content-type'] = 'application/octet-stream'
  return undefined
}

async function receive(
  request: AlertRequest,
  reply: FastifyReply,
  { database, settings, site, now }: AlertDeps,
): Promise<FastifyReply> {
  const { body, contentTypeSent: contentType } = request
  const sender = clientIpOf(request.raw, settings.current.config.trustedProxies)
  const posted = { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), contentType, sender }
  const arrival = arrivalFrom(posted, readingFor(site.current.content))
  const outcome = await receiveAlert(database, request.params.key, { arrival, now: now() })
  switch (outcome) {
    case 'stored':
      return sendText(reply, 'Received.')
    case 'ended':
      return sendEnded(reply)
    case 'too-many':
      return sendTooMany(reply, 60_000)
  }
}

function sendWrongMethod(reply: FastifyReply): FastifyReply {
  return sendText(reply.code(405).header('allow', 'POST'), 'Post an alert here.')
}

function sendEnded(reply: FastifyReply): FastifyReply {
  return sendText(reply.code(404), 'There is no such test address, or it has ended.')
}

function sendTooMany(reply: FastifyReply, waitMs: number): FastifyReply {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return sendText(
    reply.code(429).header('retry-after', String(seconds)),
    'A test address takes 60 messages a minute.',
  )
}
