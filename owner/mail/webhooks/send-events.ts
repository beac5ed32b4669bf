import sql from 'sql-template-tag'
import type { Transaction } from '#server/database/database.ts'
import { type RelayWatch, watchRelay } from '#server/deliveries/worker/relay-watch.ts'
import type { ServerContext } from '#server/start/context.ts'
import { newToken, type Subscriber } from '#server/subscribers/subscribers.ts'
import { bodyOf, type Endpoint, type Posted, postEvent } from './post-event.ts'
import { forgetTold, type WebhookEvent } from './record-event.ts'

const everyMs = 1_000
/** Longer than a post may take. */
const leaseMs = 60_000

interface Sender extends Pick<ServerContext, 'config' | 'database' | 'log' | 'now'> {
  endpoint: Endpoint
  receiver: RelayWatch
  /** Names this process in the leases. */
  worker: string
}

/** Sends what recordEvent has stored, from every instance. */
export function startSending(context: ServerContext, endpoint: Endpoint): void {
  const { config, database, log, now } = context
  const sender: Sender = {
    config,
    database,
    log,
    now,
    endpoint,
    receiver: watchRelay(now),
    worker: newToken(),
  }
  context.repeat('webhooks', everyMs, () => sendEvents(sender))
}

/**
 * Posts what is due, one event after the other. A failure ends it, and the next event probes the
 * receiver after a wait.
 */
export async function sendEvents(sender: Sender): Promise<void> {
  const { database, endpoint, log, now, receiver } = sender
  while (receiver.waitMs() === 0) {
    const event = await database.transaction((transaction) => claimEvent(transaction, sender))
    if (!event) return
    receiver.beginProbe()
    const posted = await postEvent(endpoint, event, now())
    if (posted.isDelivered) receiver.reportAnswer()
    else receiver.reportFault({ retryAfterMs: posted.retryAfterMs })
    const facts = { id: event.id, type: event.type, answer: posted.answer }
    if (posted.isDelivered) log.info('webhook delivered', facts)
    else log.warn('webhook not delivered', facts)
    await database.transaction((transaction) => recordPosted(transaction, event, posted, sender))
  }
}

type ClaimedEvent = Omit<WebhookEvent, 'state' | 'finished_at' | 'answer'>

/** A claimed event, and what is posted of it. */
interface EventToPost extends ClaimedEvent {
  body: string
}

/**
 * Leases an event. Those of a subscriber go in order: while an earlier one waits, the next is not
 * due.
 */
async function claimEvent(
  transaction: Transaction,
  { endpoint, now, worker }: Sender,
): Promise<EventToPost | undefined> {
  const event = await transaction.row<ClaimedEvent>(sql`
    with due as materialized (
      select id from webhook_events
      where state = 'queued' and due_at <= ${now()}
        and not exists (select 1 from webhook_events earlier
          where earlier.subscriber = webhook_events.subscriber and earlier.id < webhook_events.id
            and earlier.state = 'queued')
      order by priority, due_at, id limit 1 ${transaction.skipLocked}
    )
    update webhook_events set worker = ${worker}, due_at = ${now() + leaseMs}
    where id in (select id from due)
    returning id, message_id, 'subscriber.' || type as type, subscriber, occurred_at, failures`)
  if (!event) return undefined
  const data = await readData(transaction, event, endpoint.people)
  return { ...event, body: bodyOf(event.type, event.occurred_at, data) }
}

const endsConsent = new Set(['subscriber.left', 'subscriber.bounced'])

/** A receiver that was told the address gets it again with the event that ends the consent. */
async function readData(
  transaction: Transaction,
  { type, subscriber }: Pick<ClaimedEvent, 'type' | 'subscriber'>,
  people: Endpoint['people'],
): Promise<object> {
  const row = await transaction.row<Subscriber & { told: number | null }>(sql`
    select s.*, told.subscriber as told
    from subscribers s
    left join webhook_told told on told.subscriber = s.id
    where s.id = ${subscriber}`)
  if (!row) return { subscriber } // erased
  const isConsented = row.state === 'active' && row.announcements_agreed_at !== null
  const isTold =
    people === 'everyone' || isConsented || (row.told !== null && endsConsent.has(type))
  if (isTold) {
    await transaction.run(
      sql`insert into webhook_told values (${subscriber}) on conflict do nothing`,
    )
  }
  const { state, form, campaign, language, address: email } = row
  return {
    subscriber,
    state,
    form,
    campaign,
    language,
    announcements: isConsented,
    ...(isTold && { email }),
  }
}

async function recordPosted(
  transaction: Transaction,
  { id, type, subscriber, failures }: ClaimedEvent,
  { isDelivered, answer, retryAfterMs }: Posted,
  { config, now, worker }: Sender,
): Promise<void> {
  const waitSeconds = config.retrySeconds[failures]
  const isOver = isDelivered || waitSeconds === undefined
  const waitMs = Math.max((waitSeconds ?? 0) * 1000, retryAfterMs)
  const endState = isDelivered ? 'delivered' : 'failed'
  const state = isOver ? endState : 'queued'
  await transaction.run(sql`
    update webhook_events
    set state = ${state}, finished_at = ${isOver ? now() : null},
      failures = failures + ${isDelivered ? 0 : 1}, due_at = ${now() + waitMs},
      worker = null, answer = ${answer}
    where id = ${id} and worker = ${worker} and state = 'queued'`)
  if (isDelivered && endsConsent.has(type)) await forgetTold(transaction, subscriber)
}
