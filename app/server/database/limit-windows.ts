import { setImmediate as nextTurn } from 'node:timers/promises'
import sql, { empty } from 'sql-template-tag'
import { isWaiting, isWaitOver } from './clock.ts'
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
  const isOpen = isWaiting(sql`limits.ends_at`, now, windowMs)
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
  windowMs: number,
  now: number,
): Promise<LimitWindow | undefined> {
  const row = await reader.row<{ used: number; ends_at: number }>(
    sql`select used, ends_at from limits where name = ${name}`,
  )
  if (!row || isWaitOver(row.ends_at, now, windowMs)) return undefined
  return { used: row.used, endsAt: row.ends_at }
}

/** Windows that one transaction looks at, so that no sign-up waits for long. */
const batchSize = 1_000

/** Deletes the windows that have ended. Visitors decide how many there are. */
export async function dropEndedLimits(database: Database, now: number): Promise<void> {
  let after = ''
  for (;;) {
    // It is undefined if fewer are left than a batch has.
    const last = await database.row<{ name: string }>(sql`
      select name from limits where name > ${after} order by name
      limit 1 offset ${batchSize - 1}`)
    const upToLast = last ? sql`and name <= ${last.name}` : empty
    await database.transaction((transaction) =>
      transaction.run(sql`
        delete from limits where name > ${after} ${upToLast} and ends_at <= ${now}`),
    )
    if (!last) return
    after = last.name
    await nextTurn()
  }
}
