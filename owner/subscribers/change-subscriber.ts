import sql from 'sql-template-tag'
import type { EmailAddress } from '#contract/email-address.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import { queueMail } from '#server/deliveries/deliveries.ts'
import type { ServerContext } from '#server/start/context.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import {
  abuseKey,
  markMailedAgain,
  newToken,
  noConsent,
  type Subscriber,
} from '#server/subscribers/subscribers.ts'
import { openLocalInbox } from '#server/transports/open-mailer.ts'
import { forgetTold } from '../webhooks/record-event.ts'

/** `taken`: the address is on the list already. `blocked`: the holder of the inbox wants no mail. */
export type ChangeOutcome = 'done' | 'gone' | 'impossible' | 'taken' | 'blocked'

export type ChangeContext = Pick<ServerContext, 'database' | 'config' | 'template' | 'now' | 'recordEvent'>

/** Sends the starter mail again, unless one is on its way. */
export function sendAgain(context: ChangeContext, id: number): Promise<ChangeOutcome> {
  return change(context, id, async (transaction, { state }) => {
    if (state !== 'active' || (await hasMailOnItsWay(transaction, id))) return 'impossible'
    await queueStarterMail(transaction, context, id)
    return 'done'
  })
}

/** Sends the mail to the right address. The link in the mails to the wrong one stops working, and news turned on by it end. */
export function correctAddress(context: ChangeContext, id: number, to: EmailAddress): Promise<ChangeOutcome> {
  return change(context, id, async (transaction, person) => {
    const { state, announcements_agreed_at: agreedAt } = person
    const hasLeft = state === 'unsubscribed' || state === 'blocked'
    if (hasLeft || (await hasMailOnItsWay(transaction, id))) return 'impossible'
    if (await isBlocked(transaction, to.identity)) return 'blocked'
    const holder = sql`select 1 from subscribers where identity = ${to.identity} and id <> ${id}`
    if (await transaction.row(holder)) return 'taken'
    await transaction.run(sql`
      update subscribers set identity = ${to.identity}, address = ${to.address}, abuse_key = ${abuseKey(to.identity)},
        token = ${newToken()}, state = 'active', left_at = null, ${noConsent}
      where id = ${id}`)
    await forgetTold(transaction, id)
    if (agreedAt !== null) await context.recordEvent(transaction, 'left', id, context.now())
    if (state !== 'active') await context.recordEvent(transaction, 'joined', id, context.now())
    await queueStarterMail(transaction, context, id)
    return 'done'
  })
}

export function unsubscribePerson(context: ChangeContext, id: number): Promise<ChangeOutcome> {
  return change(context, id, async (transaction, { state }) => {
    if (state === 'unsubscribed' || state === 'blocked') return 'impossible'
    await leaveTheList(transaction, id, 'unsubscribed', context.now())
    await context.recordEvent(transaction, 'left', id, context.now())
    return 'done'
  })
}

/** Erases the mail in the local inbox first: the act can be repeated if that fails. */
export async function erasePerson(
  { database, config, now, recordEvent }: Omit<ChangeContext, 'template'>,
  id: number,
): Promise<ChangeOutcome> {
  const person = await database.row<Subscriber>(sql`select * from subscribers where id = ${id}`)
  if (person && config.hasLocalInbox) await (await openLocalInbox(config)).erase(person.identity)
  return database.transaction(async (transaction) => {
    if (!(await eraseSubscriber(transaction, id, now()))) return 'gone'
    await recordEvent(transaction, 'erased', id, now())
    return 'done'
  })
}

/** An announcement may wait for days, and does not count. */
async function hasMailOnItsWay(reader: Reader, id: number): Promise<boolean> {
  const found = await reader.row(sql`
    select 1 from deliveries where subscriber = ${id} and announcement is null and state in ('queued', 'sending')`)
  return found !== undefined
}

function change(
  { database }: ChangeContext,
  id: number,
  work: (transaction: Transaction, person: Subscriber) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome> {
  return database.transaction(async (transaction) => {
    // Another change of the same person waits for this one.
    await transaction.lock(`subscriber ${id}`)
    const person = await transaction.row<Subscriber>(sql`select * from subscribers where id = ${id}`)
    return person ? work(transaction, person) : 'gone'
  })
}

async function isBlocked(reader: Reader, identity: string): Promise<boolean> {
  const key = abuseKey(identity)
  const found = await reader.row(sql`
    select 1 from subscribers where (identity = ${key} or abuse_key = ${key}) and state = 'blocked'`)
  return found !== undefined
}

async function queueStarterMail(
  transaction: Transaction,
  { template, config: { senderDomain }, now }: ChangeContext,
  subscriber: number,
): Promise<void> {
  await queueMail(transaction, { subscriber, template, senderDomain, priority: 0, now: now() })
  await markMailedAgain(transaction, subscriber, now())
}
