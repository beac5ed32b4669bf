import type { Period } from '#owner/desk/views/format/periods.ts'

/** The choices in the view. */
export interface TodayChoices {
  days: Period
  /** The campaign or form that the plot shows, as `sourceId` names it. Empty: all. */
  source: string
}

export const initialChoices: TodayChoices = { days: 28, source: '' }
