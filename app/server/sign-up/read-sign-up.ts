import { signUpForms, type SignUpRequest } from '#contract/sign-up.ts'
import type { SignUpAttribution } from '../statistics/counts.ts'

export interface SignUpBody {
  /** As typed. */
  email: string
  attribution: SignUpAttribution
}

// RFC 8259 8.1 forbids a byte order mark: it stays, and JSON.parse refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads a `SignUpRequest` and the attribution header. Undefined: the body has another form. Further keys are ignored. */
export function readJsonSignUp(bytes: Buffer, header: string | undefined): SignUpBody | undefined {
  let body: Partial<Record<keyof SignUpRequest, unknown>> | null
  try {
    body = JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'email')) return undefined
  const { email } = body
  return typeof email === 'string' ? { email, attribution: readAttribution(header) } : undefined
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

/** No email address matches: it has no @. */
const campaignFormat = /^[a-z0-9][a-z0-9._-]{0,39}$/

const unattributed: SignUpAttribution = { form: 'program', campaign: 'none', suggestionAccepted: false }

/** Reads the value of the attribution header. It never fails a sign-up, whatever it holds. */
export function readAttribution(header: string | undefined): SignUpAttribution {
  if (header === undefined) return unattributed
  const fields = new URLSearchParams(header)
  return {
    form: readForm(fields.get('form')),
    campaign: readCampaign(fields.get('campaign')),
    suggestionAccepted: fields.get('suggestion') === 'accepted',
  }
}

/** Reads the attribution of a plain form: its own fields, or else the address of the page that holds it. */
export function readFormAttribution(
  fields: URLSearchParams,
  referer: string | undefined,
  origins: ReadonlySet<string>,
): SignUpAttribution {
  const campaign = fields.get('campaign') ?? campaignOfPage(referer, origins)
  return { form: readForm(fields.get('form')), campaign: readCampaign(campaign), suggestionAccepted: false }
}

/** Browsers send the whole Referer to the page's own origin only. */
function campaignOfPage(referer: string | undefined, origins: ReadonlySet<string>): string | null {
  const page = URL.parse(referer ?? '')
  return page && origins.has(page.origin) ? page.searchParams.get('utm_source') : null
}

function readForm(form: unknown): SignUpAttribution['form'] {
  return signUpForms.find((known) => known === form) ?? 'program'
}

function readCampaign(campaign: string | null): string {
  if (!campaign) return 'none'
  const folded = campaign.toLowerCase()
  return campaignFormat.test(folded) ? folded : 'other'
}
