import { createHmac } from 'node:crypto'
import { dayMs } from '../database/clock.ts'
import type { Reader, Transaction } from '../database/database.ts'
import { readLimit, useLimit } from '../database/limit-windows.ts'
import type { ClientNetworks } from '../http/client-address.ts'
import { domainOf, type InboxEntry } from '../subscribers/subscribers.ts'

/** Infinity turns a limit off. */
export interface LimitContext {
  signUpsPerNetworkIn10Minutes: number
  /** Above it the network's mail has priority 1. */
  signUpsPerNetworkADay: number
  mailsPerAddressADay: number
  /** ms since 1970. */
  now: number
  /** Key of the hashes that stand for domains in the table. */
  secret: string
}

const tenMinutesMs = 10 * 60_000

/**
 * A network with more sign-ups in ten minutes is busy: an office, a mobile carrier, or somebody
 * with a script.
 */
const quietNetworkSignUps = 3

/**
 * A /48 of IPv6 may sign up as often as 5 networks: it holds 65,536 of them, and one visitor may
 * have them all.
 */
const networksPerWiderNetwork = 5

/**
 * A catch-all domain is one inbox under endless names: it gets as many mails a day as 50 addresses.
 */
const addressesPerDomain = 50

/** Each has millions of inboxes. */
const largeProviders = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com hotmail.co.uk hotmail.de hotmail.es hotmail.fr
  hotmail.it yahoo.com ymail.com yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it
  aol.com icloud.com me.com mac.com proton.me protonmail.com fastmail.com zoho.com mail.com gmx.at gmx.ch gmx.com
  gmx.de gmx.net web.de t-online.de freenet.de orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it wp.pl onet.pl
  seznam.cz ziggo.nl btinternet.com sky.com comcast.net verizon.net att.net sbcglobal.net bigpond.com uol.com.br
  bol.com.br mail.ru inbox.ru bk.ru list.ru yandex.ru ya.ru rambler.ru ukr.net qq.com foxmail.com 163.com 126.com
  naver.com daum.net hanmail.net rediffmail.com`.split(/\s+/),
)

/** RFC 2606 and RFC 6761 reserve these names: no mail reaches them. */
const reservedDomain = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/

/**
 * Counts a sign-up against its networks. `refusedUntil`: in ms since 1970; undefined if the
 * networks allow it. `priority`: of the mail, 0 a quiet network, 1 a busy one.
 */
export async function countByNetwork(
  transaction: Transaction,
  { network, widerNetwork }: ClientNetworks,
  context: LimitContext,
): Promise<{ refusedUntil?: number | undefined; priority: 0 | 1 }> {
  const { signUpsPerNetworkIn10Minutes: ceiling, signUpsPerNetworkADay: dayCeiling, now } = context
  if (ceiling === Infinity) return { priority: 0 }
  const narrow = await useLimit(transaction, `network ${network}`, tenMinutesMs, now)
  const wider =
    widerNetwork && (await useLimit(transaction, `network ${widerNetwork}`, tenMinutesMs, now))
  const today =
    dayCeiling < Infinity && (await useLimit(transaction, `network-day ${network}`, dayMs, now))
  const isBusy = narrow.used > quietNetworkSignUps || (today && today.used > dayCeiling)
  const narrowEnd = narrow.used > ceiling ? narrow.endsAt : 0
  const widerEnd = wider && wider.used > networksPerWiderNetwork * ceiling ? wider.endsAt : 0
  return { refusedUntil: Math.max(narrowEnd, widerEnd) || undefined, priority: isBusy ? 1 : 0 }
}

/**
 * Returns the ceiling on mails that an inbox or its domain has reached. Ceilings count mails that
 * were queued. `until`: when the next one may go out, in ms since 1970.
 */
export async function findMailCeiling(
  reader: Reader,
  identity: string,
  inbox: readonly InboxEntry[],
  { mailsPerAddressADay: ceiling, now, secret }: LimitContext,
): Promise<{ by: 'address' | 'domain'; until: number } | undefined> {
  if (ceiling === Infinity) return undefined
  const mails = inbox.reduce((sum, one) => sum + one.mails, 0)
  const first = Math.min(...inbox.map((one) => one.first_mail_at ?? Infinity))
  if (mails >= ceiling) return { by: 'address', until: first + dayMs }
  const domain = domainOf(identity)
  if (!hasDomainCeiling(domain)) return undefined
  const { queued, blocked } = domainLimits(secret, domain)
  const window = await readLimit(reader, queued, dayMs, now)
  const isBlocked = window && (await readLimit(reader, blocked, blockedDomainMs, now)) !== undefined
  const mailsPerDomain = isBlocked ? ceiling : addressesPerDomain * ceiling
  return window && window.used >= mailsPerDomain
    ? { by: 'domain', until: window.endsAt }
    : undefined
}

/** Called for each mail of a sign-up that is queued. */
export async function countQueuedMail(
  transaction: Transaction,
  identity: string,
  context: LimitContext,
) {
  const domain = domainOf(identity)
  if (context.mailsPerAddressADay === Infinity || !hasDomainCeiling(domain)) return
  await useLimit(transaction, domainLimits(context.secret, domain).queued, dayMs, context.now)
}

const blockedDomainMs = 30 * dayMs

/** For 30 days the domain gets no more mails a day than one address: its holder asked for none. */
export async function lowerDomainCeiling(
  transaction: Transaction,
  domain: string,
  secret: string,
  now: number,
) {
  if (!hasDomainCeiling(domain)) return
  await useLimit(transaction, domainLimits(secret, domain).blocked, blockedDomainMs, now)
}

function hasDomainCeiling(domain: string): boolean {
  return !largeProviders.has(domain) && !reservedDomain.test(domain)
}

function domainLimits(secret: string, domain: string) {
  const name = createHmac('sha256', secret).update(domain).digest('base64url').slice(0, 22)
  return { queued: `domain ${name}`, blocked: `blocked-domain ${name}` }
}
