import { createHmac } from 'node:crypto'
import { type Connection, lockNames } from '../database/database.ts'
import { type Lane, laneAfter, laneInStorm } from '../deliveries/lanes.ts'
import { abuseKey, countMailsByAbuseKey } from '../subscribers/subscribers.ts'
import { findBlocked } from '../subscribers/blocked-addresses.ts'
import { addToWindows } from './limit-windows.ts'
import type { SignUp } from './read-sign-up.ts'
import type { SiteState } from './storm.ts'

/** Infinity turns a limit off. */
export interface LimitContext extends SiteState {
  signUpsPerNetworkIn10Minutes: number
  /** Above it the mail goes in the last lane of sign-ups. Counted only with the limit above. */
  signUpsPerNetworkADay: number
  mailsPerAddressADay: number
  /** ms since 1970. */
  now: number
  /** Key of the hashes that stand for domains in the table. */
  secret: string
}

/** A ceiling that a sign-up has reached. */
export interface MailCeiling {
  /** Undefined if this mail may still go out, as the last one below the ceiling. */
  refusedBy: 'address' | 'domain' | undefined
  /** When the next mail may go out, in ms since 1970. */
  nextMailAt: number
  /** Set in a storm: a new subscriber's mail is due only then, and somebody on the list gets none. Undefined: due at once. */
  waitsUntil?: number | undefined
}

const tenMinutesMs = 10 * 60_000
const dayMs = 24 * 60 * 60_000

/** A /48 of IPv6 may sign up as often as 5 networks: it holds 65,536 of them, and one visitor may have them all. */
const networksPerWiderNetwork = 5

/** A catch-all domain is one inbox under endless names: it gets as many mails a day as 50 addresses. */
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

export interface NetworkUse {
  /** End of its refusal, in ms since 1970. Undefined: the networks allow it. */
  refusedUntil: number | undefined
  lane: Lane
}

/** Counts each sign-up against its networks. The more they have signed up, the higher the sign-up's lane. */
export async function countByNetwork(
  connection: Connection,
  signUps: readonly SignUp[],
  context: LimitContext,
): Promise<NetworkUse[]> {
  const ceiling = context.signUpsPerNetworkIn10Minutes
  if (ceiling === Infinity && !context.isStorm)
    return signUps.map(() => ({ refusedUntil: undefined, lane: 0 }))
  const uses = signUps.map((signUp) => {
    if (ceiling === Infinity) return []
    const { network, widerNetwork } = signUp.networks
    const narrow: CountedUse = { name: network, ceiling }
    if (widerNetwork === undefined) return [narrow]
    return [narrow, { name: widerNetwork, ceiling: networksPerWiderNetwork * ceiling }]
  })
  const counted = await countInWindows(connection, uses, tenMinutesMs, context.now, {
    byDay: true,
  })
  return counted.map((windows) => {
    const isBusyDay = fullest(windows, 'beforeToday', ceiling) >= context.signUpsPerNetworkADay
    const before = fullest(windows, 'before', ceiling)
    const lane = isBusyDay ? 3 : laneAfter(before)
    return {
      refusedUntil: refusedUntil(windows),
      lane: context.isStorm ? laneInStorm(lane, false) : lane,
    }
  })
}

/** Returns the earlier sign-ups in the fullest of the windows, scaled to the ceiling of the narrow one. */
function fullest(windows: readonly CountedWindow[], span: 'before' | 'beforeToday', ceiling: number): number {
  return Math.max(...windows.map((one) => Math.floor((one[span] * ceiling) / one.ceiling)))
}

/** Returns for each of some different addresses the ceiling of its inbox or domain that it has reached. */
export async function checkMailCeilings(
  connection: Connection,
  identities: readonly string[],
  context: LimitContext,
): Promise<(MailCeiling | undefined)[]> {
  if (context.mailsPerAddressADay === Infinity && !context.hasBlocks) return []
  const keys = identities.map(abuseKey)
  let ceilings: (MailCeiling | undefined)[] = []
  if (context.mailsPerAddressADay !== Infinity) {
    ceilings = await checkAddresses(connection, keys, context)
    await checkDomains(connection, identities, ceilings, context)
  }
  if (context.hasBlocks) await checkBlocks(connection, keys, ceilings, context)
  return ceilings
}

