import type { FastifyInstance } from 'fastify'
import { deskApiPath } from '#contract/desk-paths.ts'
import { alertsPath } from '#contract/test-address.ts'
import { redirectMark } from '#contract/redirect-mark.ts'
import { functionsPath, receiptsPath } from '#contract/sign-up.ts'
import type { Gate } from '../../http/gate.ts'
import type { SettingsHolder } from '../../settings/site-settings.ts'

/** Programs ask for these paths. They get the same answer at every name. */
const samePaths = new RegExp(
  `^(?:${functionsPath}|${receiptsPath}|${alertsPath}|${deskApiPath}/|/assets/|/doctor/|/(?:healthz|readyz|metrics)(?:\\?|$))`,
)

/**
 * Leads whoever opens a page at another name of the site, such as `www.`, to the public address:
 * forms are taken there alone, and so are the links of our mail.
 */
export function leadToPublicAddress(
  app: FastifyInstance,
  { gate, settings }: { gate: Gate; settings: SettingsHolder },
): void {
  app.addHook('onRequest', ({ method, url, raw }, reply, next) => {
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || samePaths.test(url) || !gate.isAtOtherName(raw) || isMarked(url)) return next()
    const marked = `${url}${url.includes('?') ? '&' : '?'}${redirectMark}`
    void reply.header('cache-control', 'no-store')
    void reply.redirect(settings.current.config.publicUrl + marked)
  })
}

/** It was led here before. */
function isMarked(url: string): boolean {
  return new URLSearchParams(url.replace(/^[^?]*\?/, '')).has(redirectMark)
}
