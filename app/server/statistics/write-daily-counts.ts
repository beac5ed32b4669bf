import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
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
