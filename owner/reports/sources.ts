import { type CountedEvent, type DailyCount, sumOf } from '#server/statistics/daily-counts.ts'
import type { Days } from './summary.ts'

const events = {
  views: 'viewed-from',
  signUps: 'came-from',
  opened: 'opened-from',
  gotScript: 'taken-from',
} as const satisfies Record<keyof SourceCounts, CountedEvent>

/** People, by what they did. */
interface SourceCounts {
  views: number
  signUps: number
  /** They opened their kit. */
  opened: number
  /** They copied or downloaded the script. */
  gotScript: number
}

export interface Source extends SourceCounts {
  /** `none`: the page's address named none. `other`: beyond the hundredth of a day. */
  campaign: string
  /** Days without an event are left out. */
  byDay: SourceDay[]
}

interface SourceDay extends SourceCounts {
  day: string
}

/** Sums up each campaign over these days. The one with most sign-ups comes first. */
export function sourcesOf(counts: readonly DailyCount[], { from, to }: Days): Source[] {
  const known = new Set<string>(Object.values(events))
  const within = counts.filter(({ day, event }) => day >= from && day <= to && known.has(event))
  const byCampaign = Map.groupBy(within, ({ detail }) => detail)
  const sources = Array.from(byCampaign, ([campaign, found]): Source => {
    const byDay = Map.groupBy(found, ({ day }) => day)
    return {
      campaign,
      ...countsOf(found),
      byDay: Array.from(byDay, ([day, ofDay]) => ({ day, ...countsOf(ofDay) })),
    }
  })
  return sources.toSorted((a, b) => b.signUps - a.signUps || b.views - a.views)
}

function countsOf(found: readonly DailyCount[]): SourceCounts {
  const count = (name: keyof SourceCounts) =>
    sumOf(found.filter(({ event }) => event === events[name]))
  return {
    views: count('views'),
    signUps: count('signUps'),
    opened: count('opened'),
    gotScript: count('gotScript'),
  }
}
