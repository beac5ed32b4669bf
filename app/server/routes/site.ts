import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Reader } from '../database/database.ts'
import { appliedMigrations, siteMigrations } from '../database/open-database.ts'
import { readMailState } from '../deliveries/mail-state.ts'
import { assetRoutes } from '../http/assets.ts'
import { isSameSecret } from '../http/gate.ts'
import { sendPrepared } from '../http/prepared-file.ts'
import { readCampaign } from '#contract/campaign.ts'
import type { SiteHolder } from '../site/served-site.ts'
import type { SettingsHolder } from '../settings/site-settings.ts'
import type { Counts } from '../statistics/counts.ts'
import { sendText } from '../http/replies.ts'
import { bearerToken, whenSent } from '../http/request.ts'

export interface SiteDeps {
  settings: SettingsHolder
  site: SiteHolder
  /** The folder of the build, which holds `assets`. */
  dist: string
  counts: Counts
  database: Reader
  /** ms since 1970. */
  now: () => number
}

/** The landing page, the files that anybody may fetch, and what the owner's monitoring asks. */
export async function siteRoutes(app: FastifyInstance, deps: SiteDeps): Promise<void> {
  const { settings, site, counts } = deps
  app.get('/', (request, reply) => {
    const { pages } = site.current
    if (settings.current.isHeldBack) return sendPrepared(request, reply, pages.opensSoon)
    whenSent(request, reply, () => {
      const { searchParams } = new URL(request.url, 'http://localhost')
      counts.countVisit(
        'landing-viewed',
        request.headers,
        readCampaign(searchParams.get('utm_source')),
      )
    })
    return sendPrepared(request, reply, pages.landing)
  })
  app.get('/:file', (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    // Browsers and readers of feeds ask for the icon here, whatever a page links.
    const file = site.current.rootFiles.get(path === '/favicon.ico' ? '/icon-192.png' : path)
    return file ? sendPrepared(request, reply, file) : reply.callNotFound()
  })
  assetRoutes(app, '/assets/', join(deps.dist, 'assets'))
  monitoringRoutes(app, deps)
}

function monitoringRoutes(app: FastifyInstance, deps: SiteDeps): void {
  const { database, settings, counts } = deps
  app.get('/healthz', (_request, reply) => sendText(reply, 'ok'))
  app.get('/readyz', async (_request, reply) => {
    const applied = await appliedMigrations(database).catch(() => undefined)
    if (!applied) return sendText(reply.code(503), 'the database does not answer')
    const isReady = siteMigrations.every(({ name }) => applied.has(name))
    return isReady ? sendText(reply, 'ready') : sendText(reply.code(503), 'migrations are missing')
  })
  app.get('/metrics', async (request, reply) => {
    const { metricsToken = '' } = settings.current.config
    const { metrics } = counts
    if (!metrics || !isSameSecret(bearerToken(request) ?? '', metricsToken)) {
      return reply.callNotFound()
    }
    return reply
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await metrics.text(await readGauges(deps)))
  })
}

async function readGauges({ database, now }: SiteDeps) {
  const { waiting, mailingsWaiting, oldestQueuedAt, trouble } = await readMailState(database, now())
  const secondsSince = (at: number | undefined) =>
    at === undefined ? 0 : Math.max(0, (now() - at) / 1000)
  return {
    deliveries_unsent: waiting + mailingsWaiting,
    deliveries_oldest_unsent_seconds: secondsSince(oldestQueuedAt),
    mail_stuck_seconds: secondsSince(trouble?.kind === 'stuck' ? trouble.since : undefined),
    mail_late_seconds: secondsSince(trouble?.kind === 'late' ? trouble.since : undefined),
  }
}
