import { dayMs } from '../database/clock.ts'
import type { Transaction } from '../database/database.ts'
import { useLimit } from '../database/limit-windows.ts'

/** Each switch may queue an event for the owner's webhook, and adds to the day's counts. */
const switchesADay = 10

/**
 * Counts a change that a subscriber can take back, such as a block or a consent. False: they made
 * more than ten today.
 */
export async function countSwitch(
  transaction: Transaction,
  subscriber: number,
  now: number,
): Promise<boolean> {
  const { used } = await useLimit(transaction, `switches ${subscriber}`, dayMs, now)
  return used <= switchesADay
}
