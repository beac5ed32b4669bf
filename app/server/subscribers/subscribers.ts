import { sql } from 'kysely'
import { type Connection, isPostgres, jsonRows } from '../database/database.ts'

export interface NewSubscriber {
  identity: string
  address: string
  /** Null where it is the identity. */
  abuse_key: string | null
}

/**
 * Puts those on the list who are not on it, in one statement: a new row, or a row that had left, woken up.
 * Returns exactly the rows that were put there; who is missing was there before. The database decides, so that of equal
 * sign-ups at the same moment one is new.
 */
export async function enrol(connection: Connection, newcomers: readonly NewSubscriber[], now: number) {
  // In one order everywhere, so that two instances never wait for each other in a circle.
  const sorted = newcomers.toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  const rows = jsonRows(connection, sorted, { identity: 'text', address: 'text', abuse_key: 'text' })
  const enrolled = await sql<{ id: number; identity: string }>`
    insert into subscribers (identity, address, abuse_key, state, signed_up_at, last_mailed_at)
    select identity, address, abuse_key, 'active', ${now}, ${now} from ${rows} as newcomer where true
    on conflict (identity) do update
      set state = 'active', address = excluded.address, signed_up_at = excluded.signed_up_at,
          last_mailed_at = excluded.last_mailed_at
      where subscribers.state <> 'active'
    returning id, identity`.execute(connection)
  return enrolled.rows
}

/** How many mails each abuse key was owed since `since`, and when the first of them was queued. Keys without any are missing. */
export async function countMailsByAbuseKey(
  connection: Connection,
  abuseKeys: readonly string[],
  since: number,
) {
  const keys = jsonRows(
    connection,
    abuseKeys.map((abuse_key) => ({ abuse_key })),
    { abuse_key: 'text' },
  )
  const counted = await sql<{ abuse_key: string; mails: number; first: number }>`
    select s.abuse_key as abuse_key, count(*) as mails, min(d.queued_at) as first
    from (
      select id, identity as abuse_key from subscribers where identity in ${keys}
      union all select id, abuse_key from subscribers where abuse_key in ${keys}
    ) s join deliveries d on d.subscriber = s.id
    where d.queued_at > ${since}
    group by s.abuse_key`.execute(connection)
  return new Map(counted.rows.map((row) => [row.abuse_key, row]))
}

/** Those of `identities` who are on the list. */
export async function findActive(connection: Connection, identities: readonly string[]) {
  const asked = jsonRows(
    connection,
    identities.map((identity) => ({ identity })),
    { identity: 'text' },
  )
  const found = await sql<{ id: number; identity: string; signed_up_at: number; last_mailed_at: number }>`
    select id, identity, signed_up_at, last_mailed_at from subscribers where identity in ${asked} and state = 'active'`.execute(
    connection,
  )
  return found.rows
}

/**
 * Of those on the list, claims the ones whose last mail is older than `mailedBefore` and not still on its way.
 * One statement, so that of equal requests at the same moment one gets the mail again.
 */
export async function claimResends(
  connection: Connection,
  identities: readonly string[],
  mailedBefore: number,
  now: number,
) {
  const asked = jsonRows(
    connection,
    identities.map((identity) => ({ identity })),
    { identity: 'text' },
  )
  const claimed = await sql<{ id: number; identity: string }>`
    update subscribers set last_mailed_at = ${now}
    where identity in ${asked} and state = 'active' and last_mailed_at <= ${mailedBefore}
      and not exists (select 1 from deliveries d where d.subscriber = subscribers.id and d.state in ('queued', 'sending'))
    returning id, identity`.execute(connection)
  return claimed.rows
}

export async function findByToken(connection: Connection, token: string) {
  return connection.selectFrom('subscribers').selectAll().where('token', '=', token).executeTakeFirst()
}

/** Address and personal link of those of `ids` who are on the list. A link is made with the first mail, and kept. */
export async function findRecipients(connection: Connection, ids: readonly number[], newToken: () => string) {
  const found = await selectRecipients(connection, ids)
  const withoutLink = found.filter((one) => one.token === null).map(({ id }) => ({ id, token: newToken() }))
  if (withoutLink.length === 0) return found
  const rows = jsonRows(connection, withoutLink, { id: 'bigint', token: 'text' })
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
  const rows = jsonRows(
    connection,
    ids.map((id) => ({ id })),
    { id: 'bigint' },
  )
  const found = await sql<{ id: number; address: string; token: string | null }>`
    select id, address, token from subscribers where id in ${rows} and state = 'active'`.execute(connection)
  return found.rows
}

/** False: they had left before. */
export async function markUndeliverable(connection: Connection, id: number): Promise<boolean> {
  return leave(connection, id, 'undeliverable', ['active'])
}

/** False: they had unsubscribed before. Who is undeliverable may, too: a retry of the owner's would put them back. */
export async function unsubscribe(connection: Connection, id: number): Promise<boolean> {
  return leave(connection, id, 'unsubscribed', ['active', 'undeliverable'])
}

/** Every text of theirs that tells who they are. */
export async function textsOf(connection: Connection, ids: readonly number[]): Promise<string[]> {
  const rows = jsonRows(
    connection,
    ids.map((id) => ({ id })),
    { id: 'bigint' },
  )
  const found = await sql<Record<'identity' | 'address' | 'abuse_key' | 'token', string | null>>`
    select identity, address, abuse_key, token from subscribers where id in ${rows}`.execute(connection)
  return [...new Set(found.rows.flatMap((row) => Object.values(row).filter((text) => text !== null)))]
}

/** Takes the rows and, by the foreign key, their deliveries out of the database. Returns how many there were. */
export async function erase(connection: Connection, ids: readonly number[]): Promise<number> {
  const rows = jsonRows(
    connection,
    ids.map((id) => ({ id })),
    { id: 'bigint' },
  )
  const erased = await sql`delete from subscribers where id in ${rows}`.execute(connection)
  return Number(erased.numAffectedRows ?? 0)
}

export async function noteOpened(connection: Connection, id: number, now: number): Promise<void> {
  await connection
    .updateTable('subscribers')
    .set({ opened_at: now })
    .where('id', '=', id)
    .where('opened_at', 'is', null)
    .execute()
}

async function leave(
  connection: Connection,
  id: number,
  state: 'unsubscribed' | 'undeliverable',
  from: ('active' | 'undeliverable')[],
) {
  const { numUpdatedRows } = await connection
    .updateTable('subscribers')
    .set({ state })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
