import sql from 'sql-template-tag'
import type { KitRelease } from '#content/releases.ts'
import type { Transaction } from '../database/database.ts'
import { dayMs } from '../database/clock.ts'
import { useLimit } from '../database/limit-windows.ts'
import { dayOf } from '../statistics/daily-counts.ts'
import type { Subscriber } from './subscribers.ts'
import { announcementWording } from './wordings.ts'

/** Each switch may queue an event for the owner's webhook. */
const switchesADay = 10

/**
 * Turns mail about new versions on or off for somebody on the list, and records the time and the
 * wording. Leaving the list turns it off. False: nothing changed, or too often today.
 */
export async function switchAnnouncements(
  transaction: Transaction,
  subscriber: Subscriber,
  to: 'on' | 'off',
  now: number,
): Promise<boolean> {
  const { id, state } = subscriber
  const isOn = subscriber.announcements_agreed_at !== null
  const isSame =
    to === 'on'
      ? isOn && subscriber.announcements_wording === announcementWording.hash
      : subscriber.announcements_refused_at !== null
  if (state !== 'active' || isSame) return false
  const use = await useLimit(transaction, `switches ${id}`, dayMs, now)
  // Turning it off always works: nobody gets mail that they just refused.
  if (to === 'on' && use.used > switchesADay) return false
  await transaction.run(
    to === 'on'
      ? sql`update subscribers set announcements_agreed_at = ${now}, announcements_refused_at = null,
          announcements_wording = ${announcementWording.hash}, announcements_cover = ${announcementWording.covers}
          where id = ${id}`
      : sql`update subscribers set announcements_agreed_at = null, announcements_refused_at = ${now},
          announcements_wording = null, announcements_cover = null where id = ${id}`,
  )
  return true
}

/** The newest release on the day of a sign-up. Undefined: no releases are known. */
export function firstRelease(
  releases: readonly KitRelease[],
  signedUpAt: number,
): KitRelease | undefined {
  const day = dayOf(signedUpAt)
  return releases.find(({ date }) => date <= day) ?? releases.at(-1)
}
