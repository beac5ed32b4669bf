import { sql } from 'kysely'
import { type Connection, jsonRows } from '../database/database.ts'

/** Every counted event, with its details. The names are in the database: to rename one would need a migration. */
export type CountedEvent =
  | 'signed-up' // the form: hero, closing; program: it named none; unknown: before forms were counted
  | 'came-from' // the campaign of a new sign-up; none; other
  | 'listed-already' // a repeated sign-up
  | 'typo-rescued' // a new sign-up with the address that the form suggested
  | 'limit-hit' // network, address, domain, site
  | 'delivered' // handed over
  | 'arrived' // as the provider reports it
  | 'failed' // after the last retry, or permanently
  | 'record-failed' // an attempt to store the outcome of a delivery
  | 'bounced' // came back later
  | 'landing-viewed' // person, machine: the landing page was sent; what a CDN or a browser keeps is not counted
  | 'page-opened' // person, machine
  | 'script-downloaded' // person, machine
  | 'guide-downloaded' // person, machine
  | 'unsubscribed'
  | 'erased'

export interface DailyCount {
  /** `2026-11-21`, UTC. */
  day: string
  event: CountedEvent
  /** Empty where the event has one kind only. */
  detail: string
  count: number
}

/** The UTC day that `ms` since 1970 lies in. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Adds to the counts in the database. Each day, event and detail may be in `counts` once. */
export async function addDailyCounts(connection: Connection, counts: readonly DailyCount[]): Promise<void> {
  if (counts.length === 0) return
  // In one order everywhere, to avoid a deadlock.
  const ordered = counts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const rows = jsonRows(connection, ordered, { day: 'text', event: 'text', detail: 'text', count: 'bigint' })
  await sql`
    insert into daily_counts (day, event, detail, count)
    select day, event, detail, count from ${rows} as fresh where true
    on conflict (day, event, detail) do update set count = daily_counts.count + excluded.count`.execute(
    connection,
  )
}

/** From `fromDay` on, by day, event and detail. `only`: of one event, and of these details. */
export function readDailyCounts(
  connection: Connection,
  fromDay: string,
  only?: { event: CountedEvent; details?: readonly string[] },
): Promise<DailyCount[]> {
  return connection
    .selectFrom('daily_counts')
    .selectAll()
    .$castTo<DailyCount>() // addDailyCounts writes no other event
    .where('day', '>=', fromDay)
    .$if(only !== undefined, (query) => query.where('event', '=', only!.event))
    .$if(only?.details !== undefined, (query) => query.where('detail', 'in', ['', ...only!.details!]))
    .orderBy('day')
    .orderBy('event')
    .orderBy('detail')
    .execute()
}

export async function dropDailyCounts(connection: Connection, beforeDay: string): Promise<void> {
  await connection.deleteFrom('daily_counts').where('day', '<', beforeDay).execute()
}

/** Names what is counted. */
export function keyOf({ day, event, detail }: DailyCount): string {
  return `${day} ${event} ${detail}`
}
