import { randomFillSync } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Reader, Transaction } from '../database/database.ts'

/** Times are ms since 1970. The columns are explained in database/migrations/0001-first.sql. */
export interface Subscriber {
  id: number
  identity: string
  address: string
  /** Null: it is the identity. */
  abuse_key: string | null
  /** Null until the first mail. */
  token: string | null
  state: SubscriberState
  signed_up_at: number
  last_mailed_at: number
  left_at: number | null
  form: string | null
  campaign: string | null
  language: string | null
  wording: string | null
  announcements_agreed_at: number | null
  announcements_refused_at: number | null
  announcements_wording: string | null
  announcements_cover: 'versions' | 'news' | null
}

/**
 * `undeliverable`: mail came back. `blocked`: the holder of the inbox did not ask for our mail, or
 * reported it as spam. Nobody can sign a blocked inbox up again.
 */
export type SubscriberState = 'active' | 'unsubscribed' | 'undeliverable' | 'blocked'

export interface NewSubscriber {
  identity: string
  address: string
  form?: string | undefined
  campaign?: string | undefined
  language?: string | undefined
  wording?: string | undefined
}

/** A subscriber of an inbox, with the starter mails that were queued to it lately. */
export interface InboxEntry {
  id: number
  identity: string
  state: SubscriberState
  last_mailed_at: number
  /** Starter mails queued since the given time. Cancelled ones do not count. */
  mails: number
  first_mail_at: number | null
  /** One of them is not finished. */
  is_mail_under_way: 0 | 1
}

/** Reads everybody who shares an inbox: the addresses with the same abuse key. */
export async function readInbox(
  reader: Reader,
  key: string,
  mailed: { from: number; until: number },
) {
  const found = await reader.rows<
    Pick<Subscriber, 'id' | 'identity' | 'state' | 'last_mailed_at'>
  >(sql`
    select id, identity, state, last_mailed_at from subscribers where identity = ${key} or abuse_key = ${key}`)
  const inbox: InboxEntry[] = []
  for (const one of found) inbox.push({ ...one, ...(await readMails(reader, one.id, mailed)) })
  return inbox
}

async function readMails(
  reader: Reader,
  id: number,
  { from, until }: { from: number; until: number },
) {
  const row = await reader.row<
    Pick<InboxEntry, 'mails' | 'first_mail_at' | 'is_mail_under_way'>
  >(sql`
    select count(*) filter (where queued_at between ${from} and ${until}) as mails,
      min(queued_at) filter (where queued_at between ${from} and ${until}) as first_mail_at,
      coalesce(max(case when state in ('queued', 'sending') then 1 else 0 end), 0) as is_mail_under_way
    from deliveries where subscriber = ${id} and announcement is null and state <> 'cancelled'`)
  return row! // an aggregate has one row
}

/** Adds a subscriber, and returns the number. The identity must not be known. */
export async function addSubscriber(transaction: Transaction, added: NewSubscriber, now: number) {
  const { identity, address, form = null, campaign = null, language = null, wording = null } = added
  const key = abuseKey(identity)
  return transaction.insert(sql`
    insert into subscribers
      (identity, address, abuse_key, state, signed_up_at, last_mailed_at, form, campaign, language, wording)
    values (${identity}, ${address}, ${key === identity ? null : key}, 'active', ${now}, ${now},
      ${form}, ${campaign}, ${language}, ${wording})`)
}

/** Makes the token of the personal link with the first mail. A second mail has the same link. */
export async function giveToken(transaction: Transaction, id: number): Promise<void> {
  await transaction.run(
    sql`update subscribers set token = ${newToken()} where id = ${id} and token is null`,
  )
}

/** Puts a subscriber who had left on the list again. What they once agreed to no longer holds. */
export async function signUpAgain(
  transaction: Transaction,
  id: number,
  again: NewSubscriber,
  now: number,
) {
  const { address, form = null, campaign = null, language = null, wording = null } = again
  await transaction.run(sql`
    update subscribers
    set state = 'active', address = ${address}, signed_up_at = ${now}, last_mailed_at = ${now}, left_at = null,
      form = ${form}, campaign = ${campaign}, language = ${language}, wording = ${wording}, ${noConsent}
    where id = ${id}`)
}

export async function markMailedAgain(
  transaction: Transaction,
  id: number,
  now: number,
): Promise<void> {
  await transaction.run(sql`update subscribers set last_mailed_at = ${now} where id = ${id}`)
}

/** A subscriber who has a personal link. */
export type Listed = Subscriber & { token: string }

export async function findByToken(reader: Reader, token: string): Promise<Listed | undefined> {
  return reader.row<Listed>(sql`select * from subscribers where token = ${token}`)
}

/** Sets the columns of the consent to "never asked". */
export const noConsent: Sql = sql`announcements_agreed_at = null, announcements_refused_at = null,
  announcements_wording = null, announcements_cover = null`

/**
 * Returns the inbox behind an identity, without tag and without the dots that Gmail ignores. For
 * counting and blocking only.
 */
export function abuseKey(identity: string): string {
  const domain = domainOf(identity)
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  if (!isGmail && !identity.includes('+')) return identity
  const [untagged = ''] = identity.slice(0, -domain.length - 1).split('+', 1)
  return isGmail ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`
}

export function domainOf(identity: string): string {
  return identity.slice(identity.lastIndexOf('@') + 1)
}

const tokenBytes = 16
/**
 * Random bytes for 256 tokens: asking the system for each would cost a sign-up several
 * microseconds.
 */
const pool = Buffer.alloc(256 * tokenBytes)
let used = pool.length

/** 128 random bits as 22 characters of base64url. */
export function newToken(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += tokenBytes
  return pool.toString('base64url', used - tokenBytes, used)
}

export function isTokenForm(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}
