/** The periods that the owner can choose, in days. */
export const periods = { 7: '7 days', 28: '28 days', 90: '90 days', 365: '12 months' } as const

export type Period = keyof typeof periods
