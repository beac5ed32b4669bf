import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { repeat } from '../start/repeat.ts'
import type { Counts } from './counts.ts'
import { addDailyCounts } from './daily-counts.ts'

interface WritingDeps {
  database: Database
  log: Log
  counts: Counts
}

/** A killed process loses the counts of this time. */
const writeEveryMs = 10_000
const stopTimeoutMs = 1_000

/** Writes the counts of the day every 10 s and a last time at the stop, one write after the other. */
export function startWritingDailyCounts(deps: WritingDeps): { stop(): Promise<void> } {
  const writing = repeat(writeEveryMs, () => writeDailyCounts(deps))
  return {
    stop() {
      writing.run()
      return writing.stop(stopTimeoutMs)
    },
  }
}

/** Counts that cannot be written stay for the next time. */
export async function writeDailyCounts({ database, log, counts }: WritingDeps): Promise<void> {
  const taken = counts.takeDays()
  try {
    await addDailyCounts(database.query, taken)
  } catch (cause) {
    counts.putBack(taken)
    log.warn('counts of the day not written yet', { cause })
  }
}
