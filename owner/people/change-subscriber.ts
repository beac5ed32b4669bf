import sql from 'sql-template-tag'
import { parseEmailAddress } from '#contract/email-address.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import { queueMail } from '#server/deliveries/deliveries.ts'
import type { ServedSite } from '#server/site/served-site.ts'
import type { ServerContext } from '#server/start/context.ts'
import { abuseKey } from '#server/subscribers/abuse-key.ts'
import { eraseSubscriber } from '#server/subscribers/erase-subscriber.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { newToken, noConsent, noteKit, type Subscriber } from '#server/subscribers/subscribers.ts'
import { openLocalInbox } from '#server/transports/open-mailer.ts'
import { recordActionIn } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { canPutBack, keepStanding, putBackStanding } from './taken-off.ts'
import { forgetTold } from '#owner/mail/webhooks/record-event.ts'

/** The person was erased meanwhile. */
export const gone = 'This person was erased.'
const impossible = 'This cannot be done in their present state.'

interface ChangeContext extends Pick<ServerContext, 'database' | 'config' | 'now' | 'recordEvent'> {
  site: { readonly current: Pick<ServedSite, 'starterTemplate' | 'releases'> }
}

/** Sends the starter mail again, unless one is on its way. */
export function sendAgain(context: ChangeContext, id: number): Promise<void> {
  return change(context, id, 'Sent the mail again to a person', async (transaction, { state }) => {
    if (state !== 'active' || (await hasMailOnItsWay(transaction, id))) {
      throw new CommandError(impossible)
    }
    await queueStarterMail(transaction, context, id)
  })
}

/**
 * Sends the mail to the right address. The link in the mails to the wrong one stops working, and
 * news turned on by it end.
 */
export function correctAddress(context: ChangeContext, id: number, typed: string): Promise<void> {
  return change(context, id, 'Corrected the address of a person', async (transaction, person) => {
    const { state, announcements_agreed_at: agreedAt } = person
    const to = parseEmailAddress(typed)
    if (!to) throw new CommandError('That is not an email address.')
    const hasLeft = state === 'unsubscribed' || state === 'blocked'
    if (hasLeft || (await hasMailOnItsWay(transaction, id))) throw new CommandError(impossible)
    const key = abuseKey(to.identity)
    const blocked = sql`
      select 1 from subscribers
      where (identity = ${key} or abuse_key = ${key}) and state = 'blocked'`
    if (await transaction.row(blocked)) {
      throw new CommandError('The holder of that inbox blocked our mail.')
    }
    const holder = sql`select 1 from subscribers where identity = ${to.identity}`
    if (await transaction.row(holder)) {
      throw new CommandError('That address is on the list already.')
    }
    await transaction.run(sql`
      update subscribers set identity = ${to.identity}, address = ${to.address}, abuse_key = ${key},
        token = ${newToken()}, state = 'active', left_at = null, ${noConsent}
      where id = ${id}`)
    await forgetTold(transaction, id)
    if (agreedAt !== null) await context.recordEvent(transaction, 'left', id, context.now())
    if (state !== 'active') await context.recordEvent(transaction, 'joined', id, context.now())
    await queueStarterMail(transaction, context, id)
  })
}

export function unsubscribePerson(context: ChangeContext, id: number): Promise<void> {
  return change(context, id, 'Unsubscribed a person', async (transaction, { state }) => {
    if (state === 'unsubscribed' || state === 'blocked') throw new CommandError(impossible)
    const now = context.now()
    await keepStanding(transaction, sql`id = ${id}`, { state: 'unsubscribed', now })
    await leaveTheList(transaction, id, 'unsubscribed', now)
    await context.recordEvent(transaction, 'left', id, now)
  })
}

/** Undoes that the owner took somebody off the list, with their consent. Nothing is mailed. */
export function putBackPerson(context: ChangeContext, id: number): Promise<void> {
  return change(context, id, 'Put back a person', async (transaction) => {
    if (!(await canPutBack(transaction, id))) throw new CommandError(impossible)
    await putBackStanding(transaction, id)
    const person = await transaction.row<Subscriber>(
      sql`select * from subscribers where id = ${id}`,
    )
    if (person?.state !== 'active') return
    const now = context.now()
    await context.recordEvent(transaction, 'joined', id, now)
    if (person.announcements_agreed_at !== null) {
      await context.recordEvent(transaction, 'consented', id, now)
    }
  })
}

/** Erases the mail in the local inbox first: the act can be repeated if that fails. */
export async function erasePerson(context: Omit<ChangeContext, 'site'>, id: number): Promise<void> {
  const { database, config, now, recordEvent } = context
  const person = await database.row<Subscriber>(sql`select * from subscribers where id = ${id}`)
  if (person && !config.production) await (await openLocalInbox(config)).erase(person.identity)
  return database.transaction(async (transaction) => {
    if (!(await eraseSubscriber(transaction, id, now()))) throw new CommandError(gone)
    await recordEvent(transaction, 'erased', id, now())
    await recordActionIn(transaction, { at: now(), action: 'Erased a person', about: String(id) })
  })
}

/** A letter may wait for days, and does not count. */
async function hasMailOnItsWay(reader: Reader, id: number): Promise<boolean> {
  const found = await reader.row(sql`
    select 1 from deliveries
    where subscriber = ${id} and mailing is null and state in ('queued', 'sending')`)
  return found !== undefined
}

/** `action`: for the audit. */
function change(
  { database, now }: ChangeContext,
  id: number,
  action: string,
  work: (transaction: Transaction, person: Subscriber) => Promise<void>,
): Promise<void> {
  return database.transaction(async (transaction) => {
    // Another change of the same person waits for this one.
    await transaction.lock(`subscriber ${id}`)
    const person = await transaction.row<Subscriber>(
      sql`select * from subscribers where id = ${id}`,
    )
    if (!person) throw new CommandError(gone)
    await work(transaction, person)
    await recordActionIn(transaction, { at: now(), action, about: String(id) })
  })
}

async function queueStarterMail(
  transaction: Transaction,
  context: ChangeContext,
  subscriber: number,
) {
  const { site, now } = context
  const { starterTemplate: template, releases } = site.current
  const { senderDomain } = context.config
  await noteKit(transaction, subscriber, releases[0])
  await queueMail(transaction, { subscriber, template, senderDomain, priority: 0, now: now() })
}
