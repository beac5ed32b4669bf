import type { Arrival } from '#contract/test-address.ts'
import type { Reader } from '#server/database/database.ts'
import { type FirstAlert, readFirstAlert } from '#server/test-address/count-first-alert.ts'
import { arrivalsOf, findBySubscriber } from '#server/test-address/test-addresses.ts'

/** The stored part of somebody's test address. Its key is theirs alone. */
export interface FirstAlertRecord {
  /** Their last step ever. Null: they never opened an address. */
  reached: FirstAlert | null
  /** The end of the open address, in ms since 1970, or null. */
  ends_at: number | null
  arrivals: Arrival[]
}

export async function firstAlertOf(
  reader: Reader,
  subscriber: number,
  now: number,
): Promise<FirstAlertRecord> {
  const open = await findBySubscriber(reader, subscriber, now)
  return {
    reached: await readFirstAlert(reader, subscriber),
    ends_at: open?.endsAt ?? null,
    arrivals: open ? await arrivalsOf(reader, subscriber) : [],
  }
}
