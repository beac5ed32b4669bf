import type { Connection } from '#server/database/database.ts'
import { countDeliveries } from '../deliveries/list-deliveries.ts'
import { dayOf, readDailyCounts } from '#server/statistics/daily-counts.ts'
import { daysBefore, daysEnding } from '#server/statistics/days.ts'
import { summarize } from '#server/statistics/summary.ts'
import { countSubscribers } from '#server/subscribers/list-subscribers.ts'
import { composePostcard } from './compose-postcard.ts'
import { type OwnerMailMeans, readKept, sendOnce } from './send-once.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** Of Monday, UTC. */
const sentFromMs = 7 * hourMs

/** Sends the postcard that is due since Monday, unless it has gone. One that fell due in an earlier week is not made up for. */
export async function sendPostcardIfDue(means: OwnerMailMeans): Promise<void> {
  const { database, now } = means
  const monday = mondayBefore(now() - sentFromMs)
  const kept = await readKept(database, 'postcard', { sent: '' })
  if (kept.state.sent >= monday || kept.leaseUntil > now()) return
  const mail = await writePostcard(database.query, monday)
  await sendOnce(means, kept, { key: monday, mail, before: kept.state, after: { sent: monday } })
}

async function writePostcard(connection: Connection, monday: string) {
  const week = daysEnding(dayOf(Date.parse(monday) - dayMs), 7)
  const weekBefore = daysBefore(week)
  const counts = await readDailyCounts(connection, weekBefore.from)
  const { queued, sending } = await countDeliveries(connection)
  const { active } = await countSubscribers(connection)
  return composePostcard(summarize(counts, week), summarize(counts, weekBefore), {
    active,
    owed: queued + sending,
  })
}

/** `2026-01-05`: the Monday of the UTC week that `ms` lies in. */
function mondayBefore(ms: number): string {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return dayOf(ms - daysSinceMonday * dayMs)
}
