import type { NodemailerError } from 'nodemailer'
import type { Progress, SendFailure } from './mailer.ts'
import { blameFor, codesIn, plainWords, type Refusal } from './refusal.ts'

interface Attempted {
  progress?: Progress
  /** Where the mail went. */
  recipient?: string
}

/** Sorts the failures of nodemailer and the network. */
export function smtpFailure(
  cause: unknown,
  { progress = 'connecting', recipient = '' }: Attempted = {},
): SendFailure {
  const fault: NodemailerError = cause instanceof Error ? cause : new Error(String(cause))
  const code = fault.responseCode
  if (code === undefined) return { kind: 'relay-fault', why: networkFault(fault), progress, cause }
  const { command, response = '' } = fault
  const said = response.startsWith(String(code)) ? response : `${code} ${response}`
  const { enhanced } = codesIn(said)
  const blame = blameFor({ to: answered(command), said, recipient })
  const evidence = enhanced ?? (blame === 'person' ? noSuchMailbox : undefined)
  const answer = ['smtp', code, evidence].filter((part) => part !== undefined).join(' ')
  const why = command === undefined ? answer : `${answer} to ${command}`
  const words = plainWords(said, recipient)
  switch (blame) {
    case 'person':
      return { kind: 'refused', why, words, cause }
    case 'person-later':
      return { kind: 'deferred', why, words, cause }
    case 'us': {
      // A mail that was answered has not arrived.
      const reached = progress === 'body-sent' ? 'mail-begun' : progress
      return { kind: 'relay-fault', why, progress: reached, cause }
    }
    default:
      return blame satisfies never
  }
}

/** Stands in `why` where the words of an answer say so, which are not for logs. */
const noSuchMailbox = 'no such mailbox'

function answered(command: string | undefined): Refusal['to'] {
  if (command === 'RCPT TO') return 'recipient'
  return command === 'DATA' ? 'data' : 'earlier'
}

/**
 * Returns what a mail server or provider answered, for the owner. Undefined: nothing, or another
 * program's greeting. The owner may name any host, and what its other ports say is not for the
 * desk.
 */
export function answerIn(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('response' in cause)) return undefined
  const said = String(cause.response)
  const isGreeting = 'command' in cause && cause.command === 'CONN'
  return isGreeting && !/^[45]\d\d[ -]/.test(said) ? undefined : said
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
