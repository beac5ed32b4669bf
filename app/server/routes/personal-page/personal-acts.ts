import type { FastifyReply } from 'fastify'
import { wordingField } from '#contract/consent-words.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import type { Database, Transaction } from '../../database/database.ts'
import type { Counts } from '../../statistics/counts.ts'
import { addDailyCount } from '../../statistics/daily-counts.ts'
import { markAsked, switchAnnouncements } from '../../subscribers/announcement-consent.ts'
import { eraseSubscriber } from '../../subscribers/erase-subscriber.ts'
import type { RecordEvent, SubscriberEvent } from '../../subscribers/events.ts'
import {
  blockInbox,
  leaveTheList,
  liftBlock,
  returnToTheList,
} from '../../subscribers/leave-the-list.ts'
import { findByToken, type SubscriberWithLink } from '../../subscribers/subscribers.ts'
import { findNewsWording } from '../../subscribers/wordings.ts'
import { sendHtml } from '../../http/replies.ts'
import { readKitPage } from '../../site/kit-page.ts'
import type { SiteHolder } from '../../site/served-site.ts'
import type { SettingsHolder } from '../../settings/site-settings.ts'
import { canReceiveAlerts, readTestAddress } from '../../test-address/state.ts'
import { endTestAddress, openTestAddress } from '../../test-address/test-addresses.ts'

export interface PersonalActDeps {
  settings: SettingsHolder
  site: SiteHolder
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

/** The acts that can be posted below a personal link, by the last part of the path. */
export const personalActs: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['announcements', announcements],
  ['news', agreeToNews],
  ['ask', askForNews],
  ['unsubscribe', unsubscribe],
  ['return', returnAct],
  ['block', block],
  ['unblock', unblock],
  ['erase', erase],
  ['taken', countCopy],
  ['test-address', testAddress],
])

async function announcements(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
  form: Form,
): Promise<FastifyReply> {
  const to = form['announcements'] === 'on' ? 'on' : 'off'
  await switchNews(subscriber, { to, place: 'switch', wording: form[wordingField] }, deps)
  return sendPersonalPage(subscriber.token, deps, reply)
}

/**
 * The button where somebody was asked: it turns news on, and never off. The script of the personal
 * page posts it from where the visitor is, and asks for JSON.
 */
async function agreeToNews(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
  form: Form,
): Promise<FastifyReply> {
  const place = askedPlaceOf(form) ?? 'mail'
  await switchNews(subscriber, { to: 'on', place, wording: form[wordingField] }, deps)
  if (reply.request.headers.accept !== 'application/json') {
    return sendPersonalPage(subscriber.token, deps, reply)
  }
  const { brand } = deps.site.current.content
  return reply.send({ since: dayInWords(deps.now(), brand.language) })
}

type AskedPlace = 'copied' | 'downloaded'

function askedPlaceOf({ place }: Form): AskedPlace | undefined {
  return place === 'copied' || place === 'downloaded' ? place : undefined
}

interface NewsChoice {
  to: 'on' | 'off'
  /** Where the button was. */
  place: AskedPlace | 'switch' | 'mail'
  /** The hash of the words that the form shows. */
  wording: string | undefined
}

function switchNews(
  subscriber: SubscriberWithLink,
  { to, place, wording: shown = '' }: NewsChoice,
  deps: PersonalActDeps,
): Promise<void> {
  const event = to === 'on' ? 'consented' : 'left'
  return changeAndRecord(subscriber, event, deps, async (transaction) => {
    const { news } = deps.site.current.wordings
    const published = place === 'switch' || place === 'mail' ? news[place] : news.asked
    const wording = (await findNewsWording(transaction, shown)) ?? published
    const choice = { now: deps.now(), wording }
    const isChanged = await switchAnnouncements(transaction, subscriber, to, choice)
    if (isChanged && to === 'on') await addDailyCount(transaction, 'news-agreed', deps.now(), place)
    return isChanged
  })
}

/** After an act. A redirect to the page would count as a visit, and RFC 8058 forbids it. */
async function sendPersonalPage(
  token: string,
  deps: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const subscriber = await findByToken(deps.database, token)
  if (!subscriber) {
    reply.callNotFound() // erased meanwhile
    return reply
  }
  return sendHtml(reply, await readKitPage(subscriber, deps))
}

