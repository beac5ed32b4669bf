import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Connection, jsonRows } from '../database/database.ts'

const batchSize = 2_000
const dayMs = 24 * 60 * 60_000

interface WindowUse {
  name: string
  amount: number
}

interface LimitWindow {
  /** Includes this use, and uses that were refused. */
  used: number
  endsAt: number
  /** Uses on the window's day, if days are counted. */
  usedToday: number
}

/**
 * Adds uses to windows, which start with their first use and last `windowMs`. They are rows, so a restart resets nothing and all
 * instances share them. One that ends later than twice its length from now was begun by a clock that was wrong, and is over.
 * The rows are sorted by name, to avoid a deadlock. `byDay`: the uses of a day are counted as well.
 */
export async function addToWindows(
  connection: Connection,
  uses: readonly WindowUse[],
  windowMs: number,
  now: number,
  { byDay = false } = {},
): Promise<Map<string, LimitWindow>> {
  const rows = jsonRows(
    connection,
    uses.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    { name: 'text', amount: 'bigint' },
  )
  const isOpen = sql`limit_windows.ends_at between ${now + 1} and ${now + 2 * windowMs}`
  const isSameDay = sql`limit_windows.day_ends_at between ${now + 1} and ${now + 2 * dayMs}`
  const windows = await sql<{ name: string; used: number; ends_at: number; day_used: number }>`
    insert into limit_windows (name, used, ends_at, day_used, day_ends_at)
    select name, amount, ${now + windowMs}, amount, ${byDay ? now + dayMs : 0} from ${rows} as fresh where true
    on conflict (name) do update set
      used = excluded.used + case when ${isOpen} then limit_windows.used else 0 end,
      ends_at = case when ${isOpen} then limit_windows.ends_at else excluded.ends_at end,
      day_used = excluded.day_used + case when ${isSameDay} then limit_windows.day_used else 0 end,
      day_ends_at = case when ${isSameDay} then limit_windows.day_ends_at else excluded.day_ends_at end
    returning name, used, ends_at, day_used`.execute(connection)
  return new Map(
    windows.rows.map((row) => [row.name, { used: row.used, endsAt: row.ends_at, usedToday: row.day_used }]),
  )
}

/** Takes back a use that had no effect, unless the window has ended. */
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
export async function readWindow(connection: Connection, name: string, windowMs: number, now: number) {
  const row = await connection
    .selectFrom('limit_windows')
    .selectAll()
    .where('name', '=', name)
    .where(({ between }) => between('ends_at', now + 1, now + 2 * windowMs))
    .executeTakeFirst()
  return row && { used: row.used, endsAt: row.ends_at, usedToday: row.day_used }
}

/** Deletes ended windows in batches: after a launch day there are some hundred thousand. */
export async function dropEndedWindows(connection: Connection, now: number): Promise<void> {
  const names = connection.selectFrom('limit_windows').select('name').orderBy('name')
  for (let after = ''; ;) {
    const last = await names
      .where('name', '>', after)
      .offset(batchSize - 1)
      .limit(1)
      .executeTakeFirst()
    const ended = connection
      .deleteFrom('limit_windows')
      .where('ends_at', '<=', now)
      .where('day_ends_at', '<=', now)
    const batch = ended.where('name', '>', after)
    await (last ? batch.where('name', '<=', last.name) : batch).execute()
    if (!last) return
    after = last.name
    await nextTurn()
  }
}
