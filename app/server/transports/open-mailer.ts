import { dirname, join } from 'node:path'
import type { Config } from '../settings/config.ts'
import type { LocalInbox } from './local-inbox.ts'
import type { Mailer } from './mailer.ts'
import type { RelayOptions } from './relay-mailer.ts'

/** The mailer that the configuration asks for. `limits` override its own. */
export async function openMailer(config: Config, limits?: RelayOptions): Promise<Mailer> {
  const { smtpUrl, mailApi, dkim } = config
  const options = {
    timeoutMs: config.mailTimeoutSeconds * 1000,
    finalReplyTimeoutMs: config.finalReplySeconds * 1000,
    ...limits,
  }
  if (mailApi) {
    const { createMailApi } = await import('./mail-api.ts')
    return createMailApi({ ...mailApi, ...options })
  }
  if (smtpUrl === undefined) return config.hasLocalInbox ? openLocalInbox(config) : noService
  const { createSmtpMailer } = await import('./smtp-mailer.ts')
  return createSmtpMailer({ url: smtpUrl, dkim, ...options })
}

const noServiceWhy = 'no mail service'

/** Mail waits, and none uses up a try. */
const noService: Mailer = {
  send: async () => ({
    kind: 'relay-fault',
    why: noServiceWhy,
    progress: 'connecting',
    cause: new Error(noServiceWhy),
  }),
  close: async () => {},
}

export async function openLocalInbox({
  databaseUrl,
}: Pick<Config, 'databaseUrl'>): Promise<LocalInbox> {
  const { createLocalInbox } = await import('./local-inbox.ts') // never read in production
  return createLocalInbox(inboxFolder(databaseUrl))
}

function inboxFolder(databaseUrl: string): string {
  return databaseUrl.startsWith('file:')
    ? join(dirname(databaseUrl.slice('file:'.length)), 'inbox')
    : 'data/inbox'
}
