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
const concurrency = 4
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

/** Posts what is due. While the receiver is away, single events probe it. */
export async function sendEvents(context: SendContext, sender: Sender): Promise<void> {
  const { database } = context
  const { receiver } = sender
  while (receiver.waitMs() === 0 && (await isEventDue(context))) {
    const most = receiver.isAway() ? 1 : concurrency
    const claimed = await database.transaction((transaction) =>
      claimEvents(transaction, most, context, sender),
    )
    if (claimed.length === 0) return
    const posted = await Promise.all(claimed.map((event) => postOne(event, context, sender)))
    await database.transaction(async (transaction) => {
      for (const [index, event] of claimed.entries())
        await recordPosted(transaction, event, posted[index]!, context, sender)
    })
  }
}

async function isEventDue({ database, config, now }: SendContext): Promise<boolean> {
  const due = await database.row(
    sql`select 1 from webhook_events where state = 'queued' and ${isDue(config, now())} limit 1`,
  )
  return due !== undefined
}

/** A wait that would end later than the longest one began while the clock was ahead. */
function isDue({ retrySeconds }: SendContext['config'], now: number): Sql {
  const longestWaitMs = Math.max(...retrySeconds) * 1000 + longestRetryAfterMs
  return sql`(due_at <= ${now} or due_at > ${now + longestWaitMs})`
}

interface ClaimedEvent extends Pick<
  WebhookEvent,
  'id' | 'message_id' | 'subscriber' | 'occurred_at' | 'failures'
> {
  type: SubscriberEvent
  body: string
}

/** Leases events. Those of a subscriber go in order: while an earlier one waits, the next is not due. */
async function claimEvents(
  transaction: Transaction,
  most: number,
  { config, now }: SendContext,
  { endpoint, worker }: Sender,
): Promise<ClaimedEvent[]> {
  const claimed = await transaction.rows<Omit<ClaimedEvent, 'body'>>(sql`
    with due as materialized (
      select id from webhook_events where state = 'queued' and ${isDue(config, now())}
        and not exists (select 1 from webhook_events earlier
          where earlier.subscriber = webhook_events.subscriber and earlier.id < webhook_events.id
            and earlier.state = 'queued')
      order by due_at, id limit ${most} ${transaction.skipLocked}
    )
    update webhook_events set worker = ${worker}, due_at = ${now() + leaseMs} where id in (select id from due)
    returning id, message_id, type, subscriber, occurred_at, failures`)
  const events: ClaimedEvent[] = []
  for (const event of claimed) {
    const data = await readData(transaction, event, endpoint.people)
    events.push({ ...event, body: bodyOf(`subscriber.${event.type}`, event.occurred_at, data) })
  }
  return events
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

async function postOne(
  event: ClaimedEvent,
  { log, now }: SendContext,
  { endpoint, receiver }: Sender,
): Promise<Posted> {
  const posted = await postEvent(endpoint, { id: event.message_id, body: event.body }, now())
  receiver.report(!posted.isDelivered, posted.retryAfterMs)
  const facts = { id: event.id, type: event.type, answer: posted.answer }
  if (posted.isDelivered) log.info('webhook delivered', facts)
  else log.warn('webhook not delivered', facts)
  return posted
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
