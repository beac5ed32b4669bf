import { join } from 'node:path'
import { announcementText, type KitRelease } from '#content/releases.ts'
import { letterText } from '#content/letter.ts'
import { prepareStarterEmail, type StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Config } from '#server/configuration/config.ts'
import { readProjectFile } from '#server/configuration/project-files.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { dayMs } from '#server/sign-up/limits.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import type { Mailer, SendOutcome } from '#server/transports/mailer.ts'
import type { Announceable, Audience } from './announcements.ts'

/** A mail as the build rendered it. */
export interface RenderedMail {
  subject: string
  html: string
  text: string
}

/** The newest release, which is the kit's. */
export interface AnnounceableVersion extends Announceable {
  release: KitRelease
  mail: RenderedMail
}

/** Undefined: no release is listed. `folder`: the project's. */
export function readAnnounceableVersion(folder: string): AnnounceableVersion | undefined {
  const [release]: KitRelease[] = readBuilt(folder, 'kit/releases.json')
  if (!release) return undefined
  const mail: RenderedMail = readBuilt(folder, 'email/announcement.json')
  // People who signed up after the release's day got the version with their kit.
  const signedUpBefore = Date.parse(release.date) + dayMs
  return { name: release.version, kind: 'version', signedUpBefore, release, mail }
}

/** The build writes it in the form that its reader expects. */
export function readBuilt(folder: string, name: string) {
  return JSON.parse(readProjectFile(join(folder, 'dist', name)).toString())
}

/** The owner's words. `subject`: the usual one, if empty. `note`: stands above the changes. */
export interface VersionWords {
  subject?: string
  note?: string
}

/** The mail about a version, for an audience. */
export function composeVersion(
  { mail }: AnnounceableVersion,
  to: Audience,
  { subject = '', note = '' }: VersionWords,
  config: Config,
): StarterEmailTemplate {
  const words = withoutPlaceholders(note.trim())
  const rendered = {
    subject: oneLine(subject) || mail.subject,
    html: mail.html.replace('{{note}}', () => escapeHtml(words).replaceAll('\n', '<br/>')),
    text: mail.text.replace('{{note}}', () => words).replaceAll(/\n{3,}/g, '\n\n'),
  }
  return asTemplate(rendered, announcementText.reason[to], config)
}

/** {{placeholders}} for each recipient stay. */
export function asTemplate(
  { subject, html, text }: RenderedMail,
  reason: (typeof announcementText | typeof letterText)['reason'][Audience],
  { mailFrom: from, supportEmail: replyTo, publicUrl }: Config,
): StarterEmailTemplate {
  const fill = (part: string) => part.replace('{{reason}}', () => reason.join('{{address}}'))
  return { subject, html: fill(html), text: fill(text), from, replyTo, publicUrl, leaves: 'announcements' }
}

/** The owner's text is no place for placeholders. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll('{{', '{ {')
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** Sends one mail. Its links lead to the page of `token`. */
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

/** Returns a mail as an example recipient gets it. */
export async function previewMail(template: StarterEmailTemplate, address = 'somebody@example.com') {
  const compose = await prepareStarterEmail(template)
  const { subject, html = '', text } = compose({ address, token: 'TOKEN', messageId: '', date: new Date(0) })
  return { subject, html, text }
}
