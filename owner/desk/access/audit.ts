import type { Connection } from '#server/database/database.ts'

const keptMs = 3 * 366 * 24 * 60 * 60_000

/** Writes a row of the audit. `about` is stored only if it is a number, numbers or a version, so that no address gets into it. */
export async function recordAct(connection: Connection, at: number, act: string, about: unknown = '') {
  const text = String(about)
  const { id } = await connection
    .insertInto('desk_audit')
    .values({ at, act, about: /^[\d.,]{1,2000}$/.test(text) ? text : '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes the row of an act that was refused. */
export async function forgetAct(connection: Connection, id: number): Promise<void> {
  await connection.deleteFrom('desk_audit').where('id', '=', id).execute()
}

/** The newest first. */
export function readActs(connection: Connection) {
  const acts = connection.selectFrom('desk_audit').select(['at', 'act', 'about'])
  return acts.orderBy('id', 'desc').limit(100).execute()
}

export async function dropOldActs(connection: Connection, now: number): Promise<void> {
  await connection
    .deleteFrom('desk_audit')
    .where('at', '<', now - keptMs)
    .execute()
}

/** Returns when `act` was last done to `about`, without the row `except`. 0: never. */
export async function lastAct(connection: Connection, act: string, about: number, except: number) {
  const { at } = await connection
    .selectFrom('desk_audit')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('act', '=', act)
    .where('about', '=', String(about))
    .where('id', '<>', except)
    .executeTakeFirstOrThrow()
  return at ?? 0
}
