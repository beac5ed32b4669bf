import type { MailMessage } from '#mail/mail-message.ts'
import type { SendOutcome } from '#server/transports/mailer.ts'

type Answer = (address: string) => SendOutcome | Promise<SendOutcome>

export const accepted: SendOutcome = { kind: 'accepted' }
export const temporary: SendOutcome = {
  kind: 'deferred',
  why: '451',
  cause: new Error('451 try later'),
}
export const relayAway: SendOutcome & { kind: 'relay-fault' } = {
  kind: 'relay-fault',
  why: 'ECONNREFUSED',
  progress: 'connecting',
  cause: new Error('connect ECONNREFUSED'),
}
export const permanent: SendOutcome = {
  kind: 'refused',
  why: '550',
  cause: new Error('550 no such user'),
}

/** A mailer that sends nothing. A test sets its outcomes. */
export function programmableMailer() {
  let answerBy: Answer = () => accepted
  const attempts: { address: string; message: MailMessage }[] = []
  return {
    /** Every attempt, in order, with any outcome. */
    attempts,
    addresses: () => attempts.map(({ address }) => address),
    /** Sets the outcome of the next attempts; accepted by default. */
    answer: (by: Answer) => void (answerBy = by),
    /**
     * Lets attempts wait until the test resolves them: all, or those to addresses that begin so.
     */
    hold(prefix = '') {
      const { promise, resolve } = Promise.withResolvers<SendOutcome>()
      answerBy = (address) => (address.startsWith(prefix) ? promise : accepted)
      return resolve
    },
    async send(message: MailMessage) {
      attempts.push({ address: message.to, message })
      return answerBy(message.to)
    },
    close: async () => {},
  }
}
