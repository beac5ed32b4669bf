import sql from 'sql-template-tag'
import type { Reader, Transaction } from '../database/database.ts'
import { cancelWaiting } from '../deliveries/deliveries.ts'
import { lowerDomainCeiling } from '../sign-up/limits.ts'
import { addDailyCount } from '../statistics/daily-counts.ts'
import { domainOf, noConsent, type Subscriber, type SubscriberState } from './subscribers.ts'

type LeftState = Exclude<SubscriberState, 'active'>

/** The states that each way of leaving replaces: a later, stronger reason wins. */
const replaces: Record<LeftState, SubscriberState[]> = {
  undeliverable: ['active'],
  unsubscribed: ['active', 'undeliverable'],
  blocked: ['active', 'undeliverable', 'unsubscribed'],
}

type Inbox = Pick<Subscriber, 'identity' | 'abuse_key'>

const countedAs = {
  unsubscribed: 'unsubscribed',
  undeliverable: 'bounced',
  blocked: 'blocked',
} as const

/**
 * Takes a subscriber off the list and cancels the waiting mail. False: the subscriber had left
 * before.
 */
export async function leaveTheList(
  transaction: Transaction,
  id: number,
  state: LeftState,
  now: number,
) {
  const row = await transaction.row<{ state: SubscriberState }>(
    sql`select state from subscribers where id = ${id}`,
  )
  if (!row || !replaces[state].includes(row.state)) return false
  await cancelWaiting(transaction, id, now)
  await transaction.run(sql`
    update subscribers set state = ${state}, left_at = ${now}, ${noConsent} where id = ${id}`)
  await addDailyCount(transaction, countedAs[state], now)
  return true
}

/** A domain with fewer subscribers may be one person's, under endless names. */
const smallDomain = 10

/**
 * Blocks an inbox, after "I did not ask for this" or a spam complaint: every address of it leaves
 * the list, and nobody can sign it up again. A small domain of its own then gets few mails a day.
 * Returns the subscribers that left.
 */
export async function blockInbox(
  transaction: Transaction,
  subscriber: Inbox,
  { now, secret }: { now: number; secret: string },
): Promise<number[]> {
  const key = subscriber.abuse_key ?? subscriber.identity
  const inbox = await transaction.rows<{ id: number }>(
    sql`select id from subscribers where identity = ${key} or abuse_key = ${key} order by id`,
  )
  const left: number[] = []
  for (const { id } of inbox) if (await leaveTheList(transaction, id, 'blocked', now)) left.push(id)
  if (await isSmallDomain(transaction, domainOf(key))) {
    await lowerDomainCeiling(transaction, domainOf(key), secret, now)
  }
  return left
}

/**
 * Lifts the block of an inbox, as its holder asks for. They stay off the list until the next
 * sign-up.
 */
export async function liftBlock(
  transaction: Transaction,
  { identity, abuse_key }: Inbox,
): Promise<void> {
  const key = abuse_key ?? identity
  await transaction.run(sql`
    update subscribers set state = 'unsubscribed'
    where (identity = ${key} or abuse_key = ${key}) and state = 'blocked'`)
}

async function isSmallDomain(reader: Reader, domain: string): Promise<boolean> {
  const row = await reader.row<{ count: number }>(sql`
    select count(*) as count from (
      select 1 from subscribers where identity like ${`%@${domain}`} limit ${smallDomain}
    ) as found`)
  return row!.count < smallDomain
}
