import { setTimeout as sleep } from 'node:timers/promises'
import type { MailMessage } from '#site/mail/mail-message.ts'
import type { Mailer, Progress, SendOutcome } from './mailer.ts'
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

export interface Attempt {
  /** Aborts at the time limit, and when the mailer closes. */
  signal: AbortSignal
  /** Called when the attempt has come further. After the body only the final reply is missing. */
  onProgress(progress: Progress): void
}

const graceMs = 1_000

/** Sends one mail, or throws. */
type SendOnce = (message: MailMessage, attempt: Attempt) => Promise<SendOutcome>

/** `stop` is called when the mailer begins to close. */
export function createRelayMailer(
  options: RelayOptions,
  sendOnce: SendOnce,
  stop = () => {},
): Mailer {
  const inFlight = new Map<AbortController, Promise<SendOutcome>>()
  let isClosing = false

  async function send(message: MailMessage, controller: AbortController): Promise<SendOutcome> {
    const outcome = await sendInTime(sendOnce, message, controller, options)
    inFlight.delete(controller)
    if (!isClosing || outcome.kind !== 'relay-fault') return outcome
    return { kind: 'broken-off', why: outcome.why, cause: outcome.cause }
  }

  return {
    send(message) {
      const controller = new AbortController()
      const sending = send(message, controller)
      inFlight.set(controller, sending)
      return sending
    },
    async close() {
      isClosing = true
      stop()
      const sent = Promise.all(inFlight.values())
      await Promise.race([sent, sleep(graceMs, undefined, { ref: false })])
      for (const controller of inFlight.keys()) abort(controller)
      await sent
    },
  }
}

async function sendInTime(
  sendOnce: SendOnce,
  message: MailMessage,
  controller: AbortController,
  { timeoutMs, finalReplyTimeoutMs }: RelayOptions,
): Promise<SendOutcome> {
  let timer = setTimeout(abort, timeoutMs, controller)
  let progress: Progress = 'connecting'
  const onProgress = (further: Progress) => {
    progress = further
    if (further !== 'body-sent') return
    clearTimeout(timer)
    timer = setTimeout(abort, finalReplyTimeoutMs, controller)
  }
  try {
    return await sendOnce(message, { signal: controller.signal, onProgress })
  } catch (cause) {
    return smtpFailure(cause, { progress, recipient: message.to })
  } finally {
    clearTimeout(timer)
  }
}

function abort(controller: AbortController): void {
  controller.abort(new DOMException('The time is over', 'TimeoutError'))
}
