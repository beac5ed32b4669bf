import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { countSwitch } from './switches.ts'
import { seriesStart } from './series-start.ts'
import { noConsent, type Subscriber } from './subscribers.ts'
import type { Wording } from './wordings.ts'

export interface Choice {
  /** ms since 1970. */
  now: number
  /** The words that they agree to. */
  wording: Wording
}

/**
 * Turns news on or off for somebody on the list, and records the time and the wording. Leaving the
 * list turns it off. False: nothing changed, or too often today.
 */
export async function switchAnnouncements(
  transaction: Transaction,
  subscriber: Subscriber,
  to: 'on' | 'off',
  choice: Choice,
): Promise<boolean> {
  if (subscriber.state !== 'active') return false
  if (to === 'on') return turnOn(transaction, subscriber, choice)
  return turnOff(transaction, subscriber, choice.now)
}

async function turnOn(
  transaction: Transaction,
  subscriber: Subscriber,
  { now, wording }: Choice,
): Promise<boolean> {
  const { id, signed_up_at: signedUpAt, announcements_agreed_at: agreedAt } = subscriber
  const agreedToTheSame = agreedAt !== null && subscriber.announcements_wording === wording.hash
  if (agreedToTheSame || !(await countSwitch(transaction, id, now))) return false
  await transaction.run(sql`
    update subscribers
    set announcements_agreed_at = ${now}, announcements_refused_at = null,
      announcements_wording = ${wording.hash},
      series_from = coalesce(series_from, ${seriesStart(now, signedUpAt)})
    where id = ${id}`)
  return true
}

/** Always works: nobody gets mail that they just refused. */
async function turnOff(
  transaction: Transaction,
  subscriber: Subscriber,
  now: number,
): Promise<boolean> {
  const { id } = subscriber
  if (subscriber.announcements_refused_at !== null) return false
  await countSwitch(transaction, id, now)
  await transaction.run(sql`update subscribers set ${noConsent} where id = ${id}`)
  await transaction.run(sql`
    update subscribers set announcements_refused_at = ${now} where id = ${id}`)
  return true
}

/**
 * Notes that the personal page asks for consent. False: it asked before, or they have chosen, or
 * left.
 */
export async function markAsked(
  transaction: Transaction,
  id: number,
  now: number,
): Promise<boolean> {
  const changed = await transaction.run(sql`
    update subscribers set news_asked_at = ${now}
    where id = ${id} and news_asked_at is null and state = 'active'
      and announcements_agreed_at is null and announcements_refused_at is null`)
  return changed > 0
}
