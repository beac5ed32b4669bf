import type { Mailer, MailMessage, SendOutcome } from '#server/transports/mailer.ts'

export interface ProgrammableMailer extends Mailer {
  /** Every attempt, in order, with any outcome. */
  attempts: { address: string; message: MailMessage }[]
  /** The addresses of the attempts. */
  addresses(): string[]
  /** Sets the outcome of the next attempts; accepted by default. */
  answer(by: (address: string) => SendOutcome | Promise<SendOutcome>): void
}

export const accepted: SendOutcome = { kind: 'accepted' }
export const temporary: SendOutcome = {
  kind: 'temporary',
  why: '451',
  isRelayAway: false,
  cause: new Error('451 try later'),
}
export const relayAway: SendOutcome = {
  kind: 'temporary',
  why: 'ECONNREFUSED',
  isRelayAway: true,
  cause: new Error('connect ECONNREFUSED'),
}
export const permanent: SendOutcome = { kind: 'permanent', why: '550', cause: new Error('550 no such user') }

/** A mailer that sends nothing. A test sets its outcomes. */
export function programmableMailer(): ProgrammableMailer {
  let answerBy: (address: string) => SendOutcome | Promise<SendOutcome> = () => accepted
  const attempts: ProgrammableMailer['attempts'] = []
  return {
    attempts,
    addresses: () => attempts.map(({ address }) => address),
    answer: (by) => void (answerBy = by),
    async send(message) {
      attempts.push({ address: message.to, message })
      return answerBy(message.to)
    },
    close: async () => {},
  }
}
