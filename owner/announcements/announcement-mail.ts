import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { announcement } from '#content/mail/announcement.ts'
import { letter } from '#content/mail/letter.ts'
import type { KitRelease } from '#content/releases.ts'
import { composeStarterEmail, type StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import { emailAsText } from '#mail/email-as-text.ts'
import type { LetterFrame } from '#mail/letter.tsx'
import type { Config } from '#server/configuration/config.ts'
import { escapeHtml } from '#text/escape-html.ts'
import { fill } from '#text/fill.ts'
import { fillPlaceholders } from '#text/placeholders.ts'
import { dayMs } from '#server/database/clock.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import type { Mailer, SendOutcome } from '#server/transports/mailer.ts'
import type { Announceable, Audience } from './announcements.ts'
import { renderMarkdown } from './letters/markdown.ts'

/** The newest release, which is the kit's. Undefined: none is listed. `folder`: the project's. */
export function readRelease(folder: string): (KitRelease & Announceable) | undefined {
  const [release]: KitRelease[] = readBuilt(folder, 'kit/releases.json')
  if (!release) return undefined
  // People who signed up after the release's day got the version with their kit.
  const signedUpBefore = Date.parse(release.date) + dayMs
  return { ...release, name: release.version, kind: 'version', signedUpBefore }
}

/** The build writes it in the form that its reader expects. */
function readBuilt(folder: string, name: string) {
  return JSON.parse(readFileSync(join(folder, 'dist', name), 'utf8'))
}

/** The owner's words. */
export interface Draft extends Pick<Announceable, 'kind'> {
  /** Empty: the usual one of a version. */
  subject: string
  /** The words above a version's changes, or a letter's Markdown. */
  text: string
}

const previewLength = 120

/**
 * Composes the mail for an audience; {placeholders} for each recipient stay. `folder`: the
 * project's.
 */
export function composeAnnouncement(
  { folder, config }: { folder: string; config: Config },
  to: Audience,
  draft: Draft,
): StarterEmailTemplate {
  const isLetter = draft.kind === 'letter'
  const frame: LetterFrame = readBuilt(folder, `email/${isLetter ? 'letter' : 'announcement'}.json`)
  const subject = withoutPlaceholders(oneLine(draft.subject)) || (isLetter ? '' : frame.subject)
  const words = withoutPlaceholders(draft.text.trim())
  const body = isLetter
    ? renderMarkdown(words, frame.attributes)
    : escapeHtml(words).replaceAll('\n', '<br/>')
  const text = isLetter ? emailAsText(body).trim() : words
  const reason = fill((isLetter ? letter : announcement).reason[to], { address: '{address}' })
  const preview = oneLine(text).slice(0, previewLength)
  const { mailFrom: from, supportEmail: replyTo, publicUrl } = config
  return {
    subject,
    html: fillPlaceholders(frame.html, { subject, preview }, { body, reason }),
    text: fillPlaceholders(frame.text, {}, { subject, body: text, reason }).replaceAll(
      /\n{3,}/g,
      '\n\n',
    ),
    from,
    replyTo,
    publicUrl,
    leaves: 'announcements',
  }
}

/** The owner's text is no place for placeholders. */
function withoutPlaceholders(text: string): string {
  return text.replaceAll(/\{(?=\w+\})/g, '{ ')
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
export async function previewMail(
  template: StarterEmailTemplate,
  address = 'somebody@example.com',
) {
  const example = { address, token: 'TOKEN', messageId: '', date: new Date(0) }
  const { subject, html = '', text } = composeStarterEmail(template, example)
  return { subject, html, text }
}
