export const periods = { 7: '7 days', 28: '28 days', 90: '90 days', 365: '1 year' } as const
export type Period = keyof typeof periods

/** The choices in the view. */
export interface TodayChoices {
  days: Period
  /** The campaign or form that the plot shows, as `sourceId` names it. Empty: all. */
  source: string
}

export const initialChoices: TodayChoices = { days: 28, source: '' }
