import sql, { empty, join } from 'sql-template-tag'
import type { Reader, Transaction } from '../database/database.ts'

/**
 * Every counted event, with its details. The names are in the database: to rename one would need a
 * migration.
 */
export type CountedEvent =
  | 'signed-up' // the form: hero, closing; program: it named none
  | 'came-from' // the campaign of a new sign-up; none; other
  | 'imported-from' // the name of the import that put somebody on the list
  | 'viewed-from' // the campaign of a view of the landing page by a person
  | 'opened-from' // the campaign of the subscriber whose personal page a person opened
  | 'taken-from' // the campaign of the subscriber whose script was copied or downloaded
  | 'already-listed' // a repeated sign-up
  | 'suggestion-accepted' // a new sign-up with the address that the form suggested
  | 'limit-hit' // network, address, domain, site
  | 'delivered' // handed over
  | 'arrived' // as the provider reports it
  | 'failed' // refused; gave-up: after the last retry
  | 'record-failed' // an attempt to store the outcome of a delivery
  | 'bounced' // taken off the list: mail was refused, or came back later
  | 'blocked' // reported as spam, or "I did not ask for this"
  | 'landing-viewed' // person, machine; views from the cache of a CDN or a browser do not count
  | 'page-opened' // person, machine
  | 'script-downloaded' // person, machine
  | 'guide-downloaded' // person, machine
  | 'news-asked' // copied, downloaded: the personal page asked for consent there
  | 'news-agreed' // switch, mail, copied, downloaded: where they were asked
  | 'first-alert' // opened, entry, both: how far people came with a test address, each step once
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

export function addDailyCount(
  transaction: Transaction,
  event: CountedEvent,
  now: number,
  detail = '',
): Promise<void> {
  return addDailyCounts(transaction, [{ day: dayOf(now), event, detail, count: 1 }])
}

/** Adds to the counts in the database. In one order everywhere, to avoid a deadlock. */
export async function addDailyCounts(
  transaction: Transaction,
  counts: readonly DailyCount[],
): Promise<void> {
  const sorted = counts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  for (const { day, event, detail, count } of sorted) {
    await transaction.run(sql`
      insert into daily_counts (day, event, detail, count)
      values (${day}, ${event}, ${detail}, ${count})
      on conflict (day, event, detail) do update
        set count = daily_counts.count + excluded.count`)
  }
}

/** From `fromDay` on, by day, event and detail. `only`: these events. */
export function readDailyCounts(
  reader: Reader,
  fromDay: string,
  only?: readonly CountedEvent[],
): Promise<DailyCount[]> {
  const events = only ? sql`and event in (${join(only)})` : empty
  return reader.rows<DailyCount>(sql`
    select day, event, detail, count
    from daily_counts
    where day >= ${fromDay} ${events}
    order by day, event, detail`)
}

export async function dropDailyCounts(transaction: Transaction, beforeDay: string): Promise<void> {
  await transaction.run(sql`delete from daily_counts where day < ${beforeDay}`)
}

/** Names what is counted. */
export function keyOf({ day, event, detail }: DailyCount): string {
  return `${day} ${event} ${detail}`
}

export function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}

/** Returns true for mail that failed after its last retry. Its address stays on the list. */
export function gaveUp({ event, detail }: DailyCount): boolean {
  return event === 'failed' && detail === 'gave-up'
}
