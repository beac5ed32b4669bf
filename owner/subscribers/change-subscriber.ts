import type { Selectable } from 'kysely'
import type { EmailAddress } from '#contract/email-address.ts'
import type { Config } from '#server/configuration/config.ts'
import {
  type Connection,
  contentHash,
  type Database,
  inTransaction,
  isPostgres,
  type Tables,
} from '#server/database/database.ts'
import { isRowFault } from '#server/database/faults.ts'
import { enqueue, type NewMail } from '#server/deliveries/deliveries.ts'
import { findBlocked } from '#server/subscribers/blocked-addresses.ts'
import { eraseSubscribers } from '#server/subscribers/erase-subscribers.ts'
import { abuseKey, abuseKeyColumn } from '#server/subscribers/subscribers.ts'
import { openLocalInbox } from '#server/transports/open-mailer.ts'

type Subscriber = Selectable<Tables['subscribers']>

/**
 * How a change ends. `changed`: the row is no longer as it was in `version`. `taken`: the address is on the list already.
 * `blocked`: the holder of the inbox wants no mail.
 */
export type ChangeOutcome = 'done' | 'gone' | 'changed' | 'impossible' | 'taken' | 'blocked'

/** Changes with whatever the owner may see or change of a subscriber. */
export function versionOf(subscriber: Subscriber): string {
  const { state, address, signed_up_at, last_mailed_at, announcements_agreed_at } = subscriber
  return contentHash(JSON.stringify([state, address, signed_up_at, last_mailed_at, announcements_agreed_at]))
}

/** Sends the starter mail again, unless one is on its way. */
export async function sendAgain(database: Database, id: number, version: string, mail: NewMail) {
  return change(database, { id, version }, async (connection, { state }) => {
    if (state !== 'active' || (await hasMailOnItsWay(connection, id))) return 'impossible'
    await queueMail(connection, id, mail)
    return 'done'
  })
}

/** Sends the mail to the right address. The link in the mails to the wrong one stops working, and news turned on by it end. */
export async function correctAddress(
  database: Database,
  { id, version, to, secret }: { id: number; version: string; to: EmailAddress; secret: string },
  mail: NewMail,
): Promise<ChangeOutcome> {
  const noNews = { announcements_agreed_at: null, announcements_wording: null }
  const values = { ...to, ...noNews, abuse_key: abuseKeyColumn(to.identity), token: null }
  try {
    return await change(database, { id, version }, async (connection, { state }) => {
      if (state === 'unsubscribed' || (await hasMailOnItsWay(connection, id))) return 'impossible'
      if ((await findBlocked(connection, [abuseKey(to.identity)], secret, mail.now)).size > 0)
        return 'blocked'
      const row = connection.updateTable('subscribers').where('id', '=', id)
      await row.set({ ...values, state: 'active' }).execute()
      await queueMail(connection, id, mail)
      return 'done'
    })
  } catch (fault) {
    // The database decides that an identity is on the list only once.
    if (isRowFault(fault)) return 'taken'
    throw fault
  }
}

/** Undoes an unsubscribing. Mail that it cancelled, and a wish for news, do not come back. */
export async function putBack(database: Database, id: number, version: string, secret: string, now: number) {
  return change(database, { id, version }, async (connection, { state, identity }) => {
    if (state !== 'unsubscribed') return 'impossible'
    if ((await findBlocked(connection, [abuseKey(identity)], secret, now)).size > 0) return 'blocked'
    await connection.updateTable('subscribers').set({ state: 'active' }).where('id', '=', id).execute()
    return 'done'
  })
}

/** Also from the local inbox. False: the last traces are still in the database files. */
export async function erasePerson(
  database: Database,
  config: Config,
  { id, address }: { id: number; address: string },
  now: number,
  timeoutMs?: number,
): Promise<boolean> {
  // The inbox comes first, so that it can be repeated when it fails there.
  if (config.hasLocalInbox) await (await openLocalInbox(config)).erase(address.toLowerCase())
  return eraseSubscribers(database, [id], now, timeoutMs)
}

/** An announcement may wait for days, and does not count. */
export async function hasMailOnItsWay(connection: Connection, id: number): Promise<boolean> {
  const found = await connection
    .selectFrom('deliveries')
    .select('id')
    .where('subscriber', '=', id)
    .where('announcement', 'is', null)
    .where('state', 'in', ['queued', 'sending'])
    .executeTakeFirst()
  return found !== undefined
}

/** The row stays locked from the check of its version to the commit, so no other change is lost. */
async function change(
  { query }: Database,
  { id, version }: { id: number; version: string },
  work: (connection: Connection, subscriber: Subscriber) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome> {
  return inTransaction(query, async (transaction) => {
    const subscriber = await transaction
      .selectFrom('subscribers')
      .selectAll()
      .where('id', '=', id)
      .$if(isPostgres(transaction), (row) => row.forUpdate())
      .executeTakeFirst()
    if (!subscriber) return 'gone'
    return versionOf(subscriber) === version ? work(transaction, subscriber) : 'changed'
  })
}

async function queueMail(connection: Connection, id: number, mail: NewMail) {
  await connection.updateTable('subscribers').set({ last_mailed_at: mail.now }).where('id', '=', id).execute()
  await enqueue(connection, [id], mail)
}
