import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, jsonList } from '../database/database.ts'
import type { ServerContext } from '../start/extension.ts'
import { leaveTheList } from './leave-the-list.ts'

const blockMs = 366 * 24 * 60 * 60_000
/** Twice the time for which app/server/sign-up/storm.ts remembers that nobody is blocked. */
const knownByAllMs = 400

type Blocking = Pick<ServerContext, 'database' | 'secret' | 'now'>

/** Blocks the inbox of a subscriber, and takes all its addresses off the list. The link with `token` can lift the block. */
export async function blockInbox(
  { database, secret, now }: Blocking,
  { identity, abuse_key }: { identity: string; abuse_key: string | null },
  token: string,
): Promise<void> {
  const key = abuse_key ?? identity
  const block = { token_hash: hashOf(secret, token), ends_at: now() + blockMs }
  await database.query
    .insertInto('blocked_addresses')
    .values({ hash: hashOf(secret, key), ...block })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(block))
    .execute()
  const ofInbox = database.query
    .selectFrom('subscribers')
    .select('id')
    .where((eb) => eb.or([eb('identity', '=', key), eb('abuse_key', '=', key)]))
  // Twice, because sign-ups that do not know of the block yet are taken off the list too.
  for (const waitMs of [0, knownByAllMs]) {
    await sleep(waitMs)
    for (const { id } of await ofInbox.execute()) await leaveTheList(database, id, 'unsubscribed', now())
  }
}

/** Lifts a block, even if the subscriber was erased since. */
export async function liftBlock({ database, secret }: Omit<Blocking, 'now'>, token: string): Promise<void> {
  const { query } = database
  await query.deleteFrom('blocked_addresses').where('token_hash', '=', hashOf(secret, token)).execute()
}

export async function isBlockedBy({ database, secret, now }: Blocking, token: string): Promise<boolean> {
  const found = await database.query
    .selectFrom('blocked_addresses')
    .select('hash')
    .where('token_hash', '=', hashOf(secret, token))
    .where('ends_at', '>', now())
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the end of each block by abuse key, in ms since 1970. */
export async function findBlocked(
  connection: Connection,
  abuseKeys: readonly string[],
  secret: string,
  now: number,
): Promise<Map<string, number>> {
  const keyOf = new Map(abuseKeys.map((key) => [hashOf(secret, key), key]))
  const { rows } = await sql<{ hash: string; ends_at: number }>`
    select hash, ends_at from blocked_addresses
    where hash in ${jsonList(connection, 'text', [...keyOf.keys()])} and ends_at > ${now}`.execute(connection)
  return new Map(rows.map(({ hash, ends_at }) => [keyOf.get(hash)!, ends_at]))
}

export async function dropEndedBlocks(connection: Connection, now: number): Promise<void> {
  await connection.deleteFrom('blocked_addresses').where('ends_at', '<=', now).execute()
}

function hashOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(`block ${text}`).digest('base64url').slice(0, 22)
}
