import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { announcementText, type KitRelease } from '#content/releases.ts'
import { composeStarterEmail, type StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Config } from '#server/configuration/config.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { dayMs } from '#server/sign-up/limits.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import type { Mailer, SendOutcome } from '#server/transports/mailer.ts'
import type { Announceable, Audience } from './announcements.ts'

/** A mail as the build rendered it. */
type RenderedMail = Pick<StarterEmailTemplate, 'subject' | 'html' | 'text'>

/**
 * Reads the newest release, which is the kit's, with its mail as the build rendered it. Undefined: none is listed. `folder`:
 * the project's.
 */
export function readAnnounceable(folder: string, config: Config) {
  const [release]: KitRelease[] = readBuilt(folder, 'kit/releases.json')
  if (!release) return undefined
  const mail: RenderedMail = readBuilt(folder, 'email/announcement.json')
  // People who signed up after the release's day got the version with their kit.
  const signedUpBefore = Date.parse(release.date) + dayMs
  const announceable: Announceable = { name: release.version, kind: 'version', signedUpBefore }
  return { release, announceable, template: asTemplate(mail, config) }
}

/** The build writes it in the form that its reader expects. */
export function readBuilt(folder: string, name: string) {
  return JSON.parse(readFileSync(join(folder, 'dist', name), 'utf8'))
}

export function asTemplate({ subject, html, text }: RenderedMail, config: Config): StarterEmailTemplate {
  const { mailFrom: from, supportEmail: replyTo, publicUrl } = config
  return { subject, html, text, from, replyTo, publicUrl, leaves: 'announcements' }
}

/**
 * Fills the mail about a version for an audience; {{placeholders}} for each recipient stay. `subject`: the usual one, if empty.
 * `note`: the owner's words above the changes.
 */
export function renderAnnouncement(
  template: StarterEmailTemplate,
  to: Audience,
  { subject = '', note = '' }: { subject?: string; note?: string } = {},
): StarterEmailTemplate {
  const words = withoutPlaceholders(note.trim())
  const reason = announcementText.reason[to].join('{{address}}')
  const fill = (text: string, asWritten: string) =>
    text.replace('{{note}}', () => asWritten).replace('{{reason}}', () => reason)
  return {
    ...template,
    subject: oneLine(subject) || template.subject,
    html: fill(template.html, escapeHtml(words).replaceAll('\n', '<br/>')),
    text: fill(template.text, words).replaceAll(/\n{3,}/g, '\n\n'),
  }
}

/** The owner's text is no place for placeholders. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll('{{', '{ {')
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** Sends one mail. Its links lead to nobody's page. */
export async function sendTestMail(
  mailer: Mailer,
  template: StarterEmailTemplate,
  { senderDomain }: Pick<Config, 'senderDomain'>,
  { address, now }: { address: string; now: number },
): Promise<SendOutcome> {
  const messageId = `<${newToken()}@${senderDomain}>`
  const delivery = { address, token: newToken(), messageId, date: new Date(now) }
  return mailer.send(composeStarterEmail(template, delivery))
}

/** Returns a mail as an example recipient gets it. */
export async function previewMail(template: StarterEmailTemplate, address = 'somebody@example.com') {
  const example = { address, token: 'TOKEN', messageId: '', date: new Date(0) }
  const { subject, html = '', text } = composeStarterEmail(template, example)
  return { subject, html, text }
}
