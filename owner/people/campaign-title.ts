/** The title of a campaign. `none`, null: people who came without one. */
export function campaignTitle(campaign: string | null): string {
  if (campaign === null || campaign === 'none') return 'No campaign'
  return campaign === 'other' ? 'Other campaigns' : campaign
}
