import type { SignUpRequest } from '#contract/sign-up.ts'
import type { SignUpOrigin } from '../statistics/counts.ts'
import { readOrigin } from './sign-up-origin.ts'

export interface SignUpBody {
  /** As it stands. */
  email: string
  origin: SignUpOrigin
}

// RFC 8259 8.1: no byte order mark; it is left for JSON.parse to refuse.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a `SignUpRequest`. Undefined: the body has another form. Other keys are ignored. */
export function readJsonSignUp(bytes: Buffer): SignUpBody | undefined {
  let body: Partial<Record<keyof SignUpRequest, unknown>> | null
  try {
    body = JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'email')) return undefined
  const { email, form, utm_source: source, typo_rescued: typoRescued } = body
  return typeof email === 'string' ? { email, origin: readOrigin({ form, source, typoRescued }) } : undefined
}

/**
 * The first `email` field of a form post; empty if there is none. `source`: of the page it was posted from; the page that
 * gives an invalid address back has that of the page before in a field.
 */
export function readFormSignUp(bytes: Buffer, source: string | null): SignUpBody {
  const fields = new URLSearchParams(bytes.toString('utf8'))
  return {
    email: fields.get('email') ?? '',
    origin: readOrigin({
      form: fields.get('form'),
      source: fields.get('utm_source') ?? source,
      typoRescued: false,
    }),
  }
}
