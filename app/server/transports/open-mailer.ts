import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../configuration/config.ts'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import { createSmtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts'

/** The mailer of SMTP_URL. `more` overrides the configuration. */
export async function openSmtpMailer(
  { smtpUrl = '', mailConcurrency, mailTimeoutSeconds, finalReplySeconds, dkim }: Config,
  more: Partial<SmtpMailerOptions> = {},
) {
  return createSmtpMailer({
    url: smtpUrl,
    concurrency: mailConcurrency,
    timeoutMs: mailTimeoutSeconds * 1000,
    finalReplyTimeoutMs: finalReplySeconds * 1000,
    dkim: dkim && { ...dkim, privateKey: await readFile(dkim.privateKeyFile, 'utf8') },
    ...more,
  })
}

export async function openLocalInbox({ databaseUrl }: Pick<Config, 'databaseUrl'>) {
  const { createLocalInbox } = await import('./local-inbox.ts') // never read in production
  return createLocalInbox(inboxFolder(databaseUrl))
}

/** Reads the template that the build rendered into `dist`. */
export async function readStarterEmailTemplate(
  dist: string,
  { mailFrom, supportEmail, publicUrl }: Config,
): Promise<StarterEmailTemplate> {
  const { subject, html, text } = JSON.parse(await readFile(join(dist, 'email/starter-email.json'), 'utf8'))
  return { subject, html, text, from: mailFrom, replyTo: supportEmail, publicUrl }
}

export function inboxFolder(databaseUrl: string): string {
  return databaseUrl.startsWith('file:')
    ? join(dirname(databaseUrl.slice('file:'.length)), 'inbox')
    : 'data/inbox'
}
