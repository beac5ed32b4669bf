import { subscriberStateWords } from '../people-words.ts'
import type { RouterInputs, RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { periods } from '#owner/desk/views/format/periods.ts'

export type FoundPeople = RouterOutputs['people']['search']

/** The people to look for. */
export type Picks = RouterInputs['people']['countFound']

/** The choices in the view. */
export interface Search extends Picks {
  /** Where each page before the shown one ended. */
  pagesBefore: NonNullable<FoundPeople['last']>[]
}

const { active, ...leftStates } = subscriberStateWords

/** Groups of people, in the order in which they are offered. */
export const groupNames: Record<Picks['who'], string> = {
  everyone: 'Everyone',
  active,
  'wants-news': 'Wants news',
  ...leftStates,
}

export const signedUpNames: Record<string, string> = { '': 'Any day', ...periods }

export const everyone: Picks = { text: '', who: 'everyone', days: '', campaign: '' }

/** At first. Nothing of it stands in the address. */
export const initialSearch: Search = { ...everyone, pagesBefore: [] }
