import { signUpForms } from '#contract/sign-up.ts'
import type { Config } from '../configuration/config.ts'
import type { ClientNetworks } from '../http/client-address.ts'
import type { SignUpAttribution } from '../statistics/counts.ts'

export interface TypedSignUp {
  /** As typed. */
  email: string
  attribution: SignUpAttribution
}

/** A sign-up whose address is valid. */
export interface SignUp {
  address: string
  identity: string
  networks: ClientNetworks
  attribution?: Pick<SignUpAttribution, 'form' | 'campaign'>
}

// RFC 8259 8.1 forbids a byte order mark: it stays, and JSON.parse refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a `SignUpRequest` and the attribution header. Undefined: the body has another form. Further keys are ignored. */
export function readJsonSignUp(bytes: Buffer, header: string | undefined): TypedSignUp | undefined {
  let body: { email?: unknown } | null
  try {
    body = JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'email')) return undefined
  const { email } = body
  return typeof email === 'string'
    ? {
        email,
        attribution: header === undefined ? unattributed : readAttribution(new URLSearchParams(header)),
      }
    : undefined
}

type Origins = Pick<Config, 'publicUrl' | 'allowedOrigins'>

/** Reads the fields of a plain form, or else the campaign in the address of the page that holds it. */
export function readFormSignUp(bytes: Buffer, referer: string | undefined, origins: Origins): TypedSignUp {
  const fields = new URLSearchParams(bytes.toString('utf8'))
  if (!fields.has('campaign')) fields.set('campaign', campaignOfPage(referer, origins) ?? '')
  return { email: fields.get('email') ?? '', attribution: readAttribution(fields) }
}

/** Browsers send the whole Referer to the page's own origin only. */
function campaignOfPage(referer: string | undefined, { publicUrl, allowedOrigins }: Origins): string | null {
  const page = URL.parse(referer ?? '')
  return page && [publicUrl, ...allowedOrigins].includes(page.origin)
    ? page.searchParams.get('utm_source')
    : null
}

const unattributed: SignUpAttribution = { form: 'program', campaign: 'none', suggestionAccepted: false }

/** Never fails a sign-up, whatever the fields hold. */
function readAttribution(fields: URLSearchParams): SignUpAttribution {
  const form = fields.get('form')
  return {
    form: signUpForms.find((known) => known === form) ?? 'program',
    campaign: readCampaign(fields.get('campaign')),
    suggestionAccepted: fields.get('suggestion') === 'accepted',
  }
}

/** No email address has this format: it has no @. */
const campaignFormat = /^[a-z0-9][a-z0-9._-]{0,39}$/

function readCampaign(campaign: string | null): string {
  if (!campaign) return 'none'
  const folded = campaign.toLowerCase()
  return campaignFormat.test(folded) ? folded : 'other'
}
