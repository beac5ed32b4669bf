import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Connection, isPostgres, jsonList, jsonRows, type Tables } from '../database/database.ts'
import type { signUpPage } from './wordings.ts'

type SubscriberState = Tables['subscribers']['state']

export interface NewSubscriber {
  identity: string
  address: string
  /** Null if it is the identity. */
  abuse_key: string | null
  form?: string | undefined
  campaign?: string | undefined
}

type Enrolled = Pick<Selectable<Tables['subscribers']>, 'id' | 'identity'>

const newcomerColumns = {
  identity: 'text',
  address: 'text',
  abuse_key: 'text',
  form: 'text',
  campaign: 'text',
} as const

/**
 * Adds newcomers to the list in one statement. Returns the new rows; an address without one was known before. The database
 * decides, so that of concurrent equal sign-ups only one is new. `page`: the page where they signed up.
 */
export async function enrol(
  connection: Connection,
  newcomers: readonly NewSubscriber[],
  now: number,
  page?: typeof signUpPage,
): Promise<Enrolled[]> {
  // Every statement uses this order, to avoid a deadlock.
  const sorted = newcomers.toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  const insert = sql`
    insert into subscribers
      (identity, address, abuse_key, state, signed_up_at, last_mailed_at, form, campaign, language, wording)
    select identity, address, abuse_key, 'active', ${now}, ${now}, form, campaign,
      ${page?.language ?? null}, ${page?.wording.hash ?? null}
    from ${jsonRows(connection, sorted, newcomerColumns)} as newcomer where true
    on conflict (identity) do nothing`
  if (isPostgres(connection))
    return (await sql<Enrolled>`${insert} returning id, identity`.execute(connection)).rows
  // SQLite numbers new rows in order. With `returning` the statement would take a fourth longer.
  const { numAffectedRows: added = 0n, insertId: last = 0n } = await insert.execute(connection)
  if (added === 0n) return []
  const first = Number(last - added) + 1
  return Number(added) === sorted.length
    ? sorted.map(({ identity }, index) => ({ id: first + index, identity }))
    : connection.selectFrom('subscribers').select(['id', 'identity']).where('id', '>=', first).execute()
}

/** Puts those newcomers who had left on the list again. Returns their rows. */
export async function enrolAgain(
  connection: Connection,
  newcomers: readonly NewSubscriber[],
  now: number,
  page?: typeof signUpPage,
): Promise<Enrolled[]> {
  const enrolled = await sql<Enrolled>`
    update subscribers
    set state = 'active', address = newcomer.address, signed_up_at = ${now}, last_mailed_at = ${now},
      form = newcomer.form, campaign = newcomer.campaign,
      language = ${page?.language ?? null}, wording = ${page?.wording.hash ?? null},
      announcements_agreed_at = null, announcements_wording = null, announcements_refused_at = null
    from ${jsonRows(connection, newcomers, newcomerColumns)} as newcomer
    where subscribers.identity = newcomer.identity and state <> 'active'
    returning subscribers.id, subscribers.identity`.execute(connection)
  return enrolled.rows
}

/** Counts the mails of each abuse key, with the time of the first. A mail after `upTo` was dated by a wrong clock. */
export async function countMailsByAbuseKey(
  connection: Connection,
  abuseKeys: readonly string[],
  { after, upTo }: { after: number; upTo: number },
) {
  const keys = jsonList(connection, 'text', abuseKeys)
  const counted = await sql<{ abuse_key: string; mails: number; first: number }>`
    select s.abuse_key as abuse_key, count(*) as mails, min(d.queued_at) as first
    from (
      select id, identity as abuse_key from subscribers where identity in ${keys}
      union all select id, abuse_key from subscribers where abuse_key in ${keys}
    ) s join deliveries d on d.subscriber = s.id
    where d.queued_at > ${after} and d.queued_at <= ${upTo} and d.announcement is null
    group by s.abuse_key`.execute(connection)
  return new Map(counted.rows.map((row) => [row.abuse_key, row]))
}

/** Returns those of `identities` who are on the list. */
export async function findActive(connection: Connection, identities: readonly string[]) {
  const found = await sql<{ id: number; identity: string; signed_up_at: number; last_mailed_at: number }>`
    select id, identity, signed_up_at, last_mailed_at from subscribers
    where identity in ${jsonList(connection, 'text', identities)} and state = 'active'`.execute(connection)
  return found.rows
}

/**
 * Claims a resend for those on the list whose last mail is from `mailedBefore` or earlier and no longer in flight. It is one
 * statement, so that of concurrent equal requests only one sends the mail again.
 */
export async function claimResends(
  connection: Connection,
  identities: readonly string[],
  mailedBefore: number,
  now: number,
) {
  const claimed = await sql<{ id: number; identity: string }>`
    update subscribers set last_mailed_at = ${now}
    where identity in ${jsonList(connection, 'text', identities)}
      and state = 'active' and last_mailed_at <= ${mailedBefore}
      and not exists (select 1 from deliveries d
        where d.subscriber = subscribers.id and d.state in ('queued', 'sending') and d.announcement is null)
    returning id, identity`.execute(connection)
  return claimed.rows
}

/**
 * Marks each of `identities` whose mail is on its way, because another sign-up asks for that mail too: `last_mailed_at` is then
 * 1 ms later than the mail, and no correction cancels it.
 */
