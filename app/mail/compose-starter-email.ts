import { hash } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { escapeHtml } from '#server/http/escape-html.ts'
import type { MailMessage } from '#server/transports/mailer.ts'
import { cutAtGaps, fillGaps, quotedPrintable } from './quoted-printable.ts'

/** Everything needed to write the same bytes again. It is stored with the delivery. `html` and `text` hold {{placeholders}}. */
export interface StarterEmailTemplate {
  subject: string
  html: string
  text: string
  /** A string is parsed; the name in an object is not. */
  from: string | { name: string; address: string }
  replyTo: string
  publicUrl: string
  /** Set if one-click unsubscribe ends only mail about new versions. By default it ends all mail. */
  leaves?: 'announcements'
}

export interface StarterEmailDelivery {
  address: string
  token: string
  messageId: string
  date: Date
}

/** Equal deliveries give equal bytes: nothing in the message depends on the clock or on randomness. */
export type ComposeStarterEmail = (delivery: StarterEmailDelivery) => MailMessage

/** Encodes the shared parts of a template's mails once: encoding a mail takes four times as long as sending it. */
export async function prepareStarterEmail(template: StarterEmailTemplate): Promise<ComposeStarterEmail> {
  const { from, replyTo, subject, publicUrl, leaves } = template
  const leaveUrl = leaves === 'announcements' ? 'announcementsUrl' : 'unsubscribeUrl'
  const head = await writeHead(template)
  const parts = { text: cutAtGaps(template.text), html: cutAtGaps(template.html) }
  const boundary = `=_${hash('sha256', JSON.stringify(template)).slice(0, 24)}` // "=_" never occurs in quoted-printable
  return ({ address, token, messageId, date }) => {
    const values = valuesFor(publicUrl, address, token)
    const forHtml = mapValues(values, escapeHtml)
    const raw = [
      head,
      // A parsed address needs no quotes and cannot hold a second header: contract/email-address.ts.
      `To: ${address}`,
      `Message-ID: ${messageId}`,
      `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
      `List-Unsubscribe:\r\n <${values[leaveUrl]}>`, // on a separate line, so that no relay folds it
      `Content-Type: multipart/alternative; boundary="${boundary}"\r\n`,
      ...partOf(boundary, 'plain', fillGaps(parts.text, mapValues(values, quotedPrintable))),
      ...partOf(boundary, 'html', fillGaps(parts.html, mapValues(forHtml, quotedPrintable))),
      `--${boundary}--\r\n`,
    ]
    return {
      from,
      to: address,
      replyTo,
      subject,
      messageId,
      date,
      headers: { ...sharedHeaders, 'List-Unsubscribe': `<${values[leaveUrl]}>` },
      // Filled only when read, because SMTP takes the bytes.
      get text() {
        return fillText(template.text, values)
      },
      get html() {
        return fillText(template.html, forHtml)
      },
      raw: raw.join('\r\n'),
    }
  }
}

const sharedHeaders = {
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', // RFC 8058
  'Auto-Submitted': 'auto-generated',
}

/** The header fields that all mails share. nodemailer encodes names and subjects and folds lines. */
async function writeHead({ from, replyTo, subject }: StarterEmailTemplate): Promise<string> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const envelope = { from, to: from }
  const { message } = await transport.sendMail({ from, replyTo, subject, headers: sharedHeaders, envelope })
  if (!Buffer.isBuffer(message)) throw new Error('The stream transport was asked for a buffer')
  const [head = ''] = message.toString('latin1').split('\r\n\r\n')
  const fields = head.split(/\r\n(?!\s)/) // a folded field continues after a blank
  return fields.filter((field) => !/^(?:Message-ID|Date|Content-[\w-]+):/i.test(field)).join('\r\n')
}

function partOf(boundary: string, subtype: 'plain' | 'html', body: string): string[] {
  return [
    `--${boundary}`,
    `Content-Type: text/${subtype}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable\r\n',
    body,
  ]
}

function valuesFor(publicUrl: string, address: string, token: string): Record<string, string> {
  const kitUrl = `${publicUrl}/kit/${token}`
  return {
    address: looksLikeLink(address) ? breakLinks(address) : address,
    kitUrl,
    scriptUrl: `${kitUrl}/ema-crossover.pine`,
    guideUrl: `${kitUrl}/setup-guide.pdf`,
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
function looksLikeLink(address: string): boolean {
  const localPart = address.slice(0, address.lastIndexOf('@'))
  return linkSigns.some((sign) => sign.test(localPart))
}

/** U+2060 is invisible, breaks no line, and is disallowed in host names (RFC 5892), so no link reaches across it. */
function breakLinks(address: string): string {
  return address.replaceAll(/[./@?#]/g, '$&\u2060')
}

function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}

function mapValues(values: Record<string, string>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
