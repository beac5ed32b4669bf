import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { addDailyCounts, type CountedEvent, type DailyCount, dayOf, keyOf } from './daily-counts.ts'

/** Counts of days that are not in the database yet. Leaving the list is counted with the rows that it changes. */
export interface DailyTally {
  add(event: Exclude<CountedEvent, 'unsubscribed' | 'bounced' | 'erased' | 'arrived'>, detail?: string): void
  /** Removes and returns everything counted since the last time. */
  take(): DailyCount[]
  /** Adds counts that could not be written. */
  putBack(counts: readonly DailyCount[]): void
}

/** Anybody can put any campaign into the page's address: from the next one on, a day's campaigns count as `other`. */
const maxCampaigns = 100
const dayMs = 24 * 60 * 60_000

/** Grows with events and days, not with visitors. `now`: ms since 1970. */
export function createDailyTally(now: () => number): DailyTally {
  let counts = new Map<string, DailyCount>()
  let today = ''
  let todayEnds = 0
  let campaigns = new Set<string>()

  function addTo(added: DailyCount): void {
    const key = keyOf(added)
    const before = counts.get(key)
    if (before) before.count += added.count
    else counts.set(key, added)
  }

  function boundedCampaign(campaign: string): string {
    if (campaign === 'none' || campaign === 'other' || campaigns.has(campaign)) return campaign
    if (campaigns.size >= maxCampaigns) return 'other'
    campaigns.add(campaign)
    return campaign
  }

  return {
    add(event, detail = '') {
      const at = now()
      if (at >= todayEnds) {
        today = dayOf(at)
        todayEnds = Date.parse(today) + dayMs
        campaigns = new Set()
      }
      addTo({ day: today, event, detail: event === 'came-from' ? boundedCampaign(detail) : detail, count: 1 })
    },
    take() {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
    putBack: (taken) => taken.forEach(addTo),
  }
}

interface DailyTallyDeps {
  database: Database
  log: Log
  tally: DailyTally
}

/** A killed process loses the counts of this time. */
const writeEveryMs = 10_000
const stopTimeoutMs = 1_000

/** Writes the tally every 10 s and a last time at the stop, one write after the other. */
export function startWritingDailyCounts(deps: DailyTallyDeps): { stop(): Promise<void> } {
  let writing = Promise.resolve()
  const write = () => {
    writing = writing.then(() => writeDailyCounts(deps))
  }
  const timer = setInterval(write, writeEveryMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      write()
      await Promise.race([writing, sleep(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Counts that cannot be written stay in the tally for the next time. */
export async function writeDailyCounts({ database, log, tally }: DailyTallyDeps): Promise<void> {
  const taken = tally.take()
  try {
    await addDailyCounts(database.query, taken)
  } catch (cause) {
    tally.putBack(taken)
    log.warn('counts of the day not written yet', { cause })
  }
}
