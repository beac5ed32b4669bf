import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Connection, newestId } from './database/database.ts'
import { readOrSet, settingNames } from './database/settings.ts'
import { dropEndedWindows } from './sign-up/limit-windows.ts'
import type { RunningExtension, ServerContext } from './start/extension.ts'
import { repeat } from './start/repeat.ts'
import { dayOf, dropDailyCounts } from './statistics/daily-counts.ts'
import { dropEndedBlocks } from './subscribers/blocked-addresses.ts'
import { eraseRows, readPendingScrubs, finishScrubs } from './subscribers/erase-subscribers.ts'
import { findUnopened } from './subscribers/subscribers.ts'

interface MaintenanceContext extends ScrubContext {
  /** Infinity: nobody is erased for not opening. */
  keepUnopenedDays: number
  extensions: readonly RunningExtension[]
}

type ScrubContext = Pick<ServerContext, 'database' | 'log' | 'now'>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** The personal page promises that the last traces go within the hour. */
const scrubEveryMs = 10 * minuteMs
const roundsAnHour = hourMs / scrubEveryMs
/** Three years, so that a month can be compared with the same month of earlier years. */
const keepCountsMs = 3 * 366 * dayMs
/** Subscribers looked at in one turn of the event loop: some milliseconds. */
const batchSize = 500
const countedSince = settingNames.unopenedCountedSince

/** Runs now and every hour. Pending scrubs are tried more often. */
export function startMaintenance(context: MaintenanceContext) {
  let round = 0
  const maintenance = repeat(scrubEveryMs, async () => {
    const task = round % roundsAnHour === 0 ? runMaintenance : runPendingScrubs
    round += 1
    await task(context).catch((cause: unknown) =>
      context.log.warn('maintenance failed, trying again later', { cause }),
    )
  })
  maintenance.run()
  return maintenance
}

/** Drops what is no longer needed. Several instances may do it at the same time. */
export async function runMaintenance(context: MaintenanceContext): Promise<void> {
  const { database, log, now } = context
  await dropEndedWindows(database.query, now())
  await dropEndedBlocks(database.query, now())
  await dropDailyCounts(database.query, dayOf(now() - keepCountsMs))
  for (const { maintain } of context.extensions) await maintain?.()
  const erased = await eraseUnopened(context)
  if (erased > 0) log.info('erased who never opened their page', { subscribers: erased })
  await runPendingScrubs(context)
}

/** Finishes erasures that could not be proved, because another process was reading or this one ended. */
export async function runPendingScrubs({ database, log, now }: ScrubContext): Promise<void> {
  const pending = await readPendingScrubs(database.query)
  if (pending.length === 0 || (await finishScrubs(database, pending, 'unknown'))) return
  const oldest = Math.min(...pending.map(({ since }) => since))
  if (oldest < now() - hourMs)
    log.warn('traces of erased subscribers are left: a process keeps reading the database', { oldest })
}

/** Openings are recorded only while the setting is on, so nobody's days begin before it was turned on. */
async function eraseUnopened({ database, now, keepUnopenedDays }: MaintenanceContext): Promise<number> {
  if (keepUnopenedDays === Infinity) {
    await database.query.deleteFrom('settings').where('name', '=', countedSince).execute()
    return 0
  }
  const mailedBefore = now() - keepUnopenedDays * dayMs
  const since = Number(await readOrSet(database.query, countedSince, String(now())))
  if (since > mailedBefore) return 0
  const newest = await newestId(database.query, 'subscribers')
  let erased = 0
  for (let after = 0; after < newest; after += batchSize) {
    const range = { after, upTo: after + batchSize }
    const find = (connection: Connection) => findUnopened(connection, mailedBefore, range)
    const ids = await find(database.query)
    if (ids.length > 0) erased += (await eraseRows(database, ids, now(), find)).erased
    await nextTurn()
  }
  return erased
}
