import { createHash, randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'

/** code: mailed. link: printed by `owner desk-link`. challenge: for a passkey, and used up. */
type Kind = 'code' | 'link' | 'challenge'

/** 256 random bits as 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a secret for the table, so that a copy of the database does not sign anyone in. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Runs one statement in a transaction of its own. */
export function write(database: Database, statement: Sql): Promise<number> {
  return database.transaction((transaction) => transaction.run(statement))
}

export interface KeptSecret {
  kind: 'code' | 'link'
  /** The hash of a mailed code, with the browser's secret. A link has none. */
  codeHash?: string
  tries?: number
  /** ms since 1970. */
  endsAt: number
}

/** Stores a secret by its hash; the browser or the link holds the secret itself. */
export async function keepSecret(
  database: Database,
  secret: string,
  { kind, codeHash = '', tries = 1, endsAt }: KeptSecret,
): Promise<void> {
  const statement = sql`
    insert into desk_secrets (hash, kind, value, tries_left, ends_at)
    values (${hashOf(secret)}, ${kind}, ${codeHash}, ${tries}, ${endsAt})`
  await write(database, statement)
}

export interface Attempt {
  secret: string
  kind: Kind
  /** The hash of the code that was typed, with the browser's secret. A link has none. */
  codeHash?: string
  /** ms since 1970. */
  now: number
}

interface Tried {
  codeHash: string
  triesLeft: number
}

/**
 * Uses up one try, or all of them if the code is right, in one statement, so that concurrent tries
 * count one by one. A link has an empty code, which is right. Returns undefined if the secret is
 * unknown, is used up or has expired.
 */
export function tryOnce(
  database: Database,
  { secret, kind, codeHash = '', now }: Attempt,
): Promise<Tried | undefined> {
  const statement = sql`
    update desk_secrets
    set tries_left = case when value = ${codeHash} then 0 else tries_left - 1 end
    where hash = ${hashOf(secret)} and kind = ${kind} and tries_left > 0 and ends_at > ${now}
    returning value as "codeHash", tries_left as "triesLeft"`
  return database.transaction((transaction) => transaction.row<Tried>(statement))
}

/** Remembers that the challenge of a cookie is used up. Returns false if it was so before. */
export async function spendChallenge(
  database: Database,
  cookie: string,
  endsAt: number,
): Promise<boolean> {
  const statement = sql`
    insert into desk_secrets (hash, kind, value, tries_left, ends_at)
    values (${hashOf(cookie)}, 'challenge', '', 0, ${endsAt})
    on conflict (hash) do nothing returning hash`
  const row = await database.transaction((transaction) => transaction.row(statement))
  return row !== undefined
}
