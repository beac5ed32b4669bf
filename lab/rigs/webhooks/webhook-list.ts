import sql from 'sql-template-tag'
import { watchRelay } from '#server/deliveries/worker/relay-watch.ts'
import { sendEvents } from '#owner/mail/webhooks/send-events.ts'
import type { WebhookEvent } from '#owner/mail/webhooks/record-event.ts'
import type { Database } from '#server/database/database.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { makeMailingList, type MailingList } from '../owner/mailing-list.ts'
import { ownerOf } from '../owner/owner-commands.ts'
import { startWebhookReceiver, webhookSecret } from './webhook-receiver.ts'

/**
 * A list with one person on it, whose changes are told to a receiver, without a running server.
 */
export async function listWithWebhooks(environment: Record<string, string> = {}) {
  const receiver = await startWebhookReceiver()
  const settings = {
    WEBHOOK_URL: receiver.url,
    WEBHOOK_SECRET: webhookSecret,
    MAIL_RETRY_SECONDS: '60,120',
    ...environment,
  }
  const list = await makeMailingList(settings, Date.now())
  await list.signUp(['ada@example.com'])
  const ada = await list.idOf('ada@example.com')
  const endpoint = list.config.webhook!
  const sender = { ...list.context, endpoint, receiver: watchRelay(list.now), worker: 'test' }
  return {
    ...changesOf(list, ada),
    list,
    ada,
    receiver,
    owner: ownerOf(list.url, settings, { now: list.now }),
    /** Sends what is due when the clock is `aheadMs` ahead. */
    async send(aheadMs = 0) {
      list.at(aheadMs)
      await sendEvents(sender)
    },
    told: () =>
      receiver.received.map(({ type, data }) => [
        type.replace('subscriber.', ''),
        data['state'],
        data['announcements'],
        data['email'],
      ]),
  }
}

/** Something that happens to a person, with its event. */
function changesOf({ database, context, now, turn }: MailingList, person: number) {
  const record = (event: 'joined' | 'left' | 'consented' | 'bounced', subscriber = person) =>
    database.transaction((transaction) =>
      context.recordEvent(transaction, event, subscriber, now()),
    )
  return {
    record,
    switchTo: (to: 'on' | 'off') => turn('ada@example.com', to),
    async leave(state: 'unsubscribed' | 'undeliverable') {
      await database.transaction((transaction) => leaveTheList(transaction, person, state, now()))
      await record(state === 'undeliverable' ? 'bounced' : 'left')
    },
  }
}

/** All events, the oldest first. */
export function eventsIn(database: Database): Promise<WebhookEvent[]> {
  return database.rows<WebhookEvent>(sql`select * from webhook_events order by id`)
}
