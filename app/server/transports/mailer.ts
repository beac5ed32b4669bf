import type { SendMailOptions } from 'nodemailer'

/** One mail to one recipient, in fields that SMTP and HTTP APIs accept. */
export interface MailMessage {
  from: string | { name: string; address: string }
  /** One address, which is never parsed, so "a@x, b@x" is not two. */
  to: string
  replyTo?: string
  subject: string
  text: string
  html?: string
  messageId: string
  date: Date
  headers: Record<string, string>
  /** This mail in the form of RFC 5322. If it is absent, nodemailer writes it from the fields. */
  raw?: string
}

/** `why`: a code, never the server's words, which may quote the address. `cause` may hold them: not for logs. */
export type SendOutcome =
  /** `reply`: the relay's words, which may hold an address: not for logs. */
  | { kind: 'accepted'; reply?: string }
  | {
      kind: 'temporary'
      why: string
      /** The relay was unreachable or refused our login: any other mail would have failed too. */
      isRelayAway: boolean
      /** The relay refuses our account, so no delivery fails for this reason. */
      isAboutUs?: true
      /** The wait that the relay asks for. */
      retryAfterMs?: number | undefined
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
