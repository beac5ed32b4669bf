import { nanoid } from 'nanoid'
import sql, { type Sql } from 'sql-template-tag'
import type { KitVersion } from '#content/releases.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { abuseKey } from './abuse-key.ts'

/** Times are ms since 1970. The columns are explained in database/migrations/0100-site.sql. */
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
  left_at: number | null
  form: string | null
  campaign: string | null
  language: string | null
  wording: string | null
  announcements_agreed_at: number | null
  announcements_refused_at: number | null
  announcements_wording: string | null
  /** When the personal page asked for consent. */
  news_asked_at: number | null
  /** A letter of the series is due so many days after it. Null: they get none. */
  series_from: number | null
  /** Their last step with a test address: app/server/test-address. */
  first_alert: string | null
  /**
   * The version of the kit in their newest starter mail. Null: it named none, or there was no mail.
   */
  version: string | null
  /** Its day, YYYY-MM-DD. */
  version_date: string | null
}

/**
 * `undeliverable`: mail came back. `blocked`: the holder of the inbox did not ask for our mail, or
 * reported it as spam. Nobody can sign a blocked inbox up again.
 */
export type SubscriberState = 'active' | 'unsubscribed' | 'undeliverable' | 'blocked'

/** The facts of a sign-up about its subscriber. Without a `wording` nobody saw the page. */
export interface NewSubscriber {
  identity: string
  address: string
  /** The form of the page: hero or closing. `program` if a program signed them up. */
  form?: string | undefined
  campaign?: string | undefined
  /** The language of the page with the form. */
  language?: string | undefined
  /** Hash of the page's words. */
  wording?: string | undefined
  /** The kit in the starter mail. */
  kit?: KitVersion | undefined
}

/** Adds a subscriber, and returns the number. The identity must not be known. */
export async function addSubscriber(
  transaction: Transaction,
  added: NewSubscriber,
  now: number,
): Promise<number> {
  const { identity, address, form = null, campaign = null, language = null, wording = null } = added
  const { version = null, date = null } = added.kit ?? {}
  const key = abuseKey(identity)
  return transaction.insert(sql`
    insert into subscribers (identity, address, abuse_key, state, signed_up_at,
      form, campaign, language, wording, version, version_date)
    values (${identity}, ${address}, ${key === identity ? null : key}, 'active', ${now},
      ${form}, ${campaign}, ${language}, ${wording}, ${version}, ${date})`)
}

/** Makes the token of the personal link with the first mail. A second mail has the same link. */
export async function giveToken(transaction: Transaction, id: number): Promise<void> {
  await transaction.run(
    sql`update subscribers set token = ${newToken()} where id = ${id} and token is null`,
  )
}

/**
 * Puts a subscriber who had left on the list again. Whoever unsubscribed has no consent any more;
 * that of a subscriber whose mail came back still holds.
 */
export async function signUpAgain(
  transaction: Transaction,
  id: number,
  again: NewSubscriber,
  now: number,
): Promise<void> {
  const { address, form = null, campaign = null, language = null, wording = null } = again
  await transaction.run(sql`
    update subscribers
    set state = 'active', address = ${address}, signed_up_at = ${now},
      left_at = null, form = ${form}, campaign = ${campaign}, language = ${language}, wording = ${wording}
    where id = ${id}`)
}

/** Notes the kit in another starter mail to a known subscriber. Undefined: it has no version. */
export async function noteKit(
  transaction: Transaction,
  id: number,
  kit: KitVersion | undefined,
): Promise<void> {
  const { version = null, date = null } = kit ?? {}
  await transaction.run(
    sql`update subscribers set version = ${version}, version_date = ${date} where id = ${id}`,
  )
}

export interface SubscriberWithLink extends Subscriber {
  token: string
}

export async function findByToken(
  reader: Reader,
  token: string,
): Promise<SubscriberWithLink | undefined> {
  return reader.row<SubscriberWithLink>(sql`select * from subscribers where token = ${token}`)
}

/** Sets the columns of the consent to "never asked". */
export const noConsent: Sql = sql`announcements_agreed_at = null, announcements_refused_at = null,
  announcements_wording = null, series_from = null`

/**
 * 132 random bits as 22 characters of base64url. The library asks the system for those of many
 * tokens at once: on a virtual machine each time takes up to 25 µs, a quarter of a sign-up. The
 * last one is a letter or a digit: at the end of a link some mail programs leave others out.
 */
export function newToken(): string {
  const token = nanoid(22)
  return /[a-z\d]$/i.test(token) ? token : newToken()
}

export function isTokenForm(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}
