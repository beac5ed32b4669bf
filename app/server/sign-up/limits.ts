import sql, { join, raw, type Sql } from 'sql-template-tag'
import { clockToleranceMs, dayMs } from '../database/clock.ts'
import type { Database, Reader, Transaction } from '../database/database.ts'
import { deleteInBatches, readLimit, useLimit } from '../database/limit-windows.ts'
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
  const ceilings = [{ network, ceiling }]
  if (widerNetwork !== undefined) {
    ceilings.push({ network: widerNetwork, ceiling: networksPerWiderNetwork * ceiling })
  }
  // Sign-ups of other instances wait here, so that none of them counts past the ceiling.
  await transaction.lock(`network ${widest}`)
  const counted = await countNetworks(transaction, ceilings, now)
  if (counted.length === 0) {
    return { kind: 'refused', until: await readFullUntil(transaction, ceilings, now) }
  }
  const { hour, day } = counted.find((one) => one.network === widest)!
  return { kind: 'counted', priority: hour > quietSignUpsAnHour || day > dayCeiling ? 1 : 0 }
}

interface NetworkCeiling {
  network: string
  /** Sign-ups in ten minutes. */
  ceiling: number
}

/** Sign-ups since each window began. */
interface CountedNetwork {
  network: string
  hour: number
  day: number
}

/** Counts a sign-up for each network. Returns and counts nothing if one has reached its ceiling. */
function countNetworks(
  transaction: Transaction,
  ceilings: readonly NetworkCeiling[],
  now: number,
): Promise<CountedNetwork[]> {
  const added = ceilings.map(({ network }) => sql`select ${network} as network`)
  const next = (used: string, endsAt: string) => {
    const [count, end] = [raw(`networks.${used}`), raw(`networks.${endsAt}`)]
    return sql`${raw(used)} = case when ${end} > ${now} then ${count} + 1 else 1 end,
      ${raw(endsAt)} = case when ${end} > ${now} then ${end} else excluded.${raw(endsAt)} end`
  }
  return transaction.rows<CountedNetwork>(sql`
    insert into networks (network, used, ends_at, used_in_hour, hour_ends_at, used_in_day, day_ends_at)
    select cast(added.network as text), 1, cast(${now + tenMinutesMs} as bigint), 1,
      cast(${now + hourMs} as bigint), 1, cast(${now + dayMs} as bigint)
    from (${join(added, ' union all ')}) as added
    where not exists (select 1 from networks where ${isFull(ceilings, now)})
    on conflict (network) do update set ${next('used', 'ends_at')},
      ${next('used_in_hour', 'hour_ends_at')}, ${next('used_in_day', 'day_ends_at')}
    returning network, used_in_hour as hour, used_in_day as day`)
}

function isFull(ceilings: readonly NetworkCeiling[], now: number): Sql {
  const full = ceilings.map(
    ({ network, ceiling }) => sql`(network = ${network} and used >= ${ceiling})`,
  )
  return sql`ends_at > ${now} and (${join(full, ' or ')})`
}

async function readFullUntil(
  reader: Reader,
  ceilings: readonly NetworkCeiling[],
  now: number,
): Promise<number> {
  const row = await reader.row<{ until: number }>(
    sql`select max(ends_at) as until from networks where ${isFull(ceilings, now)}`,
  )
  return row!.until
}

export function endFutureNetworks(now: number): Sql {
  const [tenMinutes, hour, day] = [tenMinutesMs, hourMs, dayMs].map(
    (longestMs) => now + longestMs + clockToleranceMs,
  )
  return sql`
    update networks
    set ends_at = case when ends_at > ${tenMinutes} then ${now} else ends_at end,
      hour_ends_at = case when hour_ends_at > ${hour} then ${now} else hour_ends_at end,
      day_ends_at = case when day_ends_at > ${day} then ${now} else day_ends_at end
    where ends_at > ${tenMinutes} or hour_ends_at > ${hour} or day_ends_at > ${day}`
}

export function dropEndedNetworks(database: Database, now: number): Promise<void> {
  const isOver = sql`ends_at <= ${now} and hour_ends_at <= ${now} and day_ends_at <= ${now}`
  return deleteInBatches(database, { table: 'networks', key: 'network' }, isOver)
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
  const open = await readLimit(transaction, domainWindow, now)
  if (open && open.used >= addressesPerDomain * ceiling) return { by: 'domain', until: open.endsAt }
  await useLimit(transaction, domainWindow, dayMs, now)
  return undefined
}
