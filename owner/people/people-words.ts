import { ownerMailText } from '#content/owner-mail.ts'
import type { SubscriberState } from '#server/subscribers/subscribers.ts'

// At the desk and on the command line.

export const subscriberStateWords: Record<SubscriberState, string> = {
  active: 'On the list',
  unsubscribed: 'Left',
  undeliverable: 'Undeliverable',
  blocked: 'Blocked our mail',
}

/** The title of a campaign. `none`, null: people who came without one. */
export function campaignTitle(campaign: string | null): string {
  if (campaign === null || campaign === 'none') return 'No campaign'
  return campaign === 'other' ? 'Other campaigns' : campaign
}

const formNames = ownerMailText.weeklyReport.signUps.forms

/** Names the form of a sign-up. One without a name of ours is shown as it is. */
export function formName(form: string): string {
  return Object.hasOwn(formNames, form) ? formNames[form]! : form
}
