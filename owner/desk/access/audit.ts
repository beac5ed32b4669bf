import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'

const maxActs = 20
const keptMs = 3 * 366 * 24 * 60 * 60_000

/** Writes a row of the audit. `about` is stored only if it is a number, numbers or a version, so that no address gets into it. */
export async function recordAct(
  database: Database,
  at: number,
  act: string,
  about: unknown = '',
): Promise<void> {
  const text = String(about)
  const kept = /^[\d.,]{1,2000}$/.test(text) ? text : ''
  await database.transaction((transaction) =>
    transaction.run(sql`insert into desk_audit (at, act, about) values (${at}, ${act}, ${kept})`),
  )
}

/** The newest first. `person`: only what the owner did to this one. */
export function readActs(database: Database, person?: number) {
  const chosen = person === undefined ? sql`1 = 1` : sql`about = ${String(person)} and act like '%person'`
  return database.rows<{ at: number; act: string; about: string }>(
    sql`select at, act, about from desk_audit where ${chosen} order by id desc limit ${maxActs}`,
  )
}

export async function dropOldActs(database: Database, now: number): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`delete from desk_audit where at < ${now - keptMs}`),
  )
}
