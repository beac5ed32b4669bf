import type { SendMailOptions } from 'nodemailer'
import type { MailMessage } from '#mail/mail-message.ts'

/**
 * `why`: a code, never the server's words, which may quote the address. `cause` may hold them: not
 * for logs.
 */
export type SendOutcome =
  /** `reply`: the relay's words, which may hold an address: not for logs. */
  | { kind: 'accepted'; reply?: string }
  | {
      kind: 'temporary'
      why: string
      /**
       * The relay was unreachable or refused us: any other mail would have failed too. No delivery
       * fails for this reason.
       */
      isRelayAway: boolean
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
