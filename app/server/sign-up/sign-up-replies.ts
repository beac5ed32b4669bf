import { maxSignUpBodyBytes, type SignUpAccepted, type SignUpRejected } from '#contract/sign-up.ts'
import type { SignUpOutcome } from './register-sign-up.ts'

export type SignUpReply = Accepted | Rejected

export interface Accepted {
  kind: 'accepted'
  body: SignUpAccepted
  /** As the page shows it. */
  address: string
}

export interface Rejected {
  kind: 'rejected'
  status: number
  headers: Record<string, string>
  body: SignUpRejected
}

const notStored = 'The sign-up could not be stored. Please try again in a moment.'
const tooManySignUps = 'Too many sign-ups. Please try again later.'

export const rejections = {
  unknown: rejected(404, 'not_found', 'There is no function of this name.'),
  method: rejected(405, 'method_not_allowed', 'Only POST is answered here.', {
    allow: 'POST, OPTIONS',
  }),
  origin: rejected(403, 'forbidden_origin', 'This origin may not call the function.'),
  host: rejected(421, 'misdirected_request', 'This server does not answer for that host.'),
  credential: rejected(401, 'unauthorized', 'The public credential is missing or wrong.'),
  mediaType: rejected(415, 'unsupported_media_type', 'The body must be application/json.'),
  tooLarge: rejected(
    413,
    'body_too_large',
    `The body may have ${maxSignUpBodyBytes} bytes at most.`,
  ),
  body: rejected(400, 'bad_request', 'The body must be JSON of the form { "email": string }.'),
  email: rejected(400, 'invalid_email', 'Please enter a valid email address'),
  unavailable: rejected(503, 'unavailable', notStored, { 'retry-after': '30' }),
  notOpen: rejected(503, 'not_open', 'This page opens soon.', {
    'retry-after': '3600',
    'x-robots-tag': 'noindex',
  }),
  fault: rejected(500, 'internal_error', 'Something went wrong here. Please try again.'),
}

function rejected(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Rejected {
  return { kind: 'rejected', status, headers, body: { error: { code, message } } }
}

/**
 * The reply to a sign-up of a valid address. `isHidden`: nothing tells whether the address was on
 * the list, and only a busy network is refused.
 */
export function replyTo(outcome: SignUpOutcome, address: string, isHidden: boolean): SignUpReply {
  if (outcome.kind === 'refused' && (outcome.by === 'network' || !isHidden)) {
    return rejected(429, 'too_many_requests', tooManySignUps, {
      'retry-after': String(outcome.retryAfterSeconds),
    })
  }
  const isTold = !isHidden && outcome.kind !== 'refused'
  return { kind: 'accepted', address, body: isTold ? bodyFor(outcome) : noDetails }
}

const noDetails: SignUpAccepted = {
  success: true,
  alreadyExists: false,
  resentAt: null,
  nextResendAt: null,
  receipt: null,
}

function bodyFor(outcome: Exclude<SignUpOutcome, { kind: 'refused' }>): SignUpAccepted {
  switch (outcome.kind) {
    case 'registered': {
      const { nextResendAt, receipt } = outcome
      return { ...noDetails, nextResendAt: isoTime(nextResendAt), receipt }
    }
    case 'resent': {
      const { resentAt, receipt } = outcome
      return { ...noDetails, alreadyExists: true, resentAt: isoTime(resentAt), receipt }
    }
    case 'already-registered':
      return { ...noDetails, alreadyExists: true, nextResendAt: isoTime(outcome.nextResendAt) }
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
