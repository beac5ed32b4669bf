import { createHash, randomBytes } from 'node:crypto'
import type { Connection, Tables } from '#server/database/database.ts'
import { addToWindows } from '#server/sign-up/limit-windows.ts'

type Row = Tables['desk_secrets']

const hourMs = 60 * 60_000

/** 256 random bits as 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a secret for the table, so that a copy of the database does not sign anyone in. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Stores a secret by its hash; the browser or the link holds the secret itself. */
export async function keepSecret(connection: Connection, secret: string, kept: Omit<Row, 'hash'>) {
  const row = { hash: hashOf(secret), ...kept }
  await connection.insertInto('desk_secrets').values(row).execute()
}

/** Uses up one try, in one statement, so that concurrent tries count one by one. Undefined: none is left. */
export async function tryOnce(connection: Connection, secret: string, kind: Row['kind'], now: number) {
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

/** Deletes a secret and returns its value. Undefined: it is unknown, was used or has expired. */
export async function useUp(connection: Connection, secret: string, kind: Row['kind'], now: number) {
  const used = await connection
    .deleteFrom('desk_secrets')
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', kind)
    .where('ends_at', '>', now)
    .returning('value')
    .executeTakeFirst()
  return used?.value
}

export async function dropEndedSecrets(connection: Connection, now: number): Promise<void> {
  await connection.deleteFrom('desk_secrets').where('ends_at', '<=', now).execute()
}

/** Counts one use of `name`. Returns false above `anHour` uses within an hour. */
export async function isWithinLimit(connection: Connection, name: string, anHour: number, now: number) {
  const windows = await addToWindows(connection, [{ name, amount: 1 }], hourMs, now)
  return (windows.get(name)?.used ?? 0) <= anHour
}
