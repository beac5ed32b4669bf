import type { SendMailOptions } from 'nodemailer'
import type { SmtpFailure } from './smtp-failure.ts'

/** A mail that has one form in bytes: nothing is left for the mailer to make up. */
export interface MailMessage extends SendMailOptions {
  /** Who it goes to, whatever its headers say. Objects: nodemailer parses a string, and would find two in "a@x, b@x". */
  envelope: { from: string | MailAddress; to: [MailAddress] }
}

interface MailAddress {
  name: string
  address: string
}

/** `cause` may hold an address: not for logs. */
export type Sending = { kind: 'accepted' } | (SmtpFailure & { cause: unknown })

export interface Mailer {
  /** Never throws. */
  send(message: MailMessage): Promise<Sending>
  /** Lets a send in flight finish, if it does so soon. */
  close(): Promise<void>
}
