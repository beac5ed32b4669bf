import { formatAttribution, type SignUpRequest } from '#contract/sign-up.ts'
import type { SignUpAttribution } from '../statistics/counts.ts'
import { readAttribution, readFormAttribution } from './attribution.ts'

export interface SignUpBody {
  /** As it stands. */
  email: string
  attribution: SignUpAttribution
}

// RFC 8259 8.1: no byte order mark; it is left for JSON.parse to refuse.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a `SignUpRequest`. Undefined: the body has another form. Other keys are ignored. */
export function readJsonSignUp(bytes: Buffer, header: string | undefined): SignUpBody | undefined {
  let body: Partial<Record<keyof SignUpRequest, unknown>> | null
  try {
    body = JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'email')) return undefined
  const { email } = body
  return typeof email === 'string'
    ? { email, attribution: readAttribution(header ?? attributionInBody(body)) }
    : undefined
}

/** Until the page sends the header. */
function attributionInBody(body: Partial<Record<keyof SignUpRequest, unknown>>): string | undefined {
  const { form, utm_source: campaign, typo_rescued: rescued } = body
  if (typeof form !== 'string') return undefined
  return formatAttribution({
    form,
    campaign: typeof campaign === 'string' ? campaign : '',
    suggestionAccepted: rescued === true,
  })
}

/** The first `email` field of a form post; empty if there is none. */
export function readFormSignUp(
  bytes: Buffer,
  referer: string | undefined,
  origins: ReadonlySet<string>,
): SignUpBody {
  const fields = new URLSearchParams(bytes.toString('utf8'))
  return { email: fields.get('email') ?? '', attribution: readFormAttribution(fields, referer, origins) }
}
