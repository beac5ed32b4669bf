import type { Connection, Tables } from '#server/database/database.ts'
import { parkedUntil } from '#server/deliveries/lanes.ts'

type DeliveryState = Tables['deliveries']['state']
export const deliveryStates: readonly DeliveryState[] = ['queued', 'sending', 'sent', 'failed', 'cancelled']

interface DeliveryFilter {
  state?: DeliveryState | undefined
  /** Queued then or later, in ms since 1970. */
  since?: number | undefined
  /** Queued before. */
  until?: number | undefined
}

export type ListedDelivery = Awaited<ReturnType<typeof newestDeliveries>>[number]

function deliveries(connection: Connection) {
  return connection
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber')
    .leftJoin('announcements', 'announcements.id', 'deliveries.announcement')
    .select(['deliveries.id', 'subscribers.id as subscriber', 'address', 'deliveries.state', 'message_id'])
    .select(['due_at', 'queued_at', 'finished_at', 'failures', 'last_fault'])
    .select('announcements.version as announced')
}

/** Those queued or being sent: the longest waiting first. Mail of an announcement waits once its hour has room for it. */
export async function longestWaiting(connection: Connection, limit: number) {
  return deliveries(connection)
    .where('deliveries.state', 'in', ['queued', 'sending'])
    .where('due_at', '<', parkedUntil)
    .orderBy('queued_at')
    .orderBy('deliveries.id')
    .limit(limit)
    .execute()
}

/** The newest first. The next page has numbers `below` the last one. */
export async function newestDeliveries(
  connection: Connection,
  { state, since, until }: DeliveryFilter,
  limit: number,
  below?: number,
) {
  return deliveries(connection)
    .$if(state !== undefined, (query) => query.where('deliveries.state', '=', state!))
    .$if(since !== undefined, (query) => query.where('queued_at', '>=', since!))
    .$if(until !== undefined, (query) => query.where('queued_at', '<', until!))
    .$if(below !== undefined, (query) => query.where('deliveries.id', '<', below!))
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute()
}

export async function deliveriesOf(connection: Connection, subscriber: number) {
  return deliveries(connection).where('subscriber', '=', subscriber).orderBy('deliveries.id').execute()
}

export async function findDelivery(connection: Connection, id: number) {
  return deliveries(connection).where('deliveries.id', '=', id).executeTakeFirst()
}

export async function countDeliveries(connection: Connection): Promise<Record<DeliveryState, number>> {
  const rows = await connection
    .selectFrom('deliveries')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  const counts = { queued: 0, sending: 0, sent: 0, failed: 0, cancelled: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

/**
 * The reasons of mail that failed since `since`, or was queued since then and waits, the most frequent first. Failed mail
 * counts by its end: retries take longer than a day.
 */
export async function countFaultsSince(connection: Connection, since: number, state?: DeliveryState) {
  return connection
    .selectFrom('deliveries')
    .select(({ fn }) => ['last_fault as fault', 'state', fn.countAll<number>().as('count')])
    .where((eb) =>
      eb.or([
        eb('state', '=', 'failed').and('finished_at', '>=', since),
        eb('state', '!=', 'failed').and('queued_at', '>=', since),
      ]),
    )
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .where('last_fault', 'is not', null)
    .groupBy(['last_fault', 'state'])
    .orderBy('count', 'desc')
    .limit(10)
    .execute()
}

/** The queueing time of the newest delivery, in ms since 1970. Undefined without deliveries. */
export async function newestTime(connection: Connection): Promise<number | undefined> {
  const row = await connection
    .selectFrom('deliveries')
    .select('queued_at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.queued_at
}
