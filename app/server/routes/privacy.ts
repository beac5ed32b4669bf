import type { FastifyInstance } from 'fastify'
import type { Content } from '#content/content.ts'
import type { RequestValues } from '#site/pages/page-table.ts'
import { fill } from '#site/text/fill.ts'
import type { Database } from '../database/database.ts'
import type { Config } from '../settings/config.ts'
import { isLoopback } from '../settings/hosts.ts'
import type { SiteHolder } from '../site/served-site.ts'
import type { SettingsHolder } from '../settings/site-settings.ts'
import { sendHtml } from '../http/replies.ts'

interface PrivacyDeps {
  settings: SettingsHolder
  site: SiteHolder
  database: Pick<Database, 'leavesTraces'>
}

/** The privacy notice. An owner with one of their own has old links to ours lead there. */
export function privacyRoute(
  app: FastifyInstance,
  { settings, site, database }: PrivacyDeps,
): void {
  app.get('/privacy', (_request, reply) => {
    const { content, pages } = site.current
    if (content.brand.privacyUrl) return reply.redirect(content.brand.privacyUrl)
    const values = privacyValues(content, settings.current.config, database.leavesTraces())
    return sendHtml(reply, pages.page('privacy', values))
  })
}

/** The words for the names in the notice, from the settings in force. */
export function privacyValues(
  { privacy }: Content,
  config: Config,
  leavesTraces: boolean,
): RequestValues['privacy'] {
  const { ownServer, others, traces } = privacy
  const { functionsUrl, publicUrl, webhook } = config
  const said: string[] = []
  if (new URL(functionsUrl).origin !== new URL(publicUrl).origin) {
    said.push(fill(others.form, { host: new URL(functionsUrl).host }))
  }
  if (webhook) {
    const program = webhook.people === 'everyone' ? others.programForAll : others.program
    said.push(fill(program, { host: new URL(webhook.url).host }))
  }
  return {
    mailService: mailServiceOf(config) ?? ownServer,
    others: said.length > 0 ? said.join(' ') : others.none,
    traces: leavesTraces ? traces.overwritten : traces.withinTheHour,
  }
}

const providerNames = { resend: 'Resend', postmark: 'Postmark' }

/** The company that sends the mail, or the host of its relay. Undefined: this machine does. */
function mailServiceOf({ mailApi, smtpUrl }: Config): string | undefined {
  if (mailApi) return providerNames[mailApi.provider]
  const host = smtpUrl === undefined ? undefined : new URL(smtpUrl).hostname
  return host === undefined || isLoopback(host) ? undefined : host
}
