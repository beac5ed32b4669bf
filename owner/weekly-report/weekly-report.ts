import type { Connection } from '#server/database/database.ts'
import { settingNames } from '#server/database/setting-names.ts'
import { countDeliveries } from '../deliveries/list-deliveries.ts'
import { dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { countSubscribers } from '#server/subscribers/subscribers.ts'
import { daysBefore, daysEnding, summarize } from '../stats/summary.ts'
import { composeWeeklyReport } from './compose-weekly-report.ts'
import { type OwnerMailDeps, readKept, sendOnce } from './send-once.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** After midnight of Monday, UTC. */
const sentFromMs = 7 * hourMs

/** Sends the report that is due since Monday, unless it was sent. Reports of earlier weeks are not made up for. */
export async function sendWeeklyReportIfDue(deps: OwnerMailDeps): Promise<void> {
  const { database, now } = deps
  const monday = mondayBefore(now() - sentFromMs)
  const kept = await readKept(database, settingNames.weeklyReport, { sent: '' })
  if (kept.state.sent >= monday || kept.leaseUntil > now()) return
  const mail = await writeWeeklyReport(database.query, monday)
  await sendOnce(deps, kept, { key: monday, mail, before: kept.state, after: { sent: monday } })
}

async function writeWeeklyReport(connection: Connection, monday: string) {
  const week = daysEnding(dayOf(Date.parse(monday) - dayMs), 7)
  const weekBefore = daysBefore(week)
  const counts = await readDailyCounts(connection, weekBefore.from)
  const { queued, sending } = await countDeliveries(connection)
  const { active } = await countSubscribers(connection)
  return composeWeeklyReport(summarize(counts, week), summarize(counts, weekBefore), {
    active,
    owed: queued + sending,
  })
}

/** `2026-01-05`: the Monday of the UTC week that `ms` lies in. */
function mondayBefore(ms: number): string {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return dayOf(ms - daysSinceMonday * dayMs)
}
