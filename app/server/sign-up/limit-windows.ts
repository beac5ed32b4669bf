import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, jsonRows } from '../database/database.ts'

const batchSize = 2_000

interface WindowUse {
  name: string
  amount: number
}

interface LimitWindow {
  /** Includes this use, and uses that were refused. */
  used: number
  endsAt: number
}

/**
 * Adds to windows that start with their first use and last `windowMs`. They are rows, so a restart forgets nothing and
 * every instance counts in the same ones. Sorted by name, to avoid a deadlock.
 */
export async function addToWindows(
  connection: Connection,
  uses: readonly WindowUse[],
  windowMs: number,
  now: number,
): Promise<Map<string, LimitWindow>> {
  const rows = jsonRows(
    connection,
    uses.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    { name: 'text', amount: 'bigint' },
  )
  const windows = await sql<{ name: string; used: number; ends_at: number }>`
    insert into limit_windows (name, used, ends_at) select name, amount, ${now + windowMs} from ${rows} as fresh where true
    on conflict (name) do update set
      used = case when limit_windows.ends_at <= ${now} then excluded.used else limit_windows.used + excluded.used end,
      ends_at = case when limit_windows.ends_at <= ${now} then excluded.ends_at else limit_windows.ends_at end
    returning name, used, ends_at`.execute(connection)
  return new Map(windows.rows.map(({ name, used, ends_at }) => [name, { used, endsAt: ends_at }]))
}

/** Takes back a use that came to nothing, unless the window has ended. */
export async function returnToWindow(
  connection: Connection,
  { name, amount }: WindowUse,
  now: number,
): Promise<void> {
  await sql`
    update limit_windows set used = case when used > ${amount} then used - ${amount} else 0 end
    where name = ${name} and ends_at > ${now}`.execute(connection)
}

/** Reads a window without using it. Undefined: none is open. */
export async function readWindow(
  connection: Connection,
  name: string,
  now: number,
): Promise<LimitWindow | undefined> {
  const row = await connection
    .selectFrom('limit_windows')
    .selectAll()
    .where('name', '=', name)
    .where('ends_at', '>', now)
    .executeTakeFirst()
  return row && { used: row.used, endsAt: row.ends_at }
}

/** In batches: after a launch day there are some hundred thousand windows. */
export async function dropEndedWindows(connection: Connection, now: number): Promise<void> {
  const names = connection.selectFrom('limit_windows').select('name').orderBy('name')
  for (let after = ''; ;) {
    const last = await names
      .where('name', '>', after)
      .offset(batchSize - 1)
      .limit(1)
      .executeTakeFirst()
    const batch = connection.deleteFrom('limit_windows').where('ends_at', '<=', now).where('name', '>', after)
    await (last ? batch.where('name', '<=', last.name) : batch).execute()
    if (!last) return
    after = last.name
    await nextTurn()
  }
}
