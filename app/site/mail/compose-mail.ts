import { hash } from 'node:crypto'
import { dayInWords } from '#site/text/day-in-words.ts'
import { fillPlaceholders, showTypedBraces } from '#site/text/placeholders.ts'
import type { MailMessage } from './mail-message.ts'

/**
 * A mail to subscribers: everything needed to write the same bytes again. It is stored as JSON
 * under these names. `html` and `text` hold {placeholders}.
 */
export interface MailTemplate {
  /** The language of the day in it, as a tag such as fr. */
  language?: string
  subject: string
  html: string
  text: string
  /**
   * Set if one-click unsubscribe ends only mail about new versions. By default it ends all mail.
   */
  leaves?: 'announcements'
}

/**
 * What every mail has from the settings of now. It is no part of a template: mail that waits while
 * the owner changes the sender would be refused for the former one.
 */
export interface Sender {
  /** A string is parsed; the name in an object is not. */
  mailFrom: MailMessage['from']
  supportEmail: string
  publicUrl: string
}

/**
 * Equal deliveries give equal bytes while the settings are the same: nothing in the message depends
 * on the clock or on randomness.
 */
export function composeMail(
  template: MailTemplate,
  { mailFrom, supportEmail, publicUrl }: Sender,
  {
    address,
    token,
    messageId,
    date,
  }: { address: string; token: string; messageId: string; date: Date },
): MailMessage {
  const { subject, leaves, language } = template
  const values = valuesFor(publicUrl, address, token)
  const given = { site: new URL(publicUrl).host, date: dayInWords(date.getTime(), language) }
  const leaveUrl = values[leaves === 'announcements' ? 'announcementsUrl' : 'unsubscribeUrl']
  return {
    from: mailFrom,
    to: address,
    replyTo: supportEmail,
    subject,
    messageId,
    date,
    headers: { ...sharedHeaders, 'List-Unsubscribe': `<${leaveUrl}>` },
    text: showTypedBraces(fillPlaceholders(template.text, {}, { ...values, ...given })),
    html: showTypedBraces(fillPlaceholders(template.html, { ...values, ...given })),
    boundary: hash('sha256', messageId).slice(0, 24),
  }
}

const sharedHeaders = {
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', // RFC 8058
  'Auto-Submitted': 'auto-generated',
}

function valuesFor(publicUrl: string, address: string, token: string): Record<string, string> {
  const kitUrl = `${publicUrl}/kit/${token}`
  return {
    publicUrl,
    address: withoutLinks(address),
    kitUrl,
    unsubscribeUrl: `${kitUrl}/unsubscribe`,
    announcementsUrl: `${kitUrl}/announcements`,
  }
}

const linkSigns = [
  /[/?#]|https?|www\./i,
  /(?:\.[\w-]+){2}/, // three labels or more
  /\.(?:com|net|org|info|biz|app|dev|xyz|top|site|shop|store|online|link|click|[a-z]{2})(?![\w-])/i,
]

/**
 * Mail programs turn host names and paths into links, and the local part is anybody's choice:
 * "visit.example.com/prize@victim.example".
 */
function withoutLinks(address: string): string {
  const localPart = address.slice(0, address.lastIndexOf('@'))
  // U+2060 is invisible, breaks no line, and is disallowed in host names (RFC 5892), so no link
  // reaches across it.
  return linkSigns.some((sign) => sign.test(localPart))
    ? address.replaceAll(/[./@?#]/g, '$&\u2060')
    : address
}
