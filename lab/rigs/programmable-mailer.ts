import type { Mailer, MailMessage, Sending } from '#server/transports/mailer.ts'

export interface ProgrammableMailer extends Mailer {
  /** Every attempt, in order, whatever came of it. */
  attempts: { address: string; message: MailMessage }[]
  /** The addresses of the attempts. */
  addresses(): string[]
  /** What the next attempts come to; accepted by default. */
  answer(by: (address: string) => Sending | Promise<Sending>): void
}

export const accepted: Sending = { kind: 'accepted' }
export const temporary: Sending = { kind: 'temporary', why: '451', cause: new Error('451 try later') }
export const relayAway: Sending = {
  ...{ kind: 'temporary', why: 'ECONNREFUSED', isRelayAway: true },
  cause: new Error('connect ECONNREFUSED'),
}
export const permanent: Sending = { kind: 'permanent', why: '550', cause: new Error('550 no such user') }

/** A mailer that sends nothing and does what a test tells it. */
export function programmableMailer(): ProgrammableMailer {
  let answerBy: (address: string) => Sending | Promise<Sending> = () => accepted
  const attempts: ProgrammableMailer['attempts'] = []
  return {
    attempts,
    addresses: () => attempts.map(({ address }) => address),
    answer: (by) => void (answerBy = by),
    async send(message) {
      const { address } = message.envelope.to[0]
      attempts.push({ address, message })
      return answerBy(address)
    },
    close: async () => {},
  }
}
