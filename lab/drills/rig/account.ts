import { createHash } from 'node:crypto'
import type { Product } from '#rigs/product.ts'
import type { ReceivedMail } from '#rigs/mail/smtp-inbox.ts'
import type { Outcome } from './drill.ts'
import { readAddresses, readDeliveries, untilNothingIsOwed } from './records.ts'
import type { Stage } from './stage.ts'

export interface Evidence {
  /** Default: the stage's. */
  database?: string
  acknowledged: ReadonlySet<string>
  /** The number of interrupted attempts at a Message-ID, which is the number of duplicates allowed. Default: none. */
  interrupted?: (messageId: string) => number
  /** Addresses whose mail the mailbox refused permanently: their deliveries must have failed. */
  bounced?: ReadonlySet<string>
  /** Leaves out mail to people whom a restore took off the list. */
  onlyListed?: boolean
  /** A standby took over that may lack the last commits: rows may be lost, and are only counted. */
  mayLoseRows?: boolean
  /** Default: a minute. */
  deliveredWithinMs?: number
}

/**
 * The end of a drill. Waits until no mail is owed, ends the products, and compares the acknowledged sign-ups with the rows,
 * and the rows with the mails. `notes` are the caller's to add; `deliveredAt`: when no mail was owed any more.
 */
export async function settle(
  { place, mailbox }: Pick<Stage, 'place' | 'mailbox'>,
  products: readonly Product[],
  { database = place.databaseFile, deliveredWithinMs = 60_000, ...evidence }: Evidence,
): Promise<Outcome & { deliveredAt: number }> {
  await untilNothingIsOwed(database, deliveredWithinMs)
  const deliveredAt = performance.now()
  const exits = await Promise.all(products.map((product) => product.terminate()))
  await mailbox.idle()
  const outcome = await compare(database, mailbox.mails, evidence)
  const failed = exits.filter(({ code }) => code !== 0)
  outcome.broken.push(...faultsOf(failed.length, 'products did not exit with 0'))
  return { ...outcome, deliveredAt }
}

async function compare(
  database: string,
  received: readonly ReceivedMail[],
  { acknowledged, interrupted = () => 0, bounced = new Set<string>(), onlyListed, mayLoseRows }: Evidence,
): Promise<Outcome> {
  const rows = await readAddresses(database)
  const mails = onlyListed ? received.filter(({ to }) => to.every((address) => rows.has(address))) : received
  const deliveries = await readDeliveries(database)
  const mailed = new Set(mails.flatMap(({ to }) => to))
  const withoutRow = [...acknowledged].filter((address) => !rows.has(address))
  const withoutMail = [...rows].filter((address) => !mailed.has(address) && !bounced.has(address))
  const copies = Map.groupBy(mails, ({ messageId }) => messageId)
  const strangers = mails.filter(({ to }) => to.some((address) => !rows.has(address)))
  const tooOften = [...copies].filter(([id, all]) => all.length - 1 > interrupted(id))
  const changed = [...copies.values()].filter((all) => new Set(all.map(formOf)).size > 1)
  const known = new Set(deliveries.map(({ messageId }) => messageId))
  const unknown = [...copies.keys()].filter((id) => !known.has(id))
  const notSent = deliveries.filter(
    ({ state, address }) => state !== 'sent' && !(state === 'failed' && bounced.has(address)),
  )
  return {
    counts: {
      acknowledged: acknowledged.size,
      rows: rows.size,
      mails: mails.length,
      duplicates: mails.length - copies.size,
      lost: withoutRow.length + withoutMail.length,
    },
    broken: [
      ...(mayLoseRows ? [] : faultsOf(withoutRow.length, 'acknowledged without a row')),
      ...(mayLoseRows ? [] : faultsOf(strangers.length, 'mails to somebody who is not on the list')),
      ...(mayLoseRows ? [] : faultsOf(unknown.length, 'Message-IDs that no delivery has')),
      ...faultsOf(withoutMail.length, 'on the list, and no mail came'),
      ...faultsOf(tooOften.length, 'mails went more often than their attempts were interrupted'),
      ...faultsOf(changed.length, 'mails went again with other bytes or to somebody else'),
      ...faultsOf(notSent.length, 'deliveries are not recorded as sent'),
    ],
    notes: [],
  }
}

function formOf({ to, raw }: ReceivedMail): string {
  return `${to.join()} ${createHash('sha256').update(raw).digest('hex')}`
}

/** A count of zero is no fault. */
export function faultsOf(count: number, what: string): string[] {
  return count > 0 ? [`${count} ${what}`] : []
}
