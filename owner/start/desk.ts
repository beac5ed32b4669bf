import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { isLoopback } from '#server/settings/hosts.ts'
import { nameCommands } from '#server/project-files.ts'
import { assetRoutes } from '#server/http/assets.ts'
import { prepareFile, sendPrepared } from '#server/http/prepared-file.ts'
import { pageHeaders } from '#server/http/security-headers.ts'
import { deleteExpired, forgetFormerOwner } from '#owner/access/sign-in/sessions.ts'
import { apiRoutes } from './api-routes.ts'
import type { DeskContext } from '#owner/acts/desk-request.ts'
import { deskApiPath, deskPath, deskStartPath } from '#contract/desk-paths.ts'

const hourMs = 60 * 60_000

/** The owner's desk: its pages, its API, and the cleaning of its tables. */
export async function deskRoutes(app: FastifyInstance, desk: DeskContext): Promise<void> {
  const { settings, database, log, now, repeatDeleting } = desk.server
  const { config, isAddressKnown } = settings.current
  if (config.ownerEmail !== undefined) await forgetFormerOwner(database, config.ownerEmail)
  const { protocol, hostname } = new URL(config.publicUrl)
  if (isAddressKnown && protocol === 'http:' && !isLoopback(hostname)) {
    log.warn(
      'nobody can sign in at the desk: browsers refuse its cookie without https in PUBLIC_URL',
    )
  }
  repeatDeleting('cleaning the desk', hourMs, () => deleteExpired(database, now()))
  await app.register(fastifyCookie)
  await app.register((scope) => apiRoutes(scope, desk), { prefix: deskApiPath })
  await pageRoutes(app, desk)
}

/**
 * Every path below /desk that is not a file gets the app itself, which shows the view of that path.
 */
async function pageRoutes(app: FastifyInstance, { server, folder }: DeskContext): Promise<void> {
  const built = join(folder, 'dist/desk')
  const page = await prepareFile(nameCommands(readFileSync(join(built, 'index.html'), 'utf8')), {
    ...pageHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  for (const path of [deskPath, `${deskPath}/*`]) {
    app.get(path, (request, reply) => sendPrepared(request, reply, page))
  }
  app.get(deskStartPath, (request, reply) =>
    server.config.ownerEmail === undefined
      ? sendPrepared(request, reply, page)
      : reply.callNotFound(),
  )
  assetRoutes(app, `${deskPath}/assets/`, join(built, 'assets'))
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
