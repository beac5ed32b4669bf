import { setTimeout as sleep } from 'node:timers/promises'
import type { MailMessage } from '#mail/mail-message.ts'
import type { Mailer, SendOutcome } from './mailer.ts'
import { smtpFailure } from './smtp-failure.ts'

export interface RelayOptions {
  /**
   * From the call of send to the last byte of the mail, including the wait for a free connection.
   */
  timeoutMs: number
  /**
   * From then to the final reply. A short wait makes duplicates: RFC 5321 4.5.3.2.6 asks for 10
   * minutes.
   */
  finalReplyTimeoutMs: number
}

interface Attempt {
  /** Aborts at the time limit, and when the mailer closes. */
  signal: AbortSignal
  /** Called when only the final reply is missing. */
  onBodySent(): void
}

const graceMs = 1_000

/** `sendOnce` sends one mail, or throws. `stop` is called when the mailer begins to close. */
export function createRelayMailer(
  { timeoutMs, finalReplyTimeoutMs }: RelayOptions,
  sendOnce: (message: MailMessage, attempt: Attempt) => Promise<SendOutcome>,
  stop = () => {},
): Mailer {
  const inFlight = new Map<AbortController, Promise<SendOutcome>>()

  async function sendInTime(message: MailMessage, limit: AbortController): Promise<SendOutcome> {
    let timer = setTimeout(abort, timeoutMs, limit)
    const onBodySent = () => {
      clearTimeout(timer)
      timer = setTimeout(abort, finalReplyTimeoutMs, limit)
    }
    try {
      return await sendOnce(message, { signal: limit.signal, onBodySent })
    } catch (cause) {
      return smtpFailure(cause)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    send(message) {
      const limit = new AbortController()
      const sending = sendInTime(message, limit).finally(() => inFlight.delete(limit))
      inFlight.set(limit, sending)
      return sending
    },
    async close() {
      stop()
      const sent = Promise.all(inFlight.values())
      await Promise.race([sent, sleep(graceMs, undefined, { ref: false })])
      for (const limit of inFlight.keys()) abort(limit)
      await sent
    },
  }
}

function abort(limit: AbortController): void {
  limit.abort(new DOMException('The time is over', 'TimeoutError'))
}
