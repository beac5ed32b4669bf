import sql from 'sql-template-tag'
import type { KitRelease } from '#content/releases.ts'
import type { Transaction } from '../database/database.ts'
import { dayOf } from '../statistics/daily-counts.ts'
import { countSwitch } from './switches.ts'
import { noConsent, type Subscriber } from './subscribers.ts'
import { announcementWording } from './wordings.ts'

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
  if (subscriber.state !== 'active') return false
  return to === 'on' ? turnOn(transaction, subscriber, now) : turnOff(transaction, subscriber, now)
}

async function turnOn(transaction: Transaction, subscriber: Subscriber, now: number) {
  const { id, announcements_agreed_at: agreedAt, announcements_wording: wording } = subscriber
  const { hash, covers } = announcementWording
  if (agreedAt !== null && wording === hash) return false
  if (!(await countSwitch(transaction, id, now))) return false
  await transaction.run(sql`
    update subscribers
    set announcements_agreed_at = ${now}, announcements_refused_at = null,
      announcements_wording = ${hash}, announcements_cover = ${covers}
    where id = ${id}`)
  return true
}

/** Always works: nobody gets mail that they just refused. */
async function turnOff(transaction: Transaction, subscriber: Subscriber, now: number) {
  const { id } = subscriber
  if (subscriber.announcements_refused_at !== null) return false
  await countSwitch(transaction, id, now)
  await transaction.run(sql`update subscribers set ${noConsent} where id = ${id}`)
  await transaction.run(sql`
    update subscribers set announcements_refused_at = ${now} where id = ${id}`)
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
