import sql, { type Sql } from 'sql-template-tag'
import type { Transaction } from '#server/database/database.ts'
import { watchRelay } from '#server/deliveries/relay-watch.ts'
import type { ServerContext } from '#server/start/context.ts'
import type { SubscriberEvent } from '#server/subscribers/events.ts'
import { newToken, type Subscriber } from '#server/subscribers/subscribers.ts'
import { bodyOf, type Endpoint, type Posted, postEvent } from './post-event.ts'
import { forgetTold, type WebhookEvent } from './record-event.ts'

const everyMs = 1_000
/** Longer than a post may take. */
const leaseMs = 60_000
/** A receiver may ask for more; it is asked again after this time all the same. */
const longestRetryAfterMs = 24 * 60 * 60_000

type SendContext = Pick<ServerContext, 'config' | 'database' | 'log' | 'now'>

/** Sends what recordEvent has stored, from every instance. */
export function startSending(context: SendContext & Pick<ServerContext, 'repeat'>, endpoint: Endpoint): void {
  const receiver = watchRelay(context.now)
  const worker = newToken()
  context.repeat('webhooks', everyMs, () => sendEvents(context, { endpoint, receiver, worker }))
}

interface Sender {
  endpoint: Endpoint
  receiver: ReturnType<typeof watchRelay>
  /** Names this process in the leases. */
  worker: string
}

/** Posts what is due, one event after the other. A failure ends it, and the next event probes the receiver after a wait. */
export async function sendEvents(context: SendContext, sender: Sender): Promise<void> {
  const { database, log, now } = context
  while (sender.receiver.waitMs() === 0) {
    const event = await database.transaction((transaction) => claimEvent(transaction, context, sender))
    if (!event) return
    const posted = await postEvent(sender.endpoint, { id: event.message_id, body: event.body }, now())
    sender.receiver.report(!posted.isDelivered, posted.retryAfterMs)
    const facts = { id: event.id, type: event.type, answer: posted.answer }
    if (posted.isDelivered) log.info('webhook delivered', facts)
    else log.warn('webhook not delivered', facts)
    await database.transaction((transaction) => recordPosted(transaction, event, posted, context, sender))
  }
}

interface ClaimedEvent extends Pick<
  WebhookEvent,
  'id' | 'message_id' | 'subscriber' | 'occurred_at' | 'failures'
> {
  type: SubscriberEvent
  body: string
}

/**
 * Leases an event. Those of a subscriber go in order: while an earlier one waits, the next is not due. A wait that would end later
 * than the longest one began while the clock was ahead.
 */
async function claimEvent(
  transaction: Transaction,
  { config, now }: SendContext,
  { endpoint, worker }: Sender,
): Promise<ClaimedEvent | undefined> {
  const longestWaitMs = Math.max(...config.retrySeconds) * 1000 + longestRetryAfterMs
  const event = await transaction.row<Omit<ClaimedEvent, 'body'>>(sql`
    with due as materialized (
      select id from webhook_events
      where state = 'queued' and (due_at <= ${now()} or due_at > ${now() + longestWaitMs})
        and not exists (select 1 from webhook_events earlier
          where earlier.subscriber = webhook_events.subscriber and earlier.id < webhook_events.id
            and earlier.state = 'queued')
      order by due_at, id limit 1 ${transaction.skipLocked}
    )
    update webhook_events set worker = ${worker}, due_at = ${now() + leaseMs} where id in (select id from due)
    returning id, message_id, type, subscriber, occurred_at, failures`)
  if (!event) return undefined
  const data = await readData(transaction, event, endpoint.people)
  return { ...event, body: bodyOf(`subscriber.${event.type}`, event.occurred_at, data) }
}

const endsConsent = new Set<SubscriberEvent>(['left', 'bounced'])

/** A receiver that was told the address gets it again with the event that ends the consent. */
async function readData(
  transaction: Transaction,
  { type, subscriber }: Pick<ClaimedEvent, 'type' | 'subscriber'>,
  people: Endpoint['people'],
): Promise<object> {
  const row = await transaction.row<Subscriber & { told: number | null }>(sql`
    select s.*, told.subscriber as told from subscribers s left join webhook_told told on told.subscriber = s.id
    where s.id = ${subscriber}`)
  if (!row) return { subscriber } // erased
  const isConsented = row.announcements_agreed_at !== null
  const isTold = people === 'everyone' || isConsented || (row.told !== null && endsConsent.has(type))
  if (isTold)
    await transaction.run(sql`insert into webhook_told values (${subscriber}) on conflict do nothing`)
  const { state, form, campaign, language, address: email } = row
  return { subscriber, state, form, campaign, language, announcements: isConsented, ...(isTold && { email }) }
}

async function recordPosted(
  transaction: Transaction,
  { id, type, subscriber, failures }: ClaimedEvent,
  posted: Posted,
  { config, now }: SendContext,
  { worker }: Sender,
): Promise<void> {
  await transaction.run(sql`
    update webhook_events set ${columnsOf(posted, config.retrySeconds[failures], now())},
      answer = ${posted.answer}, worker = null
    where id = ${id} and worker = ${worker} and state = 'queued'`)
  if (posted.isDelivered && endsConsent.has(type)) await forgetTold(transaction, subscriber)
}

/** `waitSeconds`: until the next try. Undefined: it was the last. */
function columnsOf({ isDelivered, retryAfterMs }: Posted, waitSeconds: number | undefined, now: number): Sql {
  if (isDelivered) return sql`state = 'delivered', finished_at = ${now}`
  if (waitSeconds === undefined) return sql`state = 'failed', failures = failures + 1, finished_at = ${now}`
  return sql`failures = failures + 1, due_at = ${now + Math.max(waitSeconds * 1000, Math.min(retryAfterMs, longestRetryAfterMs))}`
}