async function unsubscribe(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await changeAndRecord(subscriber, 'left', deps, (transaction) =>
    leaveTheList(transaction, subscriber.id, 'unsubscribed', deps.now()),
  )
  const address = shownAddress(subscriber.address)
  return sendHtml(
    reply,
    deps.site.current.pages.page('unsubscribed', { address, token: subscriber.token }),
  )
}

/** Takes the leaving back. A block is lifted on its own page. */
async function returnAct(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token, state } = subscriber
  if (state === 'blocked') {
    return sendHtml(reply, deps.site.current.pages.page('blocked', { token }))
  }
  await changeAndRecord(subscriber, 'joined', deps, (transaction) =>
    returnToTheList(transaction, subscriber.id, deps.now()),
  )
  return sendPersonalPage(token, deps, reply)
}

async function block(
  subscriber: SubscriberWithLink,
  { database, site, recordEvent, now }: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await database.transaction(async (transaction) => {
    const leftIds = await blockInbox(transaction, subscriber, now())
    for (const id of leftIds) await recordEvent(transaction, 'left', id, now())
  })
  return sendHtml(reply, site.current.pages.page('blocked', { token: subscriber.token }))
}

async function unblock(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { database, site, now } = deps
  const { pages } = site.current
  const { token } = subscriber
  const outcome = await database.transaction((transaction) =>
    liftBlock(transaction, subscriber, now()),
  )
  switch (outcome) {
    case 'lifted':
      return sendHtml(reply, pages.page('unblocked', {}))
    case 'not-blocked':
      return sendPersonalPage(token, deps, reply)
    case 'too-often':
      return sendHtml(reply, pages.page('blocked', { token }))
    default:
      return outcome satisfies never
  }
}

async function erase(
  subscriber: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await changeAndRecord(subscriber, 'erased', deps, (transaction) =>
    eraseSubscriber(transaction, subscriber.id, deps.now()),
  )
  const name = deps.database.leavesTraces() ? 'erased-until-overwritten' : 'erased'
  return sendHtml(reply, deps.site.current.pages.page(name, {}))
}

/**
 * The script of the personal page sends this after a copy or a download, before it asks for consent
 * there. The answer allows it once for each subscriber.
 */
async function askForNews(
  { id }: SubscriberWithLink,
  { database, now }: PersonalActDeps,
  reply: FastifyReply,
  form: Form,
): Promise<FastifyReply> {
  const mayAsk = await database.transaction(async (transaction) => {
    const isFirst = await markAsked(transaction, id, now())
    const place = askedPlaceOf(form) ?? 'copied'
    if (isFirst) await addDailyCount(transaction, 'news-asked', now(), place)
    return isFirst
  })
  return reply.send({ mayAsk })
}

/**
 * Opens a test address, or ends it. Where TradingView cannot reach the site nothing changes. The
 * script of the personal page asks for JSON.
 */
async function testAddress(
  { id, token }: SubscriberWithLink,
  deps: PersonalActDeps,
  reply: FastifyReply,
  form: Form,
): Promise<FastifyReply> {
  const { database, settings, now } = deps
  if (form['stop'] === '1') {
    await database.transaction((transaction) => endTestAddress(transaction, id))
  } else if (canReceiveAlerts(settings.current)) {
    await database.transaction((transaction) => openTestAddress(transaction, id, now()))
  }
  if (reply.request.headers.accept === 'application/json') {
    return reply.send(await readTestAddress({ id }, deps))
  }
  return sendPersonalPage(token, deps, reply)
}

/** Sent by the button "Copy script". */
async function countCopy(
  { campaign }: SubscriberWithLink,
  { counts }: PersonalActDeps,
  reply: FastifyReply,
): Promise<FastifyReply> {
  counts.countCampaign('taken-from', campaign)
  return reply.code(204).send()
}

/** Stores the event in the transaction of `work`, if `work` tells that it changed anything. */
function changeAndRecord(
  { id }: SubscriberWithLink,
  event: SubscriberEvent,
  { database, recordEvent, now }: PersonalActDeps,
  work: (transaction: Transaction) => Promise<boolean>,
): Promise<void> {
  return database.transaction(async (transaction) => {
    if (await work(transaction)) await recordEvent(transaction, event, id, now())
  })
}
