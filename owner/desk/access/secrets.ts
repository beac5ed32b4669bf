import { createHash, randomBytes } from 'node:crypto'
import type { Connection, Tables } from '#server/database/database.ts'

type Kind = Tables['desk_secrets']['kind']

/** 256 random bits as 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The table holds hashes only: a copy of the database opens nothing. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** `secret`: what the browser or the link holds. */
export async function keepSecret(
  connection: Connection,
  secret: string,
  kept: Omit<Tables['desk_secrets'], 'hash'>,
): Promise<void> {
  await connection
    .insertInto('desk_secrets')
    .values({ hash: hashOf(secret), ...kept })
    .execute()
}

/** Uses up one try, in one statement, so that tries at the same moment count one by one. Undefined: none is left. */
export async function tryOnce(connection: Connection, secret: string, kind: Kind, now: number) {
  return connection
    .updateTable('desk_secrets')
    .set((eb) => ({ tries_left: eb('tries_left', '-', 1) }))
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', kind)
    .where('tries_left', '>', 0)
    .where('ends_at', '>', now)
    .returning(['value', 'tries_left'])
    .executeTakeFirst()
}

/** False: it was used up meanwhile. */
export async function useUp(connection: Connection, secret: string): Promise<boolean> {
  const used = await connection
    .deleteFrom('desk_secrets')
    .where('hash', '=', hashOf(secret))
    .executeTakeFirst()
  return used.numDeletedRows > 0n
}

export async function dropEndedSecrets(connection: Connection, now: number): Promise<void> {
  await connection.deleteFrom('desk_secrets').where('ends_at', '<=', now).execute()
}
