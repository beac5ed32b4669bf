import sql, { type Sql } from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'

export type DeliveryState = 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled' | 'held'

export interface ListedDelivery {
  id: number
  subscriber: number
  address: string
  state: DeliveryState
  message_id: string
  due_at: number
  queued_at: number
  finished_at: number | null
  failures: number
  last_fault: string | null
  /** The letter's subject. Null: it is a starter mail. */
  letter: string | null
}

/** As the index of what is due has it. */
export const isUnsent = sql`d.state in ('queued', 'sending')`

function select(reader: Reader, rest: Sql): Promise<ListedDelivery[]> {
  return reader.rows<ListedDelivery>(sql`
    select d.id, s.id as subscriber, s.address, d.state, d.message_id, d.due_at, d.queued_at,
      d.finished_at, d.failures, d.last_fault, m.subject as letter
    from deliveries d
    join subscribers s on s.id = d.subscriber
    left join mailings m on m.id = d.mailing ${rest}`)
}

/** Queued or being sent, the longest waiting first. */
export function longestWaiting(reader: Reader, limit: number): Promise<ListedDelivery[]> {
  return select(reader, sql`where ${isUnsent} order by d.queued_at, d.id limit ${limit}`)
}

/** The newest first. The next page has numbers `below` the last one. */
export function newestDeliveries(
  reader: Reader,
  state: DeliveryState,
  limit: number,
  below = Number.MAX_SAFE_INTEGER,
): Promise<ListedDelivery[]> {
  // Failed mails are few, and have an index. Without the sign their order would ask for a walk
  // through all mails.
  if (state === 'failed') {
    return select(
      reader,
      sql`where d.id < ${below} and d.state = 'failed' order by +d.id desc limit ${limit}`,
    )
  }
  return select(
    reader,
    sql`where d.id < ${below} and d.state = ${state} order by d.id desc limit ${limit}`,
  )
}

export function deliveriesOf(reader: Reader, subscriber: number): Promise<ListedDelivery[]> {
  return select(reader, sql`where d.subscriber = ${subscriber} order by d.id`)
}

export async function findDelivery(
  reader: Reader,
  id: number,
): Promise<ListedDelivery | undefined> {
  return (await select(reader, sql`where d.id = ${id}`))[0]
}
