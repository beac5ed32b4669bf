import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { write } from './secrets.ts'

const maxActs = 20

/**
 * Writes a row of the audit. `about` is stored only if it has no @, space or capital, so no address
 * or passkey gets into it.
 */
export async function recordAct(database: Database, at: number, act: string, about: unknown = '') {
  const text = String(about)
  const kept = /^[a-z\d.,-]{1,2000}$/.test(text) ? text : ''
  await write(
    database,
    sql`insert into desk_audit (at, act, about) values (${at}, ${act}, ${kept})`,
  )
}

/** The newest first. `person`: only what the owner did to this one. */
export function readActs(database: Database, person?: number) {
  const chosen =
    person === undefined ? sql`1 = 1` : sql`about = ${String(person)} and act like '%person'`
  return database.rows<{ at: number; act: string; about: string }>(
    sql`select at, act, about from desk_audit where ${chosen} order by id desc limit ${maxActs}`,
  )
}
