import sql from 'sql-template-tag'
import type { Reader, Transaction } from '../database/database.ts'
import { addDailyCount } from '../statistics/daily-counts.ts'
import { noConsent, type Subscriber, type SubscriberState } from './subscribers.ts'
import { countSwitch } from './switches.ts'

export type LeftState = Exclude<SubscriberState, 'active'>

/** The states that each way of leaving replaces: a later, stronger reason wins. */
const replaces: Record<LeftState, SubscriberState[]> = {
  undeliverable: ['active'],
  unsubscribed: ['active', 'undeliverable'],
  blocked: ['active', 'undeliverable', 'unsubscribed'],
}

const countedAs = {
  unsubscribed: 'unsubscribed',
  undeliverable: 'bounced',
  blocked: 'blocked',
} as const

/**
 * Takes a subscriber off the list and cancels the waiting mail. A consent ends when its holder
 * leaves; it outlives mail that came back, which may be a fault of the mail service. False: the
 * subscriber had left before.
 */
export async function leaveTheList(
  transaction: Transaction,
  id: number,
  state: LeftState,
  now: number,
): Promise<boolean> {
  const before = await readState(transaction, id)
  if (before === undefined || !replaces[state].includes(before)) return false
  await transaction.run(sql`
    update deliveries set state = 'cancelled', finished_at = ${now}
    where subscriber = ${id} and state in ('queued', 'held')`)
  await transaction.run(sql`
    update subscribers set state = ${state}, left_at = ${now} where id = ${id}`)
  if (state !== 'undeliverable') {
    await transaction.run(sql`update subscribers set ${noConsent} where id = ${id}`)
  }
  await addDailyCount(transaction, countedAs[state], now)
  return true
}

/**
 * Puts somebody back who has left, as they ask for by their link. Nothing is mailed, and news stay
 * off. False: they are on the list or blocked, or changed this too often today.
 */
export async function returnToTheList(
  transaction: Transaction,
  id: number,
  now: number,
): Promise<boolean> {
  const before = await readState(transaction, id)
  if (before !== 'unsubscribed' && before !== 'undeliverable') return false
  if (!(await countSwitch(transaction, id, now))) return false
  await transaction.run(sql`
    update subscribers set state = 'active', left_at = null where id = ${id}`)
  return true
}

/**
 * Blocks an inbox, after "I did not ask for this" or a spam complaint: every address of it leaves
 * the list, and nobody can sign it up again. Returns the numbers of the subscribers that left.
 */
export async function blockInbox(
  transaction: Transaction,
  subscriber: Pick<Subscriber, 'identity' | 'abuse_key'>,
  now: number,
): Promise<number[]> {
  const key = subscriber.abuse_key ?? subscriber.identity
  const inbox = await transaction.rows<{ id: number }>(
    sql`select id from subscribers where identity = ${key} or abuse_key = ${key} order by id`,
  )
  const left: number[] = []
  for (const { id } of inbox) {
    if (await leaveTheList(transaction, id, 'blocked', now)) left.push(id)
  }
  return left
}

/** `not-blocked`: it was lifted meanwhile. `too-often`: on this day; a block always works. */
export type LiftOutcome = 'lifted' | 'not-blocked' | 'too-often'

/**
 * Lifts the block of an inbox, as its holder asks for by a link of it. They stay off the list until
 * the next sign-up.
 */
export async function liftBlock(
  transaction: Transaction,
  { id, identity, abuse_key }: Pick<Subscriber, 'id' | 'identity' | 'abuse_key'>,
  now: number,
): Promise<LiftOutcome> {
  const before = await readState(transaction, id)
  if (before !== 'blocked') return 'not-blocked'
  if (!(await countSwitch(transaction, id, now))) return 'too-often'
  const key = abuse_key ?? identity
  await transaction.run(sql`
    update subscribers set state = 'unsubscribed'
    where (identity = ${key} or abuse_key = ${key}) and state = 'blocked'`)
  return 'lifted'
}

/** Returns undefined if there is no such subscriber. */
async function readState(reader: Reader, id: number): Promise<SubscriberState | undefined> {
  const row = await reader.row<{ state: SubscriberState }>(
    sql`select state from subscribers where id = ${id}`,
  )
  return row?.state
}
