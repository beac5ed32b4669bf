import { setTimeout as wait } from 'node:timers/promises'
import type { SendMailOptions } from 'nodemailer'

/** One mail to one recipient, in fields that an HTTP API takes as well as SMTP. */
export interface MailMessage {
  from: string | { name: string; address: string }
  /** One address, never parsed: "a@x, b@x" is not two. */
  to: string
  replyTo?: string
  subject: string
  text: string
  html?: string
  messageId: string
  date: Date
  headers: Record<string, string>
  /** This mail in the form of RFC 5322. If it is absent, nodemailer writes it from the fields. */
  raw?: string
}

/** `why`: a code, never the server's words, which may quote the address. `cause` may hold them: not for logs. */
export type SendOutcome =
  | { kind: 'accepted' }
  | {
      kind: 'temporary'
      why: string
      /** The relay was unreachable or refused our login: any other mail would have failed too. */
      isRelayAway: boolean
      /** Our account is refused, whatever the mail. No delivery fails for that reason. */
      isAboutUs?: true
      /** The relay asks us not to come back sooner. */
      retryAfterMs?: number | undefined
      cause: unknown
    }
  | { kind: 'permanent'; why: string; cause: unknown }

export type SendFailure = Exclude<SendOutcome, { kind: 'accepted' }>

export interface Mailer {
  /** Never throws. */
  send(message: MailMessage): Promise<SendOutcome>
  /** Lets a send in flight finish, if it does so soon. */
  close(): Promise<void>
}

export interface RelayOptions {
  /** Connections kept open, each sending one mail at a time. */
  concurrency: number
  /** From the call of send to the last byte of the mail, including the wait for a free connection. */
  timeoutMs: number
  /** From then to the final reply. A short wait makes duplicates: RFC 5321 4.5.3.2.6 asks for 10 minutes. */
  finalReplyTimeoutMs: number
  /** How long close waits for sends in flight. */
  closeGraceMs?: number | undefined
  /** Gets the server's reply to an accepted mail. It may hold an address: not for logs. */
  onAccepted?: ((reply: string) => void) | undefined
}

const defaultGraceMs = 1_000

/** `send` may throw nothing. `stop` is called at once, `cut` when the grace period for sends in flight is over. */
export function makeMailer(
  send: Mailer['send'],
  { graceMs = defaultGraceMs, stop, cut }: { graceMs: number | undefined; stop?(): void; cut(): void },
): Mailer {
  const inFlight = new Set<Promise<SendOutcome>>()
  return {
    send(message) {
      const sending = send(message).finally(() => inFlight.delete(sending))
      inFlight.add(sending)
      return sending
    },
    async close() {
      stop?.()
      const graceOver = new AbortController()
      const grace = wait(graceMs, undefined, { signal: graceOver.signal }).catch(() => {})
      await Promise.race([Promise.allSettled(inFlight), grace])
      graceOver.abort()
      cut()
      await Promise.allSettled(inFlight)
    },
  }
}

/** The time limit of one mail. A short wait for the final reply makes duplicates, so the limit restarts at `noteBodySent`. */
export function startTimeLimit({
  timeoutMs,
  finalReplyTimeoutMs,
}: Pick<RelayOptions, 'timeoutMs' | 'finalReplyTimeoutMs'>) {
  const limit = new AbortController()
  let timer = setTimeout(() => limit.abort(), timeoutMs)
  return {
    signal: limit.signal,
    noteBodySent() {
      clearTimeout(timer)
      timer = setTimeout(() => limit.abort(), finalReplyTimeoutMs)
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

export function forNodemailer({ to: address, raw, ...fields }: MailMessage): SendMailOptions {
  const to = { name: '', address }
  const envelope = { from: fields.from, to: [to] }
  if (raw !== undefined) return { envelope, raw }
  return { ...fields, to, envelope, disableFileAccess: true, disableUrlAccess: true }
}
