import type { CountedEvent, DailyCount } from '#server/statistics/daily-counts.ts'
import { type Days, sumOf } from './summary.ts'

/** People who viewed the page, signed up, opened their kit, and copied or downloaded the script. */
const events = {
  views: 'viewed-from',
  signUps: 'came-from',
  opened: 'opened-from',
  taken: 'taken-from',
} as const satisfies Record<string, CountedEvent>

export type Source = ReturnType<typeof sourcesOf>[number]

/** Sums up each campaign over these days. The one with most sign-ups comes first. */
export function sourcesOf(counts: readonly DailyCount[], { from, to }: Days) {
  const known = new Set<string>(Object.values(events))
  const within = counts.filter(({ day, event }) => day >= from && day <= to && known.has(event))
  const byCampaign = Map.groupBy(within, ({ detail }) => detail)
  const sources = Array.from(byCampaign, ([campaign, found]) => ({
    /** `none`: the page's address named none. `other`: beyond the hundredth of a day. */
    campaign,
    ...countsOf(found),
    /** Days without an event are left out. */
    byDay: Array.from(
      Map.groupBy(found, ({ day }) => day),
      ([day, ofDay]) => ({ day, ...countsOf(ofDay) }),
    ),
  }))
  return sources.toSorted((a, b) => b.signUps - a.signUps || b.views - a.views)
}

function countsOf(found: readonly DailyCount[]) {
  const count = (name: keyof typeof events) =>
    sumOf(found.filter(({ event }) => event === events[name]))
  return {
    views: count('views'),
    signUps: count('signUps'),
    opened: count('opened'),
    taken: count('taken'),
  }
}