export async function markAskedAgain(connection: Connection, identities: readonly string[]) {
  await sql`
    update subscribers set last_mailed_at = last_mailed_at + 1
    where identity in ${jsonList(connection, 'text', identities)} and exists (select 1 from deliveries d
      where d.subscriber = subscribers.id and d.queued_at = last_mailed_at and d.state in ('queued', 'sending'))`.execute(
    connection,
  )
}

/** True for a subscriber `s` on the list who gets the announcement `a`. Those who turned announcements off get none. */
export const wantsAnnouncement = sql.raw<boolean>(`(s.announcements_agreed_at is not null
  or (a.audience = 'everyone' and s.announcements_refused_at is null))`)

export async function findByToken(connection: Connection, token: string) {
  return connection.selectFrom('subscribers').selectAll().where('token', '=', token).executeTakeFirst()
}

/** Returns address and token of those subscribers who are on the list. A token is made with the first mail and then kept. */
export async function findRecipients(connection: Connection, ids: readonly number[]) {
  const found = await selectRecipients(connection, ids)
  const withoutToken = found.filter((one) => one.token === null).map(({ id }) => ({ id, token: newToken() }))
  if (withoutToken.length === 0) return found
  const rows = jsonRows(connection, withoutToken, { id: 'bigint', token: 'text' })
  if (isPostgres(connection))
    await sql`select id from subscribers where id in (select id from ${rows} as made) order by id for update`.execute(
      connection,
    )
  await sql`
    update subscribers set token = made.token from ${rows} as made
    where subscribers.id = made.id and subscribers.token is null`.execute(connection)
  return selectRecipients(connection, ids)
}

async function selectRecipients(connection: Connection, ids: readonly number[]) {
  const found = await sql<{ id: number; address: string; token: string | null }>`
    select id, address, token from subscribers
    where id in ${jsonList(connection, 'bigint', ids)} and state = 'active'`.execute(connection)
  return found.rows
}

/** Returns false if the subscriber had left before. Undeliverable subscribers may still unsubscribe. */
export async function markLeft(
  connection: Connection,
  id: number,
  state: 'unsubscribed' | 'undeliverable',
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable('subscribers')
    .set({
      state,
      announcements_agreed_at: null,
      announcements_wording: null,
      announcements_refused_at: null,
    })
    .where('id', '=', id)
    .where('state', 'in', state === 'unsubscribed' ? ['active', 'undeliverable'] : ['active'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes a subscriber off the list if the sign-up at that time put them there. */
export async function leaveIfJoinedAt(
  connection: Connection,
  id: number,
  at: number | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable('subscribers')
    .set({ state: 'unsubscribed' })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('signed_up_at', '=', at ?? -1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns every text in the rows that identifies a person. */
export async function findTraces(connection: Connection, ids: readonly number[]): Promise<string[]> {
  const found = await sql<Record<'identity' | 'address' | 'abuse_key' | 'token', string | null>>`
    select identity, address, abuse_key, token from subscribers
    where id in ${jsonList(connection, 'bigint', ids)}`.execute(connection)
  return [...new Set(found.rows.flatMap((row) => Object.values(row).filter((text) => text !== null)))]
}

/** Deletes the rows and, by the foreign key, their deliveries. Returns how many subscribers there were. */
export async function deleteSubscribers(connection: Connection, ids: readonly number[]): Promise<number> {
  const deleted = await sql`
    delete from subscribers where id in ${jsonList(connection, 'bigint', ids)}`.execute(connection)
  return Number(deleted.numAffectedRows ?? 0)
}

export async function recordOpening(connection: Connection, id: number, now: number): Promise<void> {
  await connection
    .updateTable('subscribers')
    .set({ opened_at: now })
    .where('id', '=', id)
    .where('opened_at', 'is', null)
    .execute()
}

export async function countSubscribers(connection: Connection): Promise<Record<SubscriberState, number>> {
  const rows = await connection
    .selectFrom('subscribers')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  const counts = { active: 0, unsubscribed: 0, undeliverable: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

/**
 * Returns the subscribers of a range of numbers who never opened their page, whose last mail is from before `mailedBefore`, and
 * who have none in flight. The range keeps each query short.
 */
export async function findUnopened(
  connection: Connection,
  mailedBefore: number,
  { after, upTo }: { after: number; upTo: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from subscribers
    where id > ${after} and id <= ${upTo} and opened_at is null and last_mailed_at < ${mailedBefore}
      and not exists (select 1 from deliveries d where d.subscriber = subscribers.id and d.state in ('queued', 'sending'))
    order by id`.execute(connection)
  return rows.map(({ id }) => id)
}

/** Returns the inbox behind an identity, without tag and without the dots that Gmail ignores. For counting and blocking only. */
export function abuseKey(identity: string): string {
  const domain = identity.slice(identity.lastIndexOf('@') + 1)
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  if (!isGmail && !identity.includes('+')) return identity
  const [untagged = ''] = identity.slice(0, -domain.length - 1).split('+', 1)
  return isGmail ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`
}

/** Returns the value of the column `abuse_key`: null if the key is the identity. */
export function abuseKeyColumn(identity: string): string | null {
  const key = abuseKey(identity)
  return key === identity ? null : key
}

/** 128 random bits as 22 characters of base64url. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}

export function isTokenForm(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}
