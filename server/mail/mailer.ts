import type { SendMailOptions } from 'nodemailer'
import type { SmtpFailure } from './smtp-failure.ts'

/** What composeStarterEmail writes. It carries its own envelope, date and boundary, so it has one form in bytes. */
export type MailMessage = SendMailOptions

/** `cause` may hold an address: not for logs. */
export type Sending = { kind: 'accepted' } | (SmtpFailure & { cause: unknown })

export interface Mailer {
  /** Never throws. */
  send(message: MailMessage): Promise<Sending>
  /** Lets a send in flight finish, if it does so soon. */
  close(): Promise<void>
}
