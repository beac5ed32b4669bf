import type { NodemailerError } from 'nodemailer'
import type { SendFailure } from './mailer.ts'

/**
 * Sorts failures into permanent and temporary ones. Permanent: a 5yz reply (RFC 5321 4.2.1) to the
 * sender, the recipient or the message, and an envelope that nodemailer refuses. Everything else is
 * retried: network errors, a reply without a code, and a 5yz to the session, such as 535 to our
 * password. That is our mistake or the relay's, and must not fail every delivery in the queue.
 */
export function smtpFailure(cause: unknown): SendFailure {
  const fault: NodemailerError = cause instanceof Error ? cause : new Error(String(cause))
  const code = fault.responseCode
  if (code === undefined) {
    const why = networkFault(fault)
    return fault.response === undefined && (fault.code === 'EENVELOPE' || fault.code === 'EMESSAGE')
      ? { kind: 'permanent', why, cause }
      : { kind: 'temporary', why, isRelayAway: nobodyThere.has(why), cause }
  }
  const why = `smtp ${code}${fault.command ? ` to ${fault.command}` : ''}`
  return code >= 500 && !isAboutTheSession(code, fault)
    ? { kind: 'permanent', why, cause }
    : { kind: 'temporary', why, isRelayAway: sessionReplies.has(code), cause }
}

/**
 * The failures that concern one recipient alone. 421 ends the session, so it is not one of them.
 */
export const recipientDeferred = /^smtp 45\d to RCPT TO$/

const sessionReplies = new Set([503, 530, 534, 535, 538])
/** Errors before there is a connection. A later cut or silence may concern one mail only. */
const nobodyThere = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EDNS',
])
const mailCommands = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

function isAboutTheSession(code: number, fault: NodemailerError): boolean {
  return (
    sessionReplies.has(code) || (fault.command !== undefined && !mailCommands.has(fault.command))
  )
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
