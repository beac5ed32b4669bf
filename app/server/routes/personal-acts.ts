import type { FastifyReply } from 'fastify'
import { shownAddress } from '#contract/shown-address.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Counts } from '../statistics/counts.ts'
import { switchAnnouncements } from '../subscribers/announcement-consent.ts'
import { eraseSubscriber } from '../subscribers/erase-subscriber.ts'
import type { RecordEvent, SubscriberEvent } from '../subscribers/events.ts'
import { blockInbox, leaveTheList, liftBlock } from '../subscribers/leave-the-list.ts'
import { findByToken, type SubscriberWithLink } from '../subscribers/subscribers.ts'
import { sendHtml } from './failures.ts'
import { kitPage, type KitPageDeps } from './kit-page.ts'

export interface PersonalActDeps extends KitPageDeps {
  database: Database
  counts: Counts
  recordEvent: RecordEvent
  /** ms since 1970. */
  now: () => number
}

/** Fields of the posted form. */
export type Form = Readonly<Record<string, string>>

type Act = (
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
  form: Form,
) => Promise<FastifyReply>

/** What can be posted below a personal link, by the last part of the path. */
export const personalActs: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['announcements', announcements],
  ['unsubscribe', unsubscribe],
  ['block', block],
  ['unblock', unblock],
  ['erase', erase],
  ['taken', countTaken],
])

async function announcements(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
  form: Form,
): Promise<FastifyReply> {
  const to = form['announcements'] === 'on' ? 'on' : 'off'
  const event = to === 'on' ? 'consented' : 'left'
  await change(subscriber, event, deps, (transaction) =>
    switchAnnouncements(transaction, subscriber, to, deps.now()),
  )
  const switched = await findByToken(deps.database, subscriber.token)
  if (!switched) {
    reply.callNotFound() // erased meanwhile
    return reply
  }
  // A redirect would count as a visit, and RFC 8058 forbids it.
  return sendHtml(reply, kitPage(switched, deps))
}

async function unsubscribe(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await change(subscriber, 'left', deps, (transaction) =>
    leaveTheList(transaction, subscriber.id, 'unsubscribed', deps.now()),
  )
  const address = shownAddress(subscriber.address)
  return sendHtml(reply, deps.site.current.pages.page('unsubscribed', { address }))
}

async function block(
  subscriber: SubscriberWithLink,
  { database, site, recordEvent, now }: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await database.transaction(async (transaction) => {
    for (const left of await blockInbox(transaction, subscriber, now())) {
      await recordEvent(transaction, 'left', left, now())
    }
  })
  return sendHtml(reply, site.current.pages.page('blocked', { token: subscriber.token }))
}

async function unblock(
  subscriber: SubscriberWithLink,
  { database, site, now }: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { pages } = site.current
  const isLifted = await database.transaction((transaction) =>
    liftBlock(transaction, subscriber, now()),
  )
  if (!isLifted) return sendHtml(reply, pages.page('blocked', { token: subscriber.token }))
  return sendHtml(reply, pages.page('unblocked', {}))
}

async function erase(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await change(subscriber, 'erased', deps, (transaction) =>
    eraseSubscriber(transaction, subscriber.id, deps.now()),
  )
  const name = deps.database.leavesTraces() ? 'erased-until-overwritten' : 'erased'
  return sendHtml(reply, deps.site.current.pages.page(name, {}))
}

/** Sent by the button "Copy script". */
async function countTaken(
  { campaign }: SubscriberWithLink,
  { counts }: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  counts.countFrom('taken-from', campaign)
  return reply.code(204).send()
}

/** `work` tells if it changed anything: then the event is stored in its transaction. */
function change(
  { id }: SubscriberWithLink,
  event: SubscriberEvent,
  { database, recordEvent, now }: PersonalActDeps,
  work: (transaction: Transaction) => Promise<boolean>,
): Promise<void> {
  return database.transaction(async (transaction) => {
    if (await work(transaction)) await recordEvent(transaction, event, id, now())
  })
}
