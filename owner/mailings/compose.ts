import type { Content } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import type { MailTemplate } from '#site/mail/compose-mail.ts'
import { emailAsText } from '#site/mail/email-as-text.ts'
import type { RenderedMails } from '#site/bundle.ts'
import { fill } from '#site/text/fill.ts'
import { fillPlaceholders, hideTypedBraces, showTypedBraces } from '#site/text/placeholders.ts'
import type { Mailing, NewMailing } from './mailings.ts'
import { renderMarkdown } from './letters/markdown.ts'

const previewLength = 120

/** A site's words and mails. */
export interface ComposeSource {
  content: Pick<Content, 'letter'>
  mails: Omit<RenderedMails, 'starter'>
}

type Composed = Pick<Mailing, 'subject' | 'preview' | 'words' | 'to' | 'version'>

/**
 * Writes the mail of a mailing, with {placeholders} for each recipient. What the owner typed
 * arrives as it is, braces too.
 */
export function composeMailing(
  { content, mails }: ComposeSource,
  { subject: typed, preview: typedPreview, words, to, version }: Composed,
): MailTemplate {
  const subject = oneLine(typed)
  const body = renderMarkdown(hideTypedBraces(words.trim()), mails.letter.attributes)
  const text = emailAsText(body).trim()
  const preview = (oneLine(typedPreview) || oneLine(showTypedBraces(text))).slice(0, previewLength)
  const frame = version === null ? mails.letter : mails.versionLetter
  const reason = fill(content.letter.reason[to], { address: '{address}' })
  const shown = {
    subject: hideTypedBraces(subject),
    preview: hideTypedBraces(preview),
    version: version ?? '',
  }
  const html = fillPlaceholders(frame.html, shown, { body, reason })
  const parts = { ...shown, body: text, reason }
  return {
    subject,
    html,
    text: fillPlaceholders(frame.text, {}, parts).replaceAll(/\n{3,}/g, '\n\n'),
    leaves: 'announcements',
  }
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** The letter about a version of the kit, as the desk fills it in. */
export function letterAboutVersion(
  { announcement }: Pick<Content, 'announcement'>,
  { version, date, changes }: KitRelease,
): NewMailing {
  return {
    version,
    versionDate: date,
    subject: fill(announcement.subject, { version }),
    preview: announcement.preview,
    words: `${announcement.changes}\n\n${changes.map((change) => `- ${change}`).join('\n')}`,
  }
}
