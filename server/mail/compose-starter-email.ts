import { hash } from 'node:crypto'
import { escapeHtml } from '../escape-html.ts'
import type { MailMessage } from './mailer.ts'

/** All it takes to write the same bytes again; kept with the delivery. The three texts hold {{placeholders}}. */
export interface StarterEmailTemplate {
  subject: string
  html: string
  text: string
  /** An object's name is taken as it is; a string is parsed. */
  from: string | { name: string; address: string }
  replyTo: string
  publicUrl: string
}

export interface StarterEmailDelivery {
  address: string
  token: string
  messageId: string
  date: Date
}

/** Equal arguments give equal bytes: nothing in the message comes from the clock or from chance. */
export function composeStarterEmail(
  template: StarterEmailTemplate,
  { address, token, messageId, date }: StarterEmailDelivery,
): MailMessage {
  const values = valuesFor(template.publicUrl, address, token)
  const pieces = piecesOf(template)
  return {
    from: template.from,
    // Objects: nodemailer parses a string, in the envelope too, and would find a second recipient in "a@x, b@x".
    to: { name: '', address },
    envelope: { from: template.from, to: [{ name: '', address }] },
    replyTo: template.replyTo,
    subject: template.subject,
    messageId,
    date,
    text: fill(pieces.text, values),
    html: fill(pieces.html, escapeEach(values)),
    // RFC 8058: one header each, and the link takes the POST. The inner array keeps nodemailer from writing two headers.
    list: { unsubscribe: [[values['unsubscribeUrl'] ?? '']] },
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', 'Auto-Submitted': 'auto-generated' },
    baseBoundary: hash('sha256', messageId).slice(0, 24),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

type Values = Record<string, string>

function valuesFor(publicUrl: string, address: string, token: string): Values {
  const kitUrl = `${publicUrl}/kit/${token}`
  return {
    address,
    kitUrl,
    scriptUrl: `${kitUrl}/ema-crossover.pine`,
    guideUrl: `${kitUrl}/setup-guide.pdf`,
    unsubscribeUrl: `${kitUrl}/unsubscribe`,
  }
}

/** Text and placeholder names in turn; the names stand at the odd places. */
interface Pieces {
  html: string[]
  text: string[]
}
const knownPieces = new WeakMap<StarterEmailTemplate, Pieces>()

function piecesOf(template: StarterEmailTemplate): Pieces {
  const known = knownPieces.get(template)
  if (known) return known
  const pieces = { html: split(template.html), text: split(template.text) }
  knownPieces.set(template, pieces)
  return pieces
}

function split(text: string): string[] {
  return text.split(/\{\{(\w+)\}\}/)
}

function fill(pieces: string[], values: Values): string {
  let filled = ''
  for (const [place, piece] of pieces.entries()) filled += place % 2 ? (values[piece] ?? '') : piece
  return filled
}

function escapeEach(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapeHtml(value)]))
}
