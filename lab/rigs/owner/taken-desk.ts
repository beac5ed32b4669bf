import type { Environment } from '#server/settings/config.ts'
import { readSettings } from '#server/settings/config.ts'
import { deskLine } from '#owner/access/sign-in/start-link.ts'
import type { ServerParts } from '#server/start/run-server.ts'
import { deskApp, deskBrowser } from './test-desk.ts'

const owner = 'mara@turnbot.example'

/**
 * A server as an image starts it, whose desk was just taken by the link of its log. It sends real
 * mail, once it knows a service. `environment`: what its host sets.
 */
export async function takenDesk(environment: Environment = {}, parts: Partial<ServerParts> = {}) {
  const read = readSettings({ NODE_ENV: 'production', HOST: '0.0.0.0', ...environment })
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  const app = await deskApp({
    config: { ...read.config, host: '127.0.0.1', port: 0 },
    isHeldBack: true,
    parts: { mailer: undefined, ...parts },
  })
  const browser = deskBrowser(app, { headers: { origin: app.url } })
  const secret = /#([\w-]+)/.exec(await deskLine(app.context))?.[1] ?? ''
  await browser.desk.signIn.byStartLink.mutate({ secret, email: owner })
  return { app, browser, desk: browser.desk, owner }
}

/** Returns the fields of the mail service for a server on this machine. */
export function smtpFields(port: number) {
  return {
    service: 'smtp' as const,
    host: '127.0.0.1',
    port: String(port),
    user: 'mara',
    password: 'correct horse',
    apiKey: '',
    from: 'Turn Bot <bot@turnbot.example>',
    support: '',
  }
}
