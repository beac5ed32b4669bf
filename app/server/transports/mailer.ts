import type { SendMailOptions } from 'nodemailer'
import type { MailMessage } from '#site/mail/mail-message.ts'

/**
 * How far an attempt came. A fault while connecting would have met any other mail. One from MAIL
 * FROM on may concern this mail alone. After the body was sent the mail may have arrived.
 */
export type Progress = 'connecting' | 'mail-begun' | 'body-sent'

interface Failure {
  /** A code, never the server's words, which may quote the address. */
  why: string
  /** May hold the server's words: not for logs. */
  cause: unknown
}

interface AnsweredFailure extends Failure {
  /** The answer without what is the recipient's own in it (`plainWords`). */
  words: string
}

export type SendOutcome =
  /** `reply`: the relay's words, which may hold an address: not for logs. */
  | { kind: 'accepted'; reply?: string }
  /** There is no such mailbox, or it takes no mail. */
  | ({ kind: 'refused' } & AnsweredFailure)
  /** The recipient's mailbox takes no mail now. */
  | ({ kind: 'deferred' } & AnsweredFailure)
  /** Everything else is about the relay or us. `retryAfterMs`: the wait that the relay asks for. */
  | ({ kind: 'relay-fault'; progress: Progress; retryAfterMs?: number | undefined } & Failure)
  /** The mailer was closed during the attempt. */
  | ({ kind: 'broken-off' } & Failure)

export type SendFailure = Exclude<SendOutcome, { kind: 'accepted' }>

export interface Mailer {
  /** Never throws. */
  send(message: MailMessage): Promise<SendOutcome>
  /** Lets a send in flight finish, if it does so soon. */
  close(): Promise<void>
}

/** nodemailer's option for the boundary is missing in its types. */
export type NodemailerOptions = SendMailOptions & { baseBoundary?: string | undefined }

export function forNodemailer({
  to: address,
  boundary,
  ...fields
}: MailMessage): NodemailerOptions {
  const to = { name: '', address }
  const envelope = { from: fields.from, to: [to] }
  return {
    ...fields,
    to,
    envelope,
    baseBoundary: boundary,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
