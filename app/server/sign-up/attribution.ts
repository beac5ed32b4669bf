import { signUpForms } from '#contract/sign-up.ts'
import type { SignUpAttribution } from '../statistics/counts.ts'

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
  const campaign = fields.get('campaign') ?? fields.get('utm_source') ?? campaignOfPage(referer, origins)
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
