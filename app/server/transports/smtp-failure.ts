import type { NodemailerError } from 'nodemailer'
import type { Progress, SendFailure } from './mailer.ts'

/**
 * Sorts failures by one rule: only an answer to RCPT TO, or the final answer to DATA, can be about
 * the recipient. Everything else is about the relay or us: a network or TLS fault, a missing file
 * descriptor, an answer to the greeting, to AUTH or to MAIL FROM, and a policy of the relay.
 */
export function smtpFailure(cause: unknown, progress: Progress = 'connecting'): SendFailure {
  const fault: NodemailerError = cause instanceof Error ? cause : new Error(String(cause))
  const code = fault.responseCode
  if (code === undefined) return { kind: 'relay-fault', why: networkFault(fault), progress, cause }
  const { command, response = '' } = fault
  const enhanced = enhancedCode.exec(response)?.[1]
  const said = ['smtp', code, enhanced].filter((part) => part !== undefined).join(' ')
  const why = command === undefined ? said : `${said} to ${command}`
  if (isAnswerAboutRecipient(fault)) {
    if (code < 500) return { kind: 'deferred', why, cause }
    if (isAboutMailbox(code, enhanced, response)) return { kind: 'refused', why, cause }
  }
  return { kind: 'relay-fault', why, progress: progressAfter(command, progress), cause }
}

/**
 * An answer to DATA before the body has EENVELOPE. 421 ends the session, whatever it answers (RFC
 * 5321 4.2.3).
 */
function isAnswerAboutRecipient({ command, code, responseCode }: NodemailerError): boolean {
  const isLate = command === 'RCPT TO' || (command === 'DATA' && code === 'EMESSAGE')
  return isLate && responseCode !== 421
}

/** RFC 2034: behind the code. qmail has it at the end: "(#5.1.1)". */
const enhancedCode = /^\d{3}[ -](?:.*\(#)?([245]\.\d{1,3}\.\d{1,3})\b/

/**
 * RFC 3463 puts the recipient's address into x.1 and the mailbox into x.2; x.1.7 and x.1.8 are
 * about the sender. Without an enhanced code: RFC 5321 4.2.3 gives 550 to 553 to mailboxes, and
 * some relays refuse to relay with them ("550 relay not permitted").
 */
function isAboutMailbox(code: number, enhanced: string | undefined, response: string): boolean {
  if (enhanced !== undefined) return /^5\.[12]\./.test(enhanced) && !/^5\.1\.[78]$/.test(enhanced)
  return code >= 550 && code <= 553 && !/\brelay|\bsender\b/i.test(response)
}

/**
 * A relay that refused the sender has judged no recipient, although RCPT TO may have been sent
 * along. A mail that was answered has not arrived.
 */
function progressAfter(command: string | undefined, progress: Progress): Progress {
  if (command === 'MAIL FROM') return 'connecting'
  return progress === 'body-sent' ? 'recipient-named' : progress
}

/**
 * Returns the system's code, which says more than nodemailer's: ECONNREFUSED rather than ESOCKET.
 */
function networkFault(fault: NodemailerError): string {
  const code = fault.name === 'TimeoutError' ? 'ETIMEDOUT' : (fault.originalCode ?? fault.code)
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]*$/.test(code)) return 'unknown error'
  return usualCodes.get(code) ?? code
}

/** An abort of ours is a timeout. The other codes are those of `fetch`. */
const usualCodes = new Map([
  ['EABORT', 'ETIMEDOUT'],
  ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
  ['UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'],
  ['UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'],
  ['UND_ERR_SOCKET', 'ECONNRESET'],
])
