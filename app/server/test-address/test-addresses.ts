import sql, { type Sql } from 'sql-template-tag'
import { type Arrival, maxArrivals } from '#contract/test-address.ts'
import type { OrderKind } from '#site/kit/alert/order.ts'
import { clockToleranceMs, dayMs } from '../database/clock.ts'
import type { Database, Reader, Transaction } from '../database/database.ts'
import { newToken } from '../subscribers/subscribers.ts'
import { countFirstAlert } from './count-first-alert.ts'

/**
 * A visitor's own address for trying an alert. It ends after a day, and what it received with it.
 */
export interface TestAddress {
  subscriber: number
  key: string
  /** ms since 1970. */
  endsAt: number
  entrySeen: boolean
  exitSeen: boolean
}

interface Row {
  subscriber: number
  key: string
  ends_at: number
  entry_seen: number
  exit_seen: number
}

/** Opens an address, unless one is open: it then stays as it is. */
export async function openTestAddress(
  transaction: Transaction,
  subscriber: number,
  now: number,
): Promise<void> {
  await dropEnded(transaction, now)
  const opened = await transaction.run(sql`
    insert into test_addresses (subscriber, key, ends_at)
    values (${subscriber}, ${newToken()}, ${now + dayMs})
    on conflict (subscriber) do nothing`)
  if (opened > 0) await countFirstAlert(transaction, subscriber, 'opened', now)
}

export async function endTestAddress(transaction: Transaction, subscriber: number): Promise<void> {
  await transaction.run(sql`delete from test_addresses where subscriber = ${subscriber}`)
}

/** The open address of a key. Unknown keys cost one look into an index. */
export function findByKey(
  reader: Reader,
  key: string,
  now: number,
): Promise<TestAddress | undefined> {
  return read(reader, sql`key = ${key}`, now)
}

export function findBySubscriber(
  reader: Reader,
  subscriber: number,
  now: number,
): Promise<TestAddress | undefined> {
  return read(reader, sql`subscriber = ${subscriber}`, now)
}

async function read(reader: Reader, condition: Sql, now: number): Promise<TestAddress | undefined> {
  const row = await reader.row<Row>(
    sql`select * from test_addresses where ${condition} and ends_at > ${now}`,
  )
  return (
    row && {
      subscriber: row.subscriber,
      key: row.key,
      endsAt: row.ends_at,
      entrySeen: row.entry_seen > 0,
      exitSeen: row.exit_seen > 0,
    }
  )
}

/** A message as it is stored. */
export interface NewArrival extends Omit<Arrival, 'at'> {
  /** A whole message of an entry or an exit. */
  readonly order: OrderKind | undefined
}

/** Stores an arrival, drops those before the newest twenty, and notes what was seen. */
export async function addArrival(
  transaction: Transaction,
  address: TestAddress,
  { contentType, fromTradingView, message, verdict, order }: NewArrival,
  now: number,
): Promise<void> {
  const { subscriber } = address
  await transaction.run(sql`
    insert into test_arrivals (subscriber, at, content_type, from_tradingview, message, verdict)
    values (${subscriber}, ${now}, ${contentType}, ${fromTradingView ? 1 : 0}, ${message}, ${verdict})`)
  await transaction.run(sql`
    delete from test_arrivals where subscriber = ${subscriber} and id not in (
      select id from test_arrivals where subscriber = ${subscriber}
      order by id desc limit ${maxArrivals})`)
  const entrySeen = address.entrySeen || order === 'entry' || order === 'short'
  const turns = address.entrySeen && order === 'short'
  const exitSeen = address.exitSeen || order === 'exit' || turns
  if (entrySeen === address.entrySeen && exitSeen === address.exitSeen) return
  await transaction.run(sql`
    update test_addresses set entry_seen = ${entrySeen ? 1 : 0}, exit_seen = ${exitSeen ? 1 : 0}
    where subscriber = ${subscriber}`)
  if (!entrySeen) return
  await countFirstAlert(transaction, subscriber, exitSeen ? 'both' : 'entry', now)
}

/** The newest first. */
export async function arrivalsOf(reader: Reader, subscriber: number): Promise<Arrival[]> {
  const rows = await reader.rows<{
    at: number
    content_type: string
    from_tradingview: number
    message: string
    verdict: string
  }>(sql`
    select at, content_type, from_tradingview, message, verdict from test_arrivals
    where subscriber = ${subscriber} order by id desc limit ${maxArrivals}`)
  return rows.map(({ at, content_type, from_tradingview, ...words }) => ({
    at: new Date(at).toISOString(),
    contentType: content_type,
    fromTradingView: from_tradingview > 0,
    ...words,
  }))
}

/** Deletes the addresses that have ended, with what they received. */
export async function dropEndedAddresses(database: Database, now: number): Promise<void> {
  const ended = await database.row(
    sql`select 1 from test_addresses where ends_at <= ${now} limit 1`,
  )
  if (ended) await database.transaction((transaction) => dropEnded(transaction, now))
}

function dropEnded(transaction: Transaction, now: number): Promise<number> {
  return transaction.run(sql`delete from test_addresses where ends_at <= ${now}`)
}

/** Ends addresses that a clock that was ahead opened: none is open for longer than a day. */
export function endFutureAddresses(now: number): Sql {
  return sql`
    update test_addresses set ends_at = ${now} where ends_at > ${now + dayMs + clockToleranceMs}`
}
