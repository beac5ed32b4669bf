import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { clockToleranceMs, dayMs } from './clock.ts'
import type { Database, Reader, Transaction } from './database.ts'

/** The uses of a ceiling since its window began. It is a row, so a restart resets nothing. */
export interface LimitWindow {
  used: number
  /** ms since 1970. */
  endsAt: number
}

/** Adds one use to a window that begins with its first use and lasts `windowMs`. */
export async function useLimit(
  transaction: Transaction,
  name: string,
  windowMs: number,
  now: number,
): Promise<LimitWindow> {
  const isOpen = sql`limits.ends_at > ${now}`
  const row = await transaction.row<{ used: number; ends_at: number }>(sql`
    insert into limits (name, used, ends_at) values (${name}, 1, ${now + windowMs})
    on conflict (name) do update set
      used = 1 + case when ${isOpen} then limits.used else 0 end,
      ends_at = case when ${isOpen} then limits.ends_at else excluded.ends_at end
    returning used, ends_at`)
  return { used: row!.used, endsAt: row!.ends_at }
}

/** Reads a window without using it. Undefined: none is open. */
export async function readLimit(
  reader: Reader,
  name: string,
  now: number,
): Promise<LimitWindow | undefined> {
  const row = await reader.row<{ used: number; ends_at: number }>(
    sql`select used, ends_at from limits where name = ${name} and ends_at > ${now}`,
  )
  return row && { used: row.used, endsAt: row.ends_at }
}

/** No window is longer than a day. */
export function endFutureLimits(now: number): Sql {
  return sql`update limits set ends_at = ${now} where ends_at > ${now + dayMs + clockToleranceMs}`
}

/** Deletes the windows that have ended. Visitors decide how many there are. */
export function dropEndedLimits(database: Database, now: number): Promise<void> {
  return deleteInBatches(database, { table: 'limits', key: 'name' }, sql`ends_at <= ${now}`)
}

/** Rows that one transaction looks at, so that no sign-up waits for long. */
const batchSize = 1_000

/** Deletes rows of a table of which visitors decide how many it has. */
export async function deleteInBatches(
  database: Database,
  { table, key }: { table: string; key: string },
  isOver: Sql,
): Promise<void> {
  let after = ''
  for (;;) {
    // It is undefined if fewer are left than a batch has.
    const last = await database.row<{ key: string }>(sql`
      select ${raw(key)} as key from ${raw(table)} where ${raw(key)} > ${after} order by ${raw(key)}
      limit 1 offset ${batchSize - 1}`)
    const upToLast = last ? sql`and ${raw(key)} <= ${last.key}` : empty
    await database.transaction((transaction) =>
      transaction.run(sql`
        delete from ${raw(table)} where ${raw(key)} > ${after} ${upToLast} and ${isOver}`),
    )
    if (!last) return
    after = last.key
    await nextTurn()
  }
}
