import { setTimeout as sleep } from 'node:timers/promises'
import type { Mailer, MailMessage, SendOutcome } from './mailer.ts'
import { smtpFailure } from './smtp-failure.ts'

export interface RelayOptions {
  /** From the call of send to the last byte of the mail, including the wait for a free connection. */
  timeoutMs: number
  /** From then to the final reply. A short wait makes duplicates: RFC 5321 4.5.3.2.6 asks for 10 minutes. */
  finalReplyTimeoutMs: number
}

export interface Attempt {
  /** Aborts at the time limit, and when the mailer closes. */
  signal: AbortSignal
  /** From now on only the final reply is missing. */
  noteBodySent(): void
}

const graceMs = 1_000

/** A mailer of `attempt`, which sends one mail or throws. `stop` is called when the mailer begins to close. */
export function createRelayMailer(
  { timeoutMs, finalReplyTimeoutMs }: RelayOptions,
  attempt: (message: MailMessage, attempt: Attempt) => Promise<SendOutcome>,
  stop = () => {},
): Mailer {
  const inFlight = new Set<Promise<SendOutcome>>()
  const closing = new AbortController()

  async function sendInTime(message: MailMessage): Promise<SendOutcome> {
    const limit = new AbortController()
    const abort = () => limit.abort(new DOMException('The time is over', 'TimeoutError'))
    let timer = setTimeout(abort, timeoutMs)
    closing.signal.addEventListener('abort', abort)
    const noteBodySent = () => {
      clearTimeout(timer)
      timer = setTimeout(abort, finalReplyTimeoutMs)
    }
    try {
      return await attempt(message, { signal: limit.signal, noteBodySent })
    } catch (cause) {
      return smtpFailure(cause)
    } finally {
      clearTimeout(timer)
      closing.signal.removeEventListener('abort', abort)
    }
  }

  return {
    send(message) {
      const sending = sendInTime(message).finally(() => inFlight.delete(sending))
      inFlight.add(sending)
      return sending
    },
    async close() {
      stop()
      const sent = Promise.all(inFlight)
      await Promise.race([sent, sleep(graceMs, undefined, { ref: false })])
      closing.abort()
      await sent
    },
  }
}
