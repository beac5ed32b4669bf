import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { Log } from '../log.ts'
import { addDailyCounts } from './daily-counts.ts'
import type { DailyTally } from './daily-tally.ts'

export interface WritingMeans {
  database: Database
  log: Log
  tally: DailyTally
}

/** What a killed process loses of its counts, at most. */
const writeEveryMs = 10_000
const stopTimeoutMs = 1_000

/** Writes the counts of the day every 10 s, in one statement, and a last time at the stop. One write after the other. */
export function startWritingDailyCounts(means: WritingMeans): { stop(): Promise<void> } {
  let writing = Promise.resolve()
  const write = () => {
    writing = writing.then(() => writeDailyCounts(means))
  }
  const timer = setInterval(write, writeEveryMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      write()
      await Promise.race([writing, sleep(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** What cannot be written stays in the tally for the next time. */
export async function writeDailyCounts({ database, log, tally }: WritingMeans): Promise<void> {
  const taken = tally.take()
  try {
    await addDailyCounts(database.query, taken)
  } catch (cause) {
    tally.putBack(taken)
    log.warn('counts of the day not written yet', { cause })
  }
}
