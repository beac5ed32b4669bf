import { randomBytes } from 'node:crypto'
import type { Connection } from './database.ts'

/** The key of every keyed hash, made at the first start and shared by all instances of a database. */
export async function readSecret(connection: Connection): Promise<string> {
  await connection
    .insertInto('settings')
    .values({ name: 'secret', value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await connection
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'secret')
    .executeTakeFirstOrThrow()
  return value
}
