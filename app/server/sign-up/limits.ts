import { dayMs } from '../database/clock.ts'
import type { Transaction } from '../database/database.ts'
import { readLimit, useLimit } from '../database/limit-windows.ts'
import type { ClientNetworks } from '../http/client-address.ts'
import { domainWindowName } from './domain-window.ts'
import type { InboxEntry } from './inbox.ts'

/** Infinity turns a limit off. */
export interface SignUpLimits {
  signUpsPerNetworkIn10Minutes: number
  /** Above it the network's mail has priority 1. */
  signUpsPerNetworkADay: number
  mailsPerAddressADay: number
}

const tenMinutesMs = 10 * 60_000
const hourMs = 60 * 60_000

/**
 * A network with more sign-ups in an hour is busy: an office, a mobile carrier, or somebody with a
 * script. Few networks of a flood would otherwise use up the share of the hour's mails that is kept
 * for quiet ones.
 */
const quietSignUpsAnHour = 1

/**
 * A /48 of IPv6 may sign up as often as 5 networks: it holds 65,536 of them, and one visitor may
 * have them all.
 */
const networksPerWiderNetwork = 5

/** `until`: ms since 1970. `priority`: of the mail, 0 from a quiet network, 1 from a busy one. */
export type NetworkCount = { kind: 'refused'; until: number } | { kind: 'counted'; priority: 0 | 1 }

/**
 * Counts a sign-up against its networks, unless one of them has reached its ceiling. A refusal
 * writes nothing: otherwise a flood of refused sign-ups would fill the table.
 */
export async function countByNetwork(
  transaction: Transaction,
  { network, widerNetwork }: ClientNetworks,
  { signUpsPerNetworkIn10Minutes: ceiling, signUpsPerNetworkADay: dayCeiling }: SignUpLimits,
  now: number,
): Promise<NetworkCount> {
  if (ceiling === Infinity) return { kind: 'counted', priority: 0 }
  const widest = widerNetwork ?? network
  const windows = [{ name: `network ${network}`, ceiling }]
  if (widerNetwork !== undefined) {
    // First, because it refuses most sign-ups of a flood.
    windows.unshift({
      name: `network ${widerNetwork}`,
      ceiling: networksPerWiderNetwork * ceiling,
    })
  }

  // Sign-ups of other instances wait here, so that none of them counts past the ceiling.
  await transaction.lock(`network ${widest}`)
  for (const window of windows) {
    const open = await readLimit(transaction, window.name, tenMinutesMs, now)
    if (open && open.used >= window.ceiling) return { kind: 'refused', until: open.endsAt }
  }

  for (const window of windows) await useLimit(transaction, window.name, tenMinutesMs, now)
  const inHour = await useLimit(transaction, `network-hour ${widest}`, hourMs, now)
  let priority: 0 | 1 = inHour.used > quietSignUpsAnHour ? 1 : 0
  if (dayCeiling < Infinity) {
    const { used } = await useLimit(transaction, `network-day ${widest}`, dayMs, now)
    if (used > dayCeiling) priority = 1
  }
  return { kind: 'counted', priority }
}

/**
 * A catch-all domain is one inbox under endless names: it gets as many mails a day as 50 addresses.
 */
const addressesPerDomain = 50

export interface MailCeiling {
  by: 'address' | 'domain'
  /** When the next mail may be queued, in ms since 1970. */
  until: number
}

/** A mail that a sign-up is about to queue. */
export interface PlannedMail {
  identity: string
  /** Everybody who shares the inbox, with their mails of today. */
  inbox: readonly InboxEntry[]
  /** Key of the hashes that stand for domains in the table. */
  secret: string
  /** ms since 1970. */
  now: number
}

/**
 * Counts a mail that the caller queues in the same transaction. If the inbox or its domain has
 * reached its ceiling, it counts nothing and returns that ceiling.
 */
export async function countMail(
  transaction: Transaction,
  { identity, inbox, secret, now }: PlannedMail,
  { mailsPerAddressADay: ceiling }: SignUpLimits,
): Promise<MailCeiling | undefined> {
  if (ceiling === Infinity) return undefined
  const mails = inbox.reduce((sum, one) => sum + one.mails, 0)
  if (mails >= ceiling) {
    const first = Math.min(...inbox.map((one) => one.first_mail_at ?? Infinity))
    return { by: 'address', until: first + dayMs }
  }

  const domainWindow = domainWindowName(identity, secret)
  if (domainWindow === undefined) return undefined
  // Sign-ups of other instances wait here, so that none of them counts past the ceiling.
  await transaction.lock(domainWindow)
  const open = await readLimit(transaction, domainWindow, dayMs, now)
  if (open && open.used >= addressesPerDomain * ceiling) return { by: 'domain', until: open.endsAt }
  await useLimit(transaction, domainWindow, dayMs, now)
  return undefined
}
