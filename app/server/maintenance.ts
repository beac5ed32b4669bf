import { setImmediate as nextTurn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { readSetting } from './database/settings.ts'
import { endImpossibleWaits } from './deliveries/deliveries.ts'
import { canTrustClock, dayMs } from './database/clock.ts'
import { dropEndedLimits } from './database/limit-windows.ts'
import type { ServerContext } from './start/context.ts'
import { dayOf, dropDailyCounts } from './statistics/daily-counts.ts'
import { erasedUncleared } from './subscribers/erase-subscriber.ts'

/**
 * Counts are kept for three years, so that a month can be compared with the same month of earlier
 * years.
 */
export const keptDays = 3 * 366
/** Rows that one transaction deletes, so that no sign-up waits for long. */
const batchSize = 1_000

/**
 * Drops what is no longer needed. Several instances may do it at the same time. `uptimeMs`: of this
 * process.
 */
export async function runMaintenance(
  { database, config, log, now }: ServerContext,
  uptimeMs = performance.now(),
): Promise<void> {
  const longestWaitMs = Math.max(...config.retrySeconds) * 1000
  await database.transaction((transaction) => endImpossibleWaits(transaction, now(), longestWaitMs))
  if (canTrustClock(uptimeMs)) {
    const dropLimits = () =>
      database.transaction((transaction) => dropEndedLimits(transaction, now(), batchSize))
    while ((await dropLimits()) === batchSize) await nextTurn()
    await database.transaction((transaction) =>
      dropDailyCounts(transaction, dayOf(now() - keptDays * dayMs)),
    )
  }
  await clearErased({ database, log })
}

async function clearErased({
  database,
  log,
}: Pick<ServerContext, 'database' | 'log'>): Promise<void> {
  const erasedAt = await readSetting(database, erasedUncleared)
  if (erasedAt === undefined) return
  if (!(await database.clearDeleted())) {
    return log.warn('traces of erased subscribers are left: another process reads the database')
  }
  // Another erasure since then keeps its mark.
  await database.transaction((transaction) =>
    transaction.run(
      sql`delete from settings where name = ${erasedUncleared} and value = ${erasedAt}`,
    ),
  )
}
