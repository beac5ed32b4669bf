import type { SendMailOptions } from 'nodemailer'

/** One mail to one recipient, in fields that an HTTP API takes as well as SMTP. */
export interface MailMessage {
  from: string | { name: string; address: string }
  /** One address, never parsed: "a@x, b@x" is not two. */
  to: string
  replyTo?: string
  subject: string
  text: string
  html?: string
  messageId: string
  date: Date
  headers: Record<string, string>
  /** The same mail in the form of RFC 5322. Absent: nodemailer writes it from the fields. */
  raw?: string
}

/** `why`: a code, never the server's words, which may quote the address. `cause` may hold them: not for logs. */
export type SendOutcome =
  | { kind: 'accepted' }
  | {
      kind: 'temporary'
      why: string
      /** Nobody was there, or we were not let in: any other mail would have fared the same. */
      isRelayAway: boolean
      cause: unknown
    }
  | { kind: 'permanent'; why: string; cause: unknown }

export type SendFailure = Exclude<SendOutcome, { kind: 'accepted' }>

export interface Mailer {
  /** Never throws. */
  send(message: MailMessage): Promise<SendOutcome>
  /** Lets a send in flight finish, if it does so soon. */
  close(): Promise<void>
}

export function forNodemailer({ to: address, raw, ...fields }: MailMessage): SendMailOptions {
  const to = { name: '', address }
  const envelope = { from: fields.from, to: [to] }
  if (raw !== undefined) return { envelope, raw }
  return { ...fields, to, envelope, disableFileAccess: true, disableUrlAccess: true }
}
