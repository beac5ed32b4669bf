import sql from 'sql-template-tag'
import { dayMs } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import { dropOldMinutes } from '../deliveries/hand-overs.ts'
import { dropEndedLimits } from '../database/limit-windows.ts'
import { dropEndedNetworks } from '../sign-up/limits.ts'
import { readSetting } from '../database/settings.ts'
import type { Log } from '../log.ts'
import { dayOf, dropDailyCounts } from '../statistics/daily-counts.ts'
import { erasedUncleared } from '../subscribers/erase-subscriber.ts'

export interface MaintenanceDeps {
  database: Database
  log: Log
  /** ms since 1970. */
  now: () => number
}

/**
 * Counts are kept for three years, so that a month can be compared with the same month of earlier
 * years.
 */
export const keptDays = 3 * 366

/** Drops limits that have ended, and old counts. Several instances may do it at the same time. */
export async function dropOld({ database, now }: Omit<MaintenanceDeps, 'log'>): Promise<void> {
  await dropEndedLimits(database, now())
  await dropEndedNetworks(database, now())
  await database.transaction(async (transaction) => {
    await dropOldMinutes(transaction, now())
    await dropDailyCounts(transaction, dayOf(now() - keptDays * dayMs))
  })
}

/** Clears the files of the database of what was erased, if anybody was. */
export async function clearErased({ database, log }: Omit<MaintenanceDeps, 'now'>): Promise<void> {
  const erasedAt = await readSetting(database, erasedUncleared)
  if (erasedAt === undefined) return
  if (!(await database.clearDeleted())) {
    log.warn('traces of erased subscribers are left: another process reads the database')
    return
  }
  // Another erasure since then keeps its mark.
  await database.transaction((transaction) =>
    transaction.run(
      sql`delete from settings where name = ${erasedUncleared} and value = ${erasedAt}`,
    ),
  )
}
