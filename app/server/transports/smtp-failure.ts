import type { NodemailerError } from 'nodemailer'

export interface SmtpFailure {
  kind: 'temporary' | 'permanent'
  /** Reply code or error code, and the command it answered. The server's words are left out: they quote the address. */
  why: string
  /** Nobody was there, or we were not let in: any other mail would have fared the same. */
  isRelayAway?: true
}

/**
 * Permanent is what would be refused again as it stands: a 5yz reply (RFC 5321 4.2.1) to the sender, the recipient or
 * the message, and an envelope that nodemailer itself will not send. Everything else is tried again: the network, a
 * closing server, and also a 5yz reply before any mail was spoken of, such as 535 to our password. That is a fault of
 * ours or of the relay, and must not write off everyone in the queue.
 */
export function smtpFailure(cause: unknown): SmtpFailure {
  const fault: NodemailerError = cause instanceof Error ? cause : new Error(String(cause))
  const code = fault.responseCode
  if (code === undefined) {
    const refusedHere = fault.code === 'EENVELOPE' || fault.code === 'EMESSAGE'
    const why = networkFault(fault)
    return { kind: refusedHere ? 'permanent' : 'temporary', why, ...(nobodyThere.has(why) && relayAway) }
  }
  const kind = code >= 500 && !isAboutTheSession(code, fault) ? 'permanent' : 'temporary'
  const why = `smtp ${code}${fault.command ? ` to ${fault.command}` : ''}`
  return { kind, why, ...(sessionReplies.has(code) && relayAway) }
}

const sessionReplies = new Set([503, 530, 534, 535, 538])
/** Before there is a connection: a cut or a silence later may be about one mail. */
const nobodyThere = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EDNS'])
const relayAway = { isRelayAway: true } as const
const mailCommands = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])

function isAboutTheSession(code: number, fault: NodemailerError): boolean {
  return sessionReplies.has(code) || (fault.command !== undefined && !mailCommands.has(fault.command))
}

/**
 * nodemailer puts its own code over the system's, which tells more: ECONNREFUSED rather than ESOCKET. What we abort
 * has run out of time.
 */
function networkFault(fault: NodemailerError): string {
  const code = fault.code === 'EABORT' ? 'ETIMEDOUT' : (fault.originalCode ?? fault.code)
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'unknown fault'
}
