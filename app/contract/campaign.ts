const maxLength = 40
/** No email address has this format: it has no @. */
const format = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,39}$/u

/** The campaign in a page's address: `none`, `other`, or its name. */
export function readCampaign(campaign: string | null | undefined): string {
  if (!campaign) return 'none'
  const folded = fold(campaign)
  return format.test(folded) ? folded : 'other'
}

/** Makes a name of what an owner types: `Über: 2` becomes `über-2`. Empty: nothing is left. */
export function campaignNamed(typed: string): string {
  const joined = fold(typed).replaceAll(/[^\p{L}\p{M}\p{N}._]+/gu, '-')
  const begun = joined.replace(/^[^\p{L}\p{N}]+/u, '')
  return Array.from(begun).slice(0, maxLength).join('').replace(/-$/, '')
}

function fold(text: string): string {
  return text.toLowerCase().normalize('NFC')
}
