import { randomUUID } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Config } from '#server/settings/config.ts'
import type { Database, Reader, Transaction } from '#server/database/database.ts'
import { clockToleranceMs, dayMs } from '#server/database/clock.ts'
import { maxRetryAfterMs } from '#server/transports/mail-api.ts'
import type { ServerContext } from '#server/start/context.ts'
import type { RecordEvent, SubscriberEvent } from '#server/subscribers/events.ts'
import { recordActionIn } from '#owner/acts/audit.ts'

const keepDeliveredMs = 7 * dayMs
const keepFailedMs = 30 * dayMs
const batchSize = 1_000

/** Stores events in the transactions that cause them. Without WEBHOOK_URL it stores none. */
export function eventRecorder({ webhook }: Pick<Config, 'webhook'>): RecordEvent {
  return webhook ? recorderOf(0) : async () => {}
}

/** The same for a job: its events are sent after those of single people. */
export function jobEventRecorder({ webhook }: Pick<Config, 'webhook'>): RecordEvent {
  return webhook ? recorderOf(1) : async () => {}
}

/** An unsent event is replaced by a later one, so that switching back and forth leaves one. */
const recorderOf =
  (priority: number): RecordEvent =>
  async (transaction, event, subscriber, now) => {
    await transaction.run(sql`
    delete from webhook_events
    where subscriber = ${subscriber} and state = 'queued' and worker is null
      and type in (${join(replacedBy(event))})`)
    await transaction.run(sql`
    insert into webhook_events (message_id, type, subscriber, occurred_at, state, priority, due_at)
    values (${newMessageId()}, ${event}, ${subscriber}, ${now}, 'queued', ${priority}, ${now})`)
  }

/** The events about the same person that say nothing any more once this one is sent. */
function replacedBy(event: SubscriberEvent): SubscriberEvent[] {
  switch (event) {
    case 'consented':
    case 'left':
      return ['consented', 'left']
    case 'erased':
      return ['joined', 'consented', 'left', 'bounced', 'erased']
    case 'joined':
    case 'bounced':
      return [event]
    default:
      return event satisfies never
  }
}

/**
 * Called when the receiver was told that the consent ended, and when the address changes: it does
 * not know the new one.
 */
export async function forgetTold(transaction: Transaction, subscriber: number): Promise<void> {
  await transaction.run(sql`delete from webhook_told where subscriber = ${subscriber}`)
}

export function newMessageId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`
}

export interface WebhookEvent {
  id: number
  message_id: string
  type: `subscriber.${SubscriberEvent}`
  subscriber: number
  state: 'queued' | 'delivered' | 'failed'
  occurred_at: number
  finished_at: number | null
  failures: number
  /** To the last try: `http 200`, or a code of the network such as ECONNREFUSED. */
  answer: string | null
}

/** The newest first. */
export function newestEvents(reader: Reader, limit: number): Promise<WebhookEvent[]> {
  return reader.rows<WebhookEvent>(sql`
    select id, message_id, 'subscriber.' || type as type, subscriber, state, occurred_at,
      finished_at, failures, answer
    from webhook_events
    order by id desc limit ${limit}`)
}

/**
 * Makes one event, or all failed ones, due now, with the message-id they had. One that is being
 * posted is left to its sender. Returns how many.
 */
export function replayEvents(
  database: Database,
  which: number | 'failed',
  now: number,
): Promise<number> {
  const chosen = which === 'failed' ? sql`state = 'failed'` : sql`id = ${which}`
  return database.transaction(async (transaction) => {
    const count = await transaction.run(sql`
      update webhook_events
      set state = 'queued', due_at = ${now}, failures = 0, worker = null, finished_at = null
      where ${chosen} and (state <> 'queued' or worker is null)`)
    const about = which === 'failed' ? '' : String(which)
    if (count > 0) await recordActionIn(transaction, { at: now, action: 'Replayed events', about })
    return count
  })
}

/** An event that was not tried waits for nothing. */
export function endFutureEvents(now: number, { retrySeconds }: Pick<Config, 'retrySeconds'>): Sql {
  const future = now + clockToleranceMs
  const longestMs = Math.max(...retrySeconds) * 1000 + maxRetryAfterMs
  return sql`
    update webhook_events set due_at = ${now}
    where state = 'queued' and priority in (0, 1) and due_at > ${future}
      and (due_at > ${future + longestMs} or (failures = 0 and worker is null))`
}

/**
 * Drops events that were delivered, or were tried for the last time, and are old. It runs every
 * minute, also without WEBHOOK_URL: events of a former one go, too.
 */
export async function dropOldEvents({
  database,
  now,
}: Pick<ServerContext, 'database' | 'now'>): Promise<void> {
  await database.transaction((transaction) =>
    transaction.run(sql`
      delete from webhook_events where id in (
        select id from webhook_events
        where (state = 'delivered' and occurred_at < ${now() - keepDeliveredMs})
          or (state = 'failed' and occurred_at < ${now() - keepFailedMs})
        limit ${batchSize})`),
  )
}
