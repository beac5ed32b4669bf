import { createHash, randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { clockToleranceMs } from '#server/database/clock.ts'
import type { Database } from '#server/database/database.ts'
import { isSameSecret } from '#server/http/gate.ts'

export const codeMs = 10 * 60_000
const triesOfCode = 5
const linkMs = 5 * 60_000

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

interface MadeSecret {
  /** The code's or the link's own secret, which the browser holds. */
  secret: string
  /** ms since 1970. */
  now: number
}

/** Stores a code by hashes: one of the browser's secret, one of that with the code's digits. */
export function keepCode(
  database: Database,
  { secret, codeHash, now }: MadeSecret & { codeHash: string },
): Promise<number> {
  return write(
    database,
    sql`
      insert into desk_secrets (hash, kind, value, tries_left, ends_at)
      values (${hashOf(secret)}, 'code', ${codeHash}, ${triesOfCode}, ${now + codeMs})`,
  )
}

/**
 * Makes a link that signs in once, and returns the secret that stands behind its `#`. `provedAt`:
 * the last proof of whoever asks for it, in ms since 1970. A link gives no newer one.
 */
export async function makeLink(
  database: Database,
  { now, provedAt }: { now: number; provedAt: number },
): Promise<string> {
  const secret = newSecret()
  await write(
    database,
    sql`
      insert into desk_secrets (hash, kind, value, tries_left, ends_at)
      values (${hashOf(secret)}, 'link', ${String(provedAt)}, 1, ${now + linkMs})`,
  )
  return secret
}

interface TriedCode {
  isRight: boolean
  triesLeft: number
}

/**
 * Uses up one try of a code, or all of them if it is right, in one statement, so that concurrent
 * tries count one by one. Returns undefined if the secret is unknown, is used up or has expired.
 */
export async function tryCode(
  database: Database,
  { secret, codeHash, now }: MadeSecret & { codeHash: string },
): Promise<TriedCode | undefined> {
  const statement = sql`
    update desk_secrets
    set tries_left = case when value = ${codeHash} then 0 else tries_left - 1 end
    where hash = ${hashOf(secret)} and kind = 'code' and tries_left > 0
      and ends_at > ${now}
    returning value, tries_left as "triesLeft"`
  const row = await database.transaction((transaction) =>
    transaction.row<{ value: string; triesLeft: number }>(statement),
  )
  return row && { isRight: isSameSecret(codeHash, row.value), triesLeft: row.triesLeft }
}

/**
 * Uses up a link, and returns when whoever asked for it had proved who they are. Returns undefined
 * if the link is unknown, was used or has expired.
 */
export async function useLink(
  database: Database,
  { secret, now }: MadeSecret,
): Promise<number | undefined> {
  const statement = sql`
    update desk_secrets set tries_left = 0
    where hash = ${hashOf(secret)} and kind = 'link' and tries_left > 0
      and ends_at > ${now}
    returning value`
  const row = await database.transaction((transaction) =>
    transaction.row<{ value: string }>(statement),
  )
  return row && Number(row.value)
}

/** Ends secrets that a clock that was ahead made: none of them lives longer than a code. */
export function endFutureSecrets(now: number): Sql {
  return sql`delete from desk_secrets where ends_at > ${now + codeMs + clockToleranceMs}`
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
