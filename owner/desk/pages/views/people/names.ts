import type { RouterInputs } from '../../api/trpc.ts'
import { periods } from '../today/today-choices.ts'

export type Search = RouterInputs['people']['search']

/** Groups of people, by their state on the list. */
export const groupNames: Record<Search['who'], string> = {
  everyone: 'Everyone',
  active: 'On the list',
  'wants-news': 'Wants news',
  unsubscribed: 'Left',
  undeliverable: 'Undeliverable',
  blocked: 'Blocked our mail',
}

export const signedUpNames: Record<string, string> = { '': 'Any day', ...periods }

/** What was chosen; nothing of it stands in the address. */
export const everyone: Search = { text: '', who: 'everyone', days: '', campaign: '', page: 0 }

/** Undefined: none was named. */
export function campaignName(campaign: string | null): string | undefined {
  if (campaign === null || campaign === 'none') return undefined
  return campaign === 'other' ? 'others' : campaign
}
