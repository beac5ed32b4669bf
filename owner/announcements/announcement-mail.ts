import { join } from 'node:path'
import { announcementText, type KitRelease } from '#content/releases.ts'
import { prepareStarterEmail, type StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Config } from '#server/configuration/config.ts'
import { readProjectFile } from '#server/configuration/project-files.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import type { Mailer, SendOutcome } from '#server/transports/mailer.ts'
import { readAnnouncementTemplate } from '#server/transports/open-mailer.ts'
import type { Audience } from './announcements.ts'

/**
 * Reads the newest release, which is the kit's, with its mail as the build rendered it. Undefined: none is listed. `folder`:
 * the project's.
 */
export async function readAnnounceable(folder: string, config: Config) {
  const dist = join(folder, 'dist')
  const [release]: KitRelease[] = JSON.parse(readProjectFile(join(dist, 'kit/releases.json')).toString())
  const rendered = await readAnnouncementTemplate(dist, config)
  if (!release || !rendered) return undefined
  const { version: _, ...template } = rendered
  return { release, template }
}

/**
 * Fills the mail for an audience; {{placeholders}} for each recipient stay. `subject`: the usual one, if empty. `note`: the
 * owner's words above the changes.
 */
export function renderAnnouncement(
  template: StarterEmailTemplate,
  to: Audience,
  { subject = '', note = '' }: { subject?: string; note?: string } = {},
): StarterEmailTemplate {
  const words = note.trim().replaceAll('{{', '{ {') // no placeholder
  const reason = announcementText.reason[to].join('{{address}}')
  const fill = (text: string, noteAsWritten: string) =>
    text.replace('{{note}}', () => noteAsWritten).replace('{{reason}}', () => reason)
  return {
    ...template,
    subject: subject.trim().replaceAll(/\s+/g, ' ') || template.subject,
    html: fill(template.html, escapeHtml(words).replaceAll('\n', '<br/>')),
    text: fill(template.text, words).replaceAll(/\n{3,}/g, '\n\n'),
  }
}

/** Sends one test mail of an announcement or a sign-up. Its links lead to the page of `token`. */
export async function sendTestMail(
  mailer: Mailer,
  template: StarterEmailTemplate,
  { senderDomain }: Pick<Config, 'senderDomain'>,
  { address, token = newToken(), now }: { address: string; token?: string | undefined; now: number },
): Promise<SendOutcome> {
  const compose = await prepareStarterEmail(template)
  const messageId = `<${newToken()}@${senderDomain}>`
  return mailer.send(compose({ address, token, messageId, date: new Date(now) }))
}

/** Returns subject and text as an example recipient gets them. */
export async function previewText(template: StarterEmailTemplate, now: number) {
  const compose = await prepareStarterEmail(template)
  const to = { address: 'somebody@example.com', token: 'TOKEN' }
  const { subject, text } = compose({ ...to, messageId: '', date: new Date(now) })
  return { subject, text }
}
