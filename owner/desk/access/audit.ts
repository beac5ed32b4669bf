import sql from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'

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

export interface Act {
  at: number
  act: string
  about: string
}

/** The newest first. */
export function readActs(database: Database, limit: number) {
  return database.rows<Act>(sql`select at, act, about from desk_audit order by id desc limit ${limit}`)
}

/** What the owner did to one person, the newest first. */
export function readActsAbout(database: Database, person: number) {
  return database.rows<Act>(
    sql`select at, act, about from desk_audit where about = ${String(person)} and act like '%person' order by id desc`,
  )
}

export async function dropOldActs(database: Database, now: number): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`delete from desk_audit where at < ${now - keptMs}`),
  )
}
