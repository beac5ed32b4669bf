import type { FastifyInstance } from 'fastify'
import { deskPath } from '#contract/desk-paths.ts'
import { functionsPath } from '#contract/sign-up.ts'
import { sendPrepared } from '../../http/prepared-file.ts'
import type { SiteHolder } from '../../site/served-site.ts'
import type { SettingsHolder } from '../../settings/site-settings.ts'

/** Paths that are answered before the server knows its address, which the desk asks for. */
const openPaths = new RegExp(
  `^(?:${deskPath}(?:[/?]|$)|${functionsPath}|/assets/|/favicon\\.svg$|/doctor/|/(?:healthz|readyz|metrics)(?:\\?|$))`,
)

/**
 * A server that does not know its address answers for any host, so nothing but the desk is there
 * yet.
 */
export function holdBack(
  app: FastifyInstance,
  { settings, site }: { settings: SettingsHolder; site: SiteHolder },
): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { isAddressKnown, isHeldBack } = settings.current
    if (isAddressKnown || !isHeldBack || openPaths.test(request.url)) next()
    else void sendPrepared(request, reply, site.current.pages.opensSoon)
  })
}
