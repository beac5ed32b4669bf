import { z } from 'zod'
import { dayMs } from '#server/database/clock.ts'
import { dayOf } from '#server/statistics/daily-counts.ts'
import { type SubscriberFilter, subscriberStates } from './list-subscribers.ts'
import { text } from '#owner/acts/inputs.ts'

/**
 * Empty: any. `days`: the last ones, in which they signed up. `campaign`: `none` stands for those
 * without one.
 */
export const peoplePicks = z.object({
  text,
  who: z.enum(['everyone', 'wants-news', ...subscriberStates]),
  days: z.enum(['', '7', '28', '90', '365']),
  campaign: text,
})

export function filterOf(
  { text: part, who, days, campaign }: z.infer<typeof peoplePicks>,
  now: number,
): SubscriberFilter {
  const isConsented = who === 'wants-news'
  const since = days === '' ? undefined : Date.parse(dayOf(now)) - (Number(days) - 1) * dayMs
  return { state: stateOf(who), isConsented, campaign: campaign || undefined, since, text: part }
}

function stateOf(who: z.infer<typeof peoplePicks>['who']): SubscriberFilter['state'] {
  switch (who) {
    case 'everyone':
      return undefined
    case 'wants-news':
      return 'active'
    default:
      return who
  }
}
