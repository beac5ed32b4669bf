import type { FastifyRequest } from 'fastify'
import { readCampaign } from '#contract/campaign.ts'
import { findEmailAddress } from '#contract/email-address.ts'
import { attributionHeader, signUpForms } from '#contract/sign-up.ts'
import type { SignUpAttribution } from '../statistics/counts.ts'

export interface TypedSignUp {
  /** As typed; of a plain form, the address in what was typed. */
  email: string
  attribution: SignUpAttribution
  /** The visitor was asked about a likely slip. The page's script asks before it sends JSON. */
  isConfirmed: boolean
}

// RFC 8259 8.1 forbids a byte order mark: it stays, and JSON.parse refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a `SignUpRequest` and the attribution header. Throws if the body has another form. Further
 * keys are ignored.
 */
export async function readJsonSignUp(request: FastifyRequest, bytes: Buffer): Promise<TypedSignUp> {
  const { email } = parseJson(bytes)
  if (typeof email !== 'string') {
    throw Object.assign(new Error('malformed body'), { statusCode: 400 })
  }
  const header = request.headers[attributionHeader]?.toString()
  return { email, attribution: readAttribution(new URLSearchParams(header)), isConfirmed: true }
}

/** An empty object if the bytes are no JSON, or JSON of another kind. */
export function parseJson(bytes: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(utf8.decode(bytes))) // null, a number or a text becomes an object
  } catch {
    return {}
  }
}

/**
 * Reads the fields of a plain form, or else the campaign in the address of the page that holds it.
 */
export async function readFormSignUp(request: FastifyRequest, bytes: Buffer): Promise<TypedSignUp> {
  const fields = new URLSearchParams(bytes.toString())
  // Browsers send the whole Referer to the page's own origin only.
  const page = URL.parse(request.headers.referer ?? '')
  if (!fields.has('campaign')) fields.set('campaign', page?.searchParams.get('utm_source') ?? '')
  const typed = fields.get('email') ?? ''
  const email = findEmailAddress(typed)?.address ?? typed
  const isConfirmed = fields.has('confirmed')
  return { email, attribution: readAttribution(fields), isConfirmed }
}

/** Never fails a sign-up, whatever the fields hold. */
function readAttribution(fields: URLSearchParams): SignUpAttribution {
  const form = fields.get('form')
  return {
    form: signUpForms.find((known) => known === form) ?? 'program',
    campaign: readCampaign(fields.get('campaign')),
    suggestionAccepted: fields.get('suggestion') === 'accepted',
  }
}
