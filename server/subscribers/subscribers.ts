import { sql } from 'kysely'
import { type Connection, jsonRows } from '../database/json-rows.ts'

export interface NewSubscriber {
  identity: string
  address: string
  abuse_key: string
  token: string
}

/**
 * Puts those on the list who are not on it, in one statement: a new row, or a row that had left, woken up with its old token.
 * Returns exactly the rows that were put there; who is missing was there before. The database decides, so that of equal
 * sign-ups at the same moment one is new.
 */
export async function enrol(connection: Connection, newcomers: readonly NewSubscriber[], now: number) {
  // In one order everywhere, so that two instances never wait for each other in a circle.
  const sorted = newcomers.toSorted((a, b) => (a.identity < b.identity ? -1 : 1))
  const rows = jsonRows(connection, sorted, {
    identity: 'text',
    address: 'text',
    abuse_key: 'text',
    token: 'text',
  })
  const enrolled = await sql<{ identity: string; token: string }>`
    insert into subscribers (token, identity, address, abuse_key, state, signed_up_at, last_mailed_at)
    select token, identity, address, abuse_key, 'active', ${now}, ${now} from ${rows} as newcomer where true
    on conflict (identity) do update
      set state = 'active', address = excluded.address, signed_up_at = excluded.signed_up_at,
          last_mailed_at = excluded.last_mailed_at
      where subscribers.state <> 'active'
    returning identity, token`.execute(connection)
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
    from subscribers s join deliveries d on d.token = s.token
    where s.abuse_key in ${keys} and d.queued_at > ${since}
    group by s.abuse_key`.execute(connection)
  return new Map(counted.rows.map((row) => [row.abuse_key, row]))
}

export async function isActive(connection: Connection, identity: string): Promise<boolean> {
  const found = await connection
    .selectFrom('subscribers')
    .select('token')
    .where('identity', '=', identity)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return found !== undefined
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
  const claimed = await sql<{ identity: string; token: string }>`
    update subscribers set last_mailed_at = ${now}
    where identity in ${asked} and state = 'active' and last_mailed_at <= ${mailedBefore}
      and not exists (select 1 from deliveries d where d.token = subscribers.token and d.state in ('queued', 'sending'))
    returning identity, token`.execute(connection)
  return claimed.rows
}

export async function findByToken(connection: Connection, token: string) {
  return connection.selectFrom('subscribers').selectAll().where('token', '=', token).executeTakeFirst()
}

export async function markUndeliverable(connection: Connection, token: string): Promise<void> {
  await leave(connection, token, 'undeliverable')
}

export async function unsubscribe(connection: Connection, token: string): Promise<void> {
  await leave(connection, token, 'unsubscribed')
}

/** Takes the row and, by the foreign key, its deliveries out of the database. The caller scrubs the file afterwards. */
export async function erase(connection: Connection, token: string): Promise<void> {
  await connection.deleteFrom('subscribers').where('token', '=', token).execute()
}

export async function noteOpened(connection: Connection, token: string, now: number): Promise<void> {
  await connection
    .updateTable('subscribers')
    .set({ opened_at: now })
    .where('token', '=', token)
    .where('opened_at', 'is', null)
    .execute()
}

async function leave(connection: Connection, token: string, state: 'unsubscribed' | 'undeliverable') {
  await connection
    .updateTable('subscribers')
    .set({ state })
    .where('token', '=', token)
    .where('state', '=', 'active')
    .execute()
}
