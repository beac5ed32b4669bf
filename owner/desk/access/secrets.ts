import { createHash, randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { useLimit } from '#server/database/limit-windows.ts'
import type { DeskContext } from '../call.ts'

/**
 * code: mailed, its value is a hash of it with the browser's secret. link: printed by `owner
 * desk-link`. challenge: for a passkey.
 */
type Kind = 'code' | 'link' | 'challenge'

const hourMs = 60 * 60_000

/** 256 random bits as 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a secret for the table, so that a copy of the database does not sign anyone in. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Runs one statement in a transaction of its own. */
export function write(database: Database, statement: Sql) {
  return database.transaction((transaction) => transaction.run(statement))
}

/** Stores a secret by its hash; the browser or the link holds the secret itself. */
export async function keepSecret(
  database: Database,
  secret: string,
  {
    kind,
    value = '',
    tries = 1,
    endsAt,
  }: { kind: Kind; value?: string; tries?: number; endsAt: number },
): Promise<void> {
  const statement = sql`
    insert into desk_secrets (hash, kind, value, tries_left, ends_at)
    values (${hashOf(secret)}, ${kind}, ${value}, ${tries}, ${endsAt})`
  await write(database, statement)
}

/**
 * Uses up one try, or all of them by the right value, in one statement, so that concurrent tries
 * count one by one. Undefined: the secret is unknown, is used up or has expired.
 */
export function tryOnce({ database, now }: DeskContext, secret: string, kind: Kind, value = '') {
  const statement = sql`
    update desk_secrets set tries_left = case when value = ${value} then 0 else tries_left - 1 end
    where hash = ${hashOf(secret)} and kind = ${kind} and tries_left > 0 and ends_at > ${now()}
    returning value, tries_left`
  return database.transaction((transaction) =>
    transaction.row<{ value: string; tries_left: number }>(statement),
  )
}

/**
 * Counts one use of `name`. Returns false above `anHour` uses within an hour that begins with the
 * first.
 */
export async function isWithinLimit({ database, now }: DeskContext, name: string, anHour: number) {
  const { used } = await database.transaction((transaction) =>
    useLimit(transaction, name, hourMs, now()),
  )
  return used <= anHour
}
