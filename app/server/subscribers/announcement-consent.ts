import type { KitRelease } from '#content/releases.ts'
import type { Connection } from '../database/database.ts'
import { cancelWaiting } from '../deliveries/deliveries.ts'
import { dayOf } from '../statistics/daily-counts.ts'
import { announcementWording } from './wordings.ts'

/**
 * Turns mail about new versions on or off for a subscriber, and records the time and the wording. Only people on the list can
 * turn it on; leaving the list turns it off (markLeft).
 */
export async function switchAnnouncements(
  connection: Connection,
  id: number,
  to: 'on' | 'off',
  now: number,
): Promise<void> {
  // Deliveries are locked before their subscriber, as in the worker, to avoid a deadlock.
  if (to === 'off') await cancelWaiting(connection, id, now, 'announcements')
  const [agreedAt, refusedAt] = to === 'on' ? [now, null] : [null, now]
  await connection
    .updateTable('subscribers')
    .set({ announcements_agreed_at: agreedAt, announcements_refused_at: refusedAt })
    .set({ announcements_wording: to === 'on' ? announcementWording.hash : null })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where(to === 'on' ? 'announcements_agreed_at' : 'announcements_refused_at', 'is', null)
    .execute()
}

/** The newest release on the day of a sign-up. Undefined: no releases are known. */
export function firstRelease(releases: readonly KitRelease[], signedUpAt: number): KitRelease | undefined {
  const day = dayOf(signedUpAt)
  return releases.find(({ date }) => date <= day) ?? releases.at(-1)
}
