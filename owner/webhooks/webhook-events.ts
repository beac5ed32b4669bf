import { hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { type Connection, isPostgres, type Tables } from '#server/database/database.ts'
import { readSetting, settingNames, writeSetting } from '#server/database/settings.ts'
import { type Lease, WorkTable } from '#server/deliveries/claims.ts'

type WebhookState = Selectable<Tables['webhook_events']>['state']
export const webhookStates: readonly WebhookState[] = ['queued', 'delivered', 'failed']

export type ClaimedEvent = Pick<
  Selectable<Tables['webhook_events']>,
  'id' | 'message_id' | 'type' | 'subscriber' | 'failures'
> & { lane: 0 }

const dayMs = 24 * 60 * 60_000
const keepDeliveredMs = 7 * dayMs
const keepOthersMs = 30 * dayMs
/** Holds the hash of the URL that answered 410. */
const goneSetting = settingNames.webhookGone

export const eventTable = new WorkTable('webhook_events', { claimed: 'queued', done: 'delivered' })

/** The events of a subscriber go in order: while an earlier one waits, the next is not due. */
export function claimEvents(connection: Connection, most: number, lease: Lease) {
  const due = sql`
    select id from webhook_events where state = 'queued' and due_at <= ${lease.now}
      and not exists (
        select 1 from webhook_events earlier
        where earlier.subscriber = webhook_events.subscriber and earlier.id < webhook_events.id
          and earlier.state = 'queued'
      )
    order by due_at, id limit ${most} ${isPostgres(connection) ? sql`for update skip locked` : sql``}`
  const columns = 'id, message_id, type, subscriber, failures, 0 as lane'
  return eventTable.claim<ClaimedEvent>(connection, due, columns, lease)
}

/**
 * Read in one statement, right before the event is sent: an erasure since the claim leaves only the number. Undefined: another
 * worker has taken it over.
 */
export async function composeBody(connection: Connection, event: ClaimedEvent, worker: string) {
  await hideWithdrawn(connection, event)
  const found = await connection
    .selectFrom('webhook_events')
    .leftJoin('subscribers', (join) =>
      join.onRef('subscribers.id', '=', 'subscriber').on('tells', '!=', 'number'),
    )
    .select(['type', 'occurred_at', 'subscriber', 'tells', 'address', 'announcements_agreed_at as agreed_at'])
    .select(['subscribers.state', 'form', 'campaign', 'language'])
    .where('webhook_events.id', '=', event.id)
    .where('worker', '=', worker)
    .executeTakeFirst()
  if (!found) return undefined
  const { type, occurred_at, subscriber, tells, address, agreed_at, ...person } = found
  const data = {
    subscriber,
    ...(tells === 'number' ? {} : { ...person, announcements: agreed_at !== null }),
    ...(tells === 'address' ? { email: address } : {}),
  }
  return JSON.stringify({ type, timestamp: new Date(occurred_at).toISOString(), data })
}

/** Hides the address in this event and the later ones if the consent was withdrawn before this one was sent. */
async function hideWithdrawn(connection: Connection, { id, type, subscriber }: ClaimedEvent): Promise<void> {
  if (type !== 'subscriber.joined' && type !== 'subscriber.consented') return
  await sql`
    update webhook_events set tells = 'person'
    where subscriber = ${subscriber} and id >= ${id} and tells = 'address' and not exists (
      select 1 from subscribers s where s.id = ${subscriber} and s.announcements_agreed_at is not null
    )`.execute(connection)
}

/** The newest first. The next page has numbers `below` the last one. */
export async function newestEvents(
  connection: Connection,
  { state, since, until }: { state?: WebhookState; since?: number; until?: number },
  limit: number,
  below?: number,
) {
  return connection
    .selectFrom('webhook_events')
    .select(['id', 'message_id', 'type', 'subscriber', 'state', 'occurred_at', 'finished_at', 'failures'])
    .select('last_fault')
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .$if(since !== undefined, (query) => query.where('occurred_at', '>=', since!))
    .$if(until !== undefined, (query) => query.where('occurred_at', '<', until!))
    .$if(below !== undefined, (query) => query.where('id', '<', below!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Makes one event, or all failed ones, due now, with the message-id they had. Returns how many. */
export async function replayEvents(connection: Connection, which: number | 'failed', now: number) {
  const { numUpdatedRows } = await connection
    .updateTable('webhook_events')
    .set({ state: 'queued', due_at: now, failures: 0, worker: null, finished_at: null })
    .where((eb) => (which === 'failed' ? eb('state', '=', 'failed') : eb('id', '=', which)))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function dropOldEvents(connection: Connection, now: number): Promise<void> {
  await connection
    .deleteFrom('webhook_events')
    .where((eb) =>
      eb.or([
        eb('state', '=', 'delivered').and('finished_at', '<', now - keepDeliveredMs),
        eb('occurred_at', '<', now - keepOthersMs),
      ]),
    )
    .execute()
}

/** True if the receiver at this URL has answered 410: it wants no more events. */
export async function isGone(connection: Connection, url: string): Promise<boolean> {
  return (await readSetting(connection, goneSetting)) === hashOf(url)
}

export async function recordGone(connection: Connection, url: string | undefined): Promise<void> {
  await writeSetting(connection, goneSetting, url === undefined ? '' : hashOf(url))
}

/** The path of a URL can be a secret. */
function hashOf(url: string): string {
  return hash('sha256', url, 'base64url')
}
