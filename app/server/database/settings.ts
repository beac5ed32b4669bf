import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Reader, Transaction } from './database.ts'

export async function readSetting(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader.row<{ value: string }>(
    sql`select value from settings where name = ${name}`,
  )
  return row?.value
}

export async function writeSetting(
  transaction: Transaction,
  name: string,
  value: string,
): Promise<void> {
  await transaction.run(sql`
    insert into settings (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`)
}

export async function deleteSetting(transaction: Transaction, name: string): Promise<void> {
  await transaction.run(sql`delete from settings where name = ${name}`)
}

/**
 * The key of every keyed hash, made at the first start and shared by all instances of a database.
 */
export async function readSecret(transaction: Transaction): Promise<string> {
  const fresh = randomBytes(32).toString('base64url')
  await transaction.run(
    sql`insert into settings (name, value) values ('secret', ${fresh}) on conflict do nothing`,
  )
  return (await readSetting(transaction, 'secret'))! // stored now, if it was not before
}
