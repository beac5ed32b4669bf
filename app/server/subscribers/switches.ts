import { dayMs } from '../database/clock.ts'
import type { Transaction } from '../database/database.ts'
import { readLimit, useLimit } from '../database/limit-windows.ts'

/** Each switch may queue an event for the owner's webhook, and adds to the day's counts. */
const switchesADay = 10

/**
 * Counts a change that a subscriber can take back, such as a block or a consent. False: they made
 * ten today, and nothing is written.
 */
export async function countSwitch(
  transaction: Transaction,
  subscriber: number,
  now: number,
): Promise<boolean> {
  const name = `switches ${subscriber}`
  const open = await readLimit(transaction, name, now)
  if (open && open.used >= switchesADay) return false
  await useLimit(transaction, name, dayMs, now)
  return true
}
