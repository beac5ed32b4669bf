import { maxSignUpBodyBytes, type SignUpAccepted } from '#contract/sign-up.ts'
import type { SignUpErrorCode, SignUpRejected } from '#contract/sign-up.ts'
import { type Answer, corsHeaders, htmlAnswer, jsonAnswer } from '../http/answer.ts'
import type { Pages } from '../http/pages.ts'
import type { TypedSignUp } from './read-sign-up.ts'

export type SignUpReply = Accepted | Rejected

interface Accepted {
  kind: 'accepted'
  address: string
  alreadyExists: boolean
  receipt: string
  firstMail?: SignUpAccepted['firstMail'] | undefined
  /** ms since 1970. */
  resentAt?: number
  nextResendAt?: number
}

interface Rejected {
  kind: 'rejected'
  status: number
  body: SignUpRejected
  headers: Record<string, string>
}

const invalidEmail: SignUpErrorCode = 'invalid_email'

export const rejections = {
  method: {
    ...rejected(405, 'method_not_allowed', 'Only POST is answered here.'),
    headers: { allow: 'POST, OPTIONS' },
  },
  origin: rejected(403, 'forbidden_origin', 'This origin may not call the function.'),
  host: rejected(421, 'misdirected_request', 'This server does not answer for that host.'),
  credential: rejected(401, 'unauthorized', 'The public credential is missing or wrong.'),
  mediaType: rejected(415, 'unsupported_media_type', 'The body must be application/json.'),
  tooLarge: rejected(413, 'body_too_large', `The body may have ${maxSignUpBodyBytes} bytes at most.`),
  body: rejected(400, 'bad_request', 'The body must be JSON of the form { "email": string }.'),
  email: rejected(400, invalidEmail, 'Please enter a valid email address'),
  unavailable: rejected(
    503,
    'unavailable',
    'The sign-up could not be stored. Please try again in a moment.',
    30,
  ),
  fault: rejected(500, 'internal_error', 'Something went wrong here. Please try again.'),
}

export function tooManyRequests(retryAfterSeconds: number): Rejected {
  return rejected(429, 'too_many_requests', 'Too many sign-ups. Please try again later.', retryAfterSeconds)
}

function rejected(
  status: number,
  code: SignUpErrorCode,
  message: string,
  retryAfterSeconds?: number,
): Rejected {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { kind: 'rejected', status, body: { error: { code, message } }, headers }
}

/** `origin`: whose scripts may read the answer. */
export function asJson(reply: SignUpReply, origin: string | undefined): Answer {
  const cors = corsHeaders(origin)
  switch (reply.kind) {
    case 'accepted':
      return jsonAnswer(200, acceptedBody(reply), cors)
    case 'rejected':
      return jsonAnswer(reply.status, reply.body, { ...cors, ...reply.headers })
    default:
      return reply satisfies never
  }
}

function acceptedBody({
  alreadyExists,
  resentAt,
  nextResendAt,
  receipt,
  firstMail = null,
}: Accepted): SignUpAccepted {
  const times = { resentAt: isoTime(resentAt), nextResendAt: isoTime(nextResendAt) }
  return { success: true, alreadyExists, ...times, receipt, firstMail }
}

let lastTime = { ms: 0, iso: '' }

/** Sign-ups that share a commit share their times as well: the text is made once for them. */
function isoTime(ms: number | undefined): string | null {
  if (ms === undefined) return null
  if (ms !== lastTime.ms) lastTime = { ms, iso: new Date(ms).toISOString() }
  return lastTime.iso
}

/** The page that answers a plain form. An error gives the form back as it was filled in. */
export function asPage(reply: SignUpReply, { email, attribution }: TypedSignUp, pages: Pages): Answer {
  switch (reply.kind) {
    case 'accepted': {
      const name = reply.alreadyExists ? 'result-already-on-list' : 'result-sent'
      const { address, receipt } = reply
      return htmlAnswer(200, pages.page(name, { address, receipt }))
    }
    case 'rejected': {
      const { form, campaign } = attribution
      const name = reply.body.error.code === invalidEmail ? 'result-invalid' : 'result-error'
      return htmlAnswer(reply.status, pages.page(name, { address: email, form, campaign }), reply.headers)
    }
    default:
      return reply satisfies never
  }
}
