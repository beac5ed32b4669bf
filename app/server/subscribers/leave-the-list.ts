import { type Database, inTransaction } from '../database/database.ts'
import { cancelWaiting } from '../deliveries/deliveries.ts'
import { addDailyCounts, dayOf } from '../statistics/daily-counts.ts'
import { markLeft } from './subscribers.ts'

/** Takes a subscriber off the list and cancels the waiting mail. `left` is false if the subscriber had left before. */
export async function leaveTheList(
  database: Database,
  id: number,
  why: 'unsubscribed' | 'undeliverable',
  now: number,
): Promise<{ left: boolean; cancelled: number }> {
  const event = why === 'unsubscribed' ? 'unsubscribed' : 'bounced'
  return inTransaction(database.query, async (transaction) => {
    // Deliveries are locked before their subscriber, as in the worker, to avoid a deadlock.
    const cancelled = await cancelWaiting(transaction, id, now)
    const left = await markLeft(transaction, id, why)
    if (left) await addDailyCounts(transaction, [{ day: dayOf(now), event, detail: '', count: 1 }])
    return { left, cancelled }
  })
}
