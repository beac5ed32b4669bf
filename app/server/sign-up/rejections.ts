import { maxSignUpBodyBytes, type SignUpErrorCode } from '#contract/sign-up.ts'

export interface Rejection {
  status: number
  code: SignUpErrorCode
  message: string
  retryAfterSeconds?: number
}

const waitWhenUnavailableSeconds = 30

/** Every answer to a sign-up that is not taken. */
export const rejections = {
  method: { status: 405, code: 'method_not_allowed', message: 'Only POST is answered here.' },
  origin: { status: 403, code: 'forbidden_origin', message: 'This origin may not call the function.' },
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
    retryAfterSeconds: waitWhenUnavailableSeconds,
  },
  fault: { status: 500, code: 'internal_error', message: 'Something went wrong here. Please try again.' },
} satisfies Record<string, Rejection>

export function tooManyRequests(retryAfterSeconds: number): Rejection {
  const message = 'Too many sign-ups. Please try again later.'
  return { status: 429, code: 'too_many_requests', message, retryAfterSeconds }
}
