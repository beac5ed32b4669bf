import { repairClocks } from '../database/clock.ts'
import { watchMail } from '../deliveries/mail-state.ts'
import { fillSite } from '../site/fill-site.ts'
import type { Counts } from '../statistics/counts.ts'
import { dropEndedAddresses } from '../test-address/test-addresses.ts'
import { siteClockRepairs } from './clock-repairs.ts'
import type { Extension, ServerContext } from './context.ts'
import { clearErased, dropOld } from './maintenance.ts'

const minuteMs = 60_000
/**
 * Twice within the hour after which the pages promise that nothing is left of an erasure: a backup
 * may be in the way once.
 */
const maintenanceEveryMs = 25 * minuteMs
/** A killed process loses the counts of this time, and Today lags behind the list by it. */
const writeCountsEveryMs = 1_000

interface Chores {
  counts: Counts
  /** Another instance may have changed the settings, or published. */
  followOthersEveryMs: number
  compareClocks?: (() => Promise<void>) | undefined
  extension?: Extension | undefined
}

/** Repairs clocks, and adds what the server repeats until it stops. */
export async function repeatChores(
  context: ServerContext,
  { counts, followOthersEveryMs, compareClocks, extension }: Chores,
): Promise<void> {
  const { settings, config, database, log, now, repeat, repeatDeleting } = context
  const repairs = [...siteClockRepairs(config), ...(extension?.clockRepairs(config) ?? [])]
  await repairClocks(database, repairs, now)
  const watch = watchMail(log, now)
  repeat('settings', followOthersEveryMs, () => settings.refresh())
  repeat('published page', followOthersEveryMs, () => followPublished(context))
  repeat('watching mail', minuteMs, () => watch(database))
  repeat('repairing clocks', minuteMs, () => repairClocks(database, repairs, now))
  repeat('clearing what was erased', maintenanceEveryMs, () => clearErased(context))
  repeatDeleting('dropping old limits and counts', maintenanceEveryMs, () => dropOld(context))
  repeat('test addresses', minuteMs, () => dropEndedAddresses(database, now()))
  repeat('counts of the day', writeCountsEveryMs, () => counts.writeDays(database, log))
  if (compareClocks) repeat('comparing clocks', minuteMs, compareClocks)
}

/** Serves what another instance has published. */
function followPublished(context: ServerContext): Promise<void> {
  return context.site.change(async (served) => {
    const newer = await context.published.newerThan(served)
    return newer && fillSite(newer, context.config, context.database)
  })
}
