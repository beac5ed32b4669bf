import { resolve } from 'node:path'
import type { Config } from '../settings/config.ts'
import { openDatabase } from '../database/open-database.ts'
import { openSharedClock } from '../database/shared-clock.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { openLocalInbox } from '../transports/open-mailer.ts'
import { checkPort } from './check-port.ts'
import type { Extension } from './context.ts'
import { runServer } from './run-server.ts'

export interface StartedServer {
  /** Where page, inbox, data and desk are, for the owner. */
  startupLines: string[]
  stop(): Promise<void>
}

/** Opens the database and the mailer, loads what the build wrote, and serves. */
export async function startServer(config: Config, extension?: Extension): Promise<StartedServer> {
  await checkPort(config)
  const database = await openDatabase(config.databaseUrl)
  const clock = await openSharedClock(database, Date.now)
  const running = await runServer({
    config,
    database,
    openInbox: config.hasLocalInbox ? () => openLocalInbox(config) : undefined,
    writeLog: (lines) => void process.stdout.write(lines),
    now: clock.now,
    compareClocks: clock.compare,
    extension,
  })
  const { context } = running
  const lines = (await extension?.linesForOwner?.(context)) ?? []
  return {
    startupLines: [...startupLines(context.settings.current), ...lines],
    stop: running.stop,
  }
}

/** A few lines for the owner: where page, local inbox and data are. */
function startupLines({ config, isAddressKnown, isHeldBack }: SiteSettings): string[] {
  const { publicUrl, databaseUrl } = config
  const isFile = databaseUrl.startsWith('file:')
  const data = isFile ? resolve(databaseUrl.slice('file:'.length)) : new URL(databaseUrl).host
  const page = isAddressKnown ? publicUrl : 'at an address that the desk asks for'
  return [
    `Page    ${page}${isHeldBack ? ', held back until you open it at the desk' : ''}`,
    mailLine(config),
    `Data    ${data}`,
  ]
}

function mailLine({ publicUrl, smtpUrl, mailApi, hasLocalInbox }: Config): string {
  const relay = mailApi?.baseUrl ?? smtpUrl
  if (relay !== undefined) return `Mail    goes to ${new URL(relay).host}`
  return hasLocalInbox ? `Inbox   ${publicUrl}/dev/inbox` : 'Mail    waits for a mail service'
}
