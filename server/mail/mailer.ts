import type { SendMailOptions } from 'nodemailer'

/** What composeStarterEmail writes. It carries its own envelope, date and boundary, so it has one form in bytes. */
export type MailMessage = SendMailOptions

/** `why` is for logs and tables: short, and never with an address in it. `cause` may hold one: not for logs. */
export type Sending = { kind: 'accepted' } | { kind: 'temporary' | 'permanent'; why: string; cause: unknown }

export interface Mailer {
  /** Never throws. */
  send(message: MailMessage): Promise<Sending>
  /** Lets a send in flight finish, if it does so soon. */
  close(): Promise<void>
}
