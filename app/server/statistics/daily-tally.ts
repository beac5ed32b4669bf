import { type CountedEvent, type DailyCount, dayOf } from './daily-counts.ts'

/** What the server counts in memory; the others are counted with the rows they change. */
export type TalliedEvent = Exclude<CountedEvent, 'unsubscribed' | 'bounced' | 'erased'>

/** Counts of days that are not in the database yet. */
export interface DailyTally {
  add(event: TalliedEvent, detail?: string): void
  /** Everything since it was last taken. */
  take(): DailyCount[]
  /** What was taken and could not be written. */
  putBack(counts: readonly DailyCount[]): void
}

/** Anybody may write sources into the address of the page: so many a day, and all further ones are `other`. */
const mostSources = 100
const otherSource = 'other'
const noSource = 'none'
const dayMs = 24 * 60 * 60_000

/** `now`: ms since 1970. It grows with kinds and days, not with visitors. */
export function createDailyTally(now: () => number): DailyTally {
  let counts = new Map<string, DailyCount>()
  let today = ''
  let todayEnds = 0
  let sources = new Set<string>()

  function addTo({ day, event, detail, count }: DailyCount): void {
    const key = `${day} ${event} ${detail}`
    const before = counts.get(key)
    if (before) before.count += count
    else counts.set(key, { day, event, detail, count })
  }

  function boundedSource(source: string): string {
    if (source === noSource || source === otherSource || sources.has(source)) return source
    if (sources.size >= mostSources) return otherSource
    sources.add(source)
    return source
  }

  return {
    add(event, detail = '') {
      const at = now()
      if (at >= todayEnds) {
        today = dayOf(at)
        todayEnds = Date.parse(today) + dayMs
        sources = new Set()
      }
      addTo({ day: today, event, detail: event === 'came-from' ? boundedSource(detail) : detail, count: 1 })
    },
    take() {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
    putBack: (taken) => taken.forEach(addTo),
  }
}
