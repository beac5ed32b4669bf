import type { Content } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import { composeMail, type MailTemplate, type Sender } from '#site/mail/compose-mail.ts'
import { emailAsText } from '#site/mail/email-as-text.ts'
import type { Config } from '#server/settings/config.ts'
import { escapeHtml } from '#site/text/escape-html.ts'
import { fill } from '#site/text/fill.ts'
import { fillPlaceholders } from '#site/text/placeholders.ts'
import { dayMs } from '#server/database/clock.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import type { RenderedMails } from '#site/rendered-site.ts'
import type { Mailer, SendOutcome } from '#server/transports/mailer.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import type { Announceable, Audience } from './announcements.ts'
import { renderMarkdown } from './letters/markdown.ts'

/** The newest release, which is the kit's. Undefined: none is listed. */
export function newestRelease([release]: readonly KitRelease[]):
  (KitRelease & Announceable) | undefined {
  if (!release) return undefined
  // People who signed up after the release's day got the version with their kit.
  const signedUpBefore = Date.parse(release.date) + dayMs
  return { ...release, name: release.version, kind: 'version', signedUpBefore }
}

/** The owner's words. */
export interface Draft extends Pick<Announceable, 'kind'> {
  /** Empty: the usual one of a version. */
  subject: string
  /** The words above a version's changes, or a letter's Markdown. */
  text: string
  /** A letter has one: it is shown after the subject. Empty: the text's first words. */
  preview?: string | undefined
}

const previewLength = 120

/** A site's words and mails. */
export interface ComposeSource {
  content: Pick<Content, 'letter' | 'announcement'>
  mails: Omit<RenderedMails, 'starter'>
}

/** Composes the mail for an audience; {placeholders} for each recipient stay. */
export function composeAnnouncement(
  source: ComposeSource,
  to: Audience,
  draft: Draft,
): MailTemplate {
  return draft.kind === 'letter'
    ? composeLetter(source, to, draft)
    : composeVersion(source, to, draft)
}

function composeLetter(
  { content, mails }: ComposeSource,
  to: Audience,
  draft: Draft,
): MailTemplate {
  const markdown = withoutPlaceholders(draft.text.trim())
  const html = renderMarkdown(markdown, mails.letter.attributes)
  return fillFrame(mails.letter, {
    subject: withoutPlaceholders(oneLine(draft.subject)),
    preview: draft.preview,
    html,
    text: emailAsText(html).trim(),
    reason: content.letter.reason[to],
  })
}

function composeVersion(
  { content, mails }: ComposeSource,
  to: Audience,
  draft: Draft,
): MailTemplate {
  const frame = mails.announcement
  if (!frame) throw new CommandError('There are no release notes for the version of the kit.')
  const text = withoutPlaceholders(draft.text.trim())
  return fillFrame(frame, {
    subject: withoutPlaceholders(oneLine(draft.subject)) || frame.subject,
    preview: draft.preview,
    html: escapeHtml(text).replaceAll('\n', '<br/>'),
    text,
    reason: content.announcement.reason[to],
  })
}

/** These parts differ between two mails of one frame. */
interface FrameWords {
  subject: string
  /** As the owner wrote it. */
  preview: string | undefined
  html: string
  text: string
  /** Why somebody gets the mail. */
  reason: string
}

function fillFrame(frame: Pick<MailTemplate, 'html' | 'text'>, words: FrameWords): MailTemplate {
  const { subject, html: body, text } = words
  const preview = oneLine(withoutPlaceholders(words.preview ?? '') || text).slice(0, previewLength)
  const reason = fill(words.reason, { address: '{address}' })
  return {
    subject,
    html: fillPlaceholders(frame.html, { subject, preview }, { body, reason }),
    text: fillPlaceholders(frame.text, {}, { subject, body: text, reason }).replaceAll(
      /\n{3,}/g,
      '\n\n',
    ),
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

interface TestRecipient {
  address: string
  /**
   * Opens their personal page. If it is undefined, they have none, and its links lead to the home
   * page.
   */
  token?: string | undefined
  /** ms since 1970. */
  now: number
}

/** Sends one mail. */
export async function sendTestMail(
  mailer: Mailer,
  template: MailTemplate,
  config: Sender & Pick<Config, 'senderDomain'>,
  { address, token = newToken(), now }: TestRecipient,
): Promise<SendOutcome> {
  const messageId = `<${newToken()}@${config.senderDomain}>`
  const delivery = { address, token, messageId, date: new Date(now) }
  return mailer.send(composeMail(template, config, delivery))
}

/** A mail as a recipient gets it. */
export interface ShownMail {
  subject: string
  html: string
  text: string
}

/** Returns a mail as an example recipient gets it. */
export async function previewMail(
  template: MailTemplate,
  sender: Sender,
  address = 'somebody@example.com',
): Promise<ShownMail> {
  const example = { address, token: 'TOKEN', messageId: '', date: new Date(0) }
  const { subject, html = '', text } = composeMail(template, sender, example)
  return { subject, html, text }
}