async function checkAddresses(
  connection: Connection,
  keys: readonly string[],
  { mailsPerAddressADay: ceiling, now, isStorm }: LimitContext,
): Promise<(MailCeiling | undefined)[]> {
  await lockNames(connection, keys)
  const mails = await countMailsByAbuseKey(connection, keys, { after: now - dayMs, upTo: now + dayMs })
  const used = new Map<string, number>()
  return keys.map((key) => {
    const sent = mails.get(key)
    const before = used.get(key) ?? sent?.mails ?? 0
    used.set(key, before + 1)
    if (before + 1 < ceiling && !isStorm) return undefined
    const first = sent?.first ?? now
    const refusedBy = before < ceiling ? undefined : 'address'
    const waitsUntil = isStorm && before > 0 ? first + before * dayMs : undefined
    return { refusedBy, nextMailAt: waitsUntil ?? first + dayMs, waitsUntil }
  })
}

/** Refuses inboxes whose holders blocked our mail. */
async function checkBlocks(
  connection: Connection,
  keys: readonly string[],
  ceilings: (MailCeiling | undefined)[],
  { secret, now }: LimitContext,
) {
  const blocked = await findBlocked(connection, keys, secret, now)
  keys.forEach((key, index) => {
    const nextMailAt = blocked.get(key)
    if (nextMailAt !== undefined) ceilings[index] = { refusedBy: 'address', nextMailAt }
  })
}

/** Counts the mails that the ceilings of their addresses allow against the ceilings of their domains. */
async function checkDomains(
  connection: Connection,
  identities: readonly string[],
  ceilings: (MailCeiling | undefined)[],
  { mailsPerAddressADay, now, secret }: LimitContext,
) {
  const ceiling = addressesPerDomain * mailsPerAddressADay
  const uses = identities.map((identity, index): CountedUse[] => {
    const domain = identity.slice(identity.lastIndexOf('@') + 1)
    if (ceilings[index]?.refusedBy || largeProviders.has(domain) || reservedDomain.test(domain)) return []
    const name = createHmac('sha256', secret).update(domain).digest('base64url').slice(0, 22)
    return [{ name, ceiling }]
  })
  const windows = await countInWindows(connection, uses, dayMs, now)
  windows.forEach((counted, index) => {
    const nextMailAt = refusedUntil(counted)
    if (nextMailAt !== undefined) ceilings[index] = { refusedBy: 'domain', nextMailAt }
  })
}

interface CountedUse {
  name: string
  ceiling: number
}

interface CountedWindow extends CountedUse {
  /** Uses before this one. */
  before: number
  beforeToday: number
  endsAt: number
}

/** Counts sign-ups, each with one or more uses. */
async function countInWindows(
  connection: Connection,
  signUps: readonly (readonly CountedUse[])[],
  windowMs: number,
  now: number,
  { byDay = false } = {},
): Promise<CountedWindow[][]> {
  const amounts = new Map<string, number>()
  for (const uses of signUps) for (const { name } of uses) amounts.set(name, (amounts.get(name) ?? 0) + 1)
  if (amounts.size === 0) return signUps.map(() => [])
  const added = Array.from(amounts, ([name, amount]) => ({ name, amount }))
  const windows = await addToWindows(connection, added, windowMs, now, { byDay })
  const used = new Map(added.map(({ name, amount }) => [name, windows.get(name)!.used - amount]))
  return signUps.map((uses) =>
    uses.map(({ name, ceiling }) => {
      const before = used.get(name)!
      used.set(name, before + 1)
      const { used: usedNow, usedToday, endsAt } = windows.get(name)!
      return { name, ceiling, before, beforeToday: before + usedToday - usedNow, endsAt }
    }),
  )
}

/** The end of the last window whose ceiling is reached. */
function refusedUntil(windows: readonly CountedWindow[]): number | undefined {
  const reached = windows.filter(({ before, ceiling }) => before >= ceiling)
  return reached.length === 0 ? undefined : Math.max(...reached.map(({ endsAt }) => endsAt))
}
