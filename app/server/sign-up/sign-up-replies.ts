import {
  maxSignUpBodyBytes,
  type SignUpAccepted,
  type SignUpErrorCode,
  type SignUpRejected,
} from '#contract/sign-up.ts'
import { type Answer, corsHeaders } from '../http/answer.ts'
import type { Pages } from '../http/pages.ts'
import type { SignUpBody } from './read-sign-up.ts'

export type SignUpReply =
  | {
      kind: 'accepted'
      address: string
      alreadyExists: boolean
      /** ms since 1970. */
      resentAt?: number
      nextResendAt?: number
    }
  | { kind: 'rejected'; rejection: Rejection }

interface Rejection {
  status: number
  code: SignUpErrorCode
  message: string
  retryAfterSeconds?: number
}

export const rejections = {
  method: { status: 405, code: 'method_not_allowed', message: 'Only POST is answered here.' },
  origin: { status: 403, code: 'forbidden_origin', message: 'This origin may not call the function.' },
  host: { status: 421, code: 'misdirected_request', message: 'This server does not answer for that host.' },
  credential: { status: 401, code: 'unauthorized', message: 'The public credential is missing or wrong.' },
  mediaType: { status: 415, code: 'unsupported_media_type', message: 'The body must be application/json.' },
  tooLarge: {
    status: 413,
    code: 'body_too_large',
    message: `The body may have ${maxSignUpBodyBytes} bytes at most.`,
  },
  body: {
    status: 400,
    code: 'bad_request',
    message: 'The body must be JSON of the form { "email": string }.',
  },
  email: { status: 400, code: 'invalid_email', message: 'Please enter a valid email address' },
  unavailable: {
    status: 503,
    code: 'unavailable',
    message: 'The sign-up could not be stored. Please try again in a moment.',
    retryAfterSeconds: 30,
  },
  fault: { status: 500, code: 'internal_error', message: 'Something went wrong here. Please try again.' },
} satisfies Record<string, Rejection>

export function tooManyRequests(retryAfterSeconds: number): Rejection {
  const message = 'Too many sign-ups. Please try again later.'
  return { status: 429, code: 'too_many_requests', message, retryAfterSeconds }
}

export function reject(rejection: Rejection): SignUpReply {
  return { kind: 'rejected', rejection }
}

const json = { 'content-type': 'application/json', 'cache-control': 'no-store' }

export function asJson(reply: SignUpReply, origin: string | undefined): Answer {
  const headers = origin === undefined ? json : { ...json, ...corsHeaders(origin) }
  switch (reply.kind) {
    case 'accepted':
      return { status: 200, headers, body: acceptedBody(reply) }
    case 'rejected': {
      const { status, code, message, retryAfterSeconds } = reply.rejection
      const more = status === 405 ? { allow: 'POST, OPTIONS' } : retryAfter(retryAfterSeconds)
      const body: SignUpRejected = { error: { code, message } }
      return { status, headers: { ...headers, ...more }, body: JSON.stringify(body) }
    }
    default:
      return reply satisfies never
  }
}

let lastAccepted = { key: '', body: '' }

/** Sign-ups that share a commit share their times as well: the text is made once for them. */
function acceptedBody({ alreadyExists, resentAt, nextResendAt }: SignUpReply & { kind: 'accepted' }): string {
  const key = `${alreadyExists} ${resentAt} ${nextResendAt}`
  if (key !== lastAccepted.key) {
    const times = { resentAt: isoTime(resentAt), nextResendAt: isoTime(nextResendAt) }
    const answer: SignUpAccepted = { success: true, alreadyExists, ...times }
    lastAccepted = { key, body: JSON.stringify(answer) }
  }
  return lastAccepted.body
}

/** The page that answers a plain form. An error gives the form back as it was filled in. */
export function asPage(reply: SignUpReply, { email, attribution }: SignUpBody, pages: Pages): Answer {
  switch (reply.kind) {
    case 'accepted': {
      const name = reply.alreadyExists ? 'result-already-on-list' : 'result-sent'
      return page(200, pages.page(name, { address: reply.address }))
    }
    case 'rejected': {
      const { status, code, retryAfterSeconds } = reply.rejection
      const { form, campaign } = attribution
      const name = code === 'invalid_email' ? 'result-invalid' : 'result-error'
      return page(status, pages.page(name, { address: email, form, campaign }), retryAfterSeconds)
    }
    default:
      return reply satisfies never
  }
}

function page(status: number, html: string, retryAfterSeconds?: number): Answer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...retryAfter(retryAfterSeconds),
  }
  return { status, headers, body: html }
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}
