import { onTestFinished } from 'vitest'
import type { MailMessage } from '#site/mail/mail-message.ts'
import type { Mailer, SendOutcome } from '#server/transports/mailer.ts'

type Answer = (address: string) => SendOutcome | Promise<SendOutcome>

export const accepted: SendOutcome = { kind: 'accepted' }
export const temporary: SendOutcome = {
  kind: 'deferred',
  why: '451',
  words: 'try later',
  cause: new Error('451 try later'),
}
export const relayAway: SendOutcome & { kind: 'relay-fault' } = {
  kind: 'relay-fault',
  why: 'ECONNREFUSED',
  progress: 'connecting',
  cause: new Error('connect ECONNREFUSED'),
}
const brokenOff: SendOutcome = {
  kind: 'broken-off',
  why: 'EABORT',
  cause: new Error('the test has ended'),
}
export const permanent: SendOutcome = {
  kind: 'refused',
  why: '550',
  words: 'no such user',
  cause: new Error('550 no such user'),
}

interface Attempt {
  address: string
  message: MailMessage
}

/** A mailer that sends nothing. A test sets its outcomes. */
export interface ProgrammableMailer extends Mailer {
  /** Every attempt, in order, with any outcome. */
  attempts: Attempt[]
  /** The addresses of all attempts, in order. */
  addresses(): string[]
  /** Sets the outcome of the next attempts; accepted by default. */
  answer(by: Answer): void
  /**
   * Lets attempts wait until the test resolves them with what it returns: all, or those to
   * addresses that begin with `prefix`. The end of the test breaks them off: a server that stops
   * would wait for them.
   */
  hold(prefix?: string): (outcome: SendOutcome) => void
}

export function programmableMailer(): ProgrammableMailer {
  let answerBy: Answer = () => accepted
  const attempts: Attempt[] = []
  return {
    attempts,
    addresses: () => attempts.map(({ address }) => address),
    answer: (by) => void (answerBy = by),
    hold(prefix = '') {
      const { promise, resolve } = Promise.withResolvers<SendOutcome>()
      answerBy = (address) => (address.startsWith(prefix) ? promise : accepted)
      onTestFinished(() => resolve(brokenOff))
      return resolve
    },
    async send(message: MailMessage) {
      attempts.push({ address: message.to, message })
      return answerBy(message.to)
    },
    close: async () => {},
  }
}
