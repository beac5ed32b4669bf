import { hash } from 'node:crypto'
import type { ReceivedMail } from '#rigs/mail/smtp-inbox.ts'
import { type DeliveryRecord, readDeliveries, rowsIn } from './records.ts'

export interface Counts {
  /** Sign-ups answered with 200 and alreadyExists false. */
  acknowledged: number
  /** Subscribers in the database. */
  rows: number
  /** Mails the mailbox kept, duplicates included. */
  mails: number
  duplicates: number
  /** Acknowledged without a row, or a row whose mail never came. */
  lost: number
}

/** Rows and mails are compared with it. */
export interface Evidence {
  /** Everybody who was told that the address is new. */
  acknowledged: ReadonlySet<string>
  /**
   * The number of interrupted attempts at a Message-ID, which is the number of duplicates allowed.
   */
  interrupted: (messageId: string) => number
  /** Addresses whose mail the mailbox refused permanently, or that a restore holds back. */
  unsent: ReadonlySet<string>
  /** Leaves out mail to people whom a restore took off the list. */
  onlyListed: boolean
}

/** Compares the acknowledged sign-ups with the rows, and the rows with the mails. */
export async function accountFor(
  database: string,
  received: readonly ReceivedMail[],
  { acknowledged, interrupted, unsent, onlyListed }: Evidence,
): Promise<{ counts: Counts; broken: string[] }> {
  const listed = await rowsIn(database, 'select address from subscribers')
  const rows = new Set(listed.map(({ address }) => String(address)))
  const deliveries = await readDeliveries(database)
  const isStrange = ({ to }: ReceivedMail) => to.some((address) => !rows.has(address))
  const mails = onlyListed ? received.filter((mail) => !isStrange(mail)) : received
  const mailed = new Set(mails.flatMap(({ to }) => to))
  const known = new Set(deliveries.map(({ messageId }) => messageId))
  const copies = Map.groupBy(mails, ({ messageId }) => messageId)
  const withoutRow = new Set(acknowledged).difference(rows).size
  const withoutMail = rows.difference(mailed).difference(unsent).size
  const tooOften = [...copies].filter(([id, all]) => all.length - 1 > interrupted(id))
  const changed = [...copies.values()].filter((all) => new Set(all.map(formOf)).size > 1)
  const faults = {
    'acknowledged without a row': withoutRow,
    'mails to somebody who is not on the list': mails.filter(isStrange).length,
    'Message-IDs that no delivery has': [...copies.keys()].filter((id) => !known.has(id)).length,
    'on the list, and no mail came': withoutMail,
    'mails went more often than their attempts were interrupted': tooOften.length,
    'mails went again with other bytes or to somebody else': changed.length,
    'deliveries are not recorded as sent': deliveries.filter((one) => !hasEnded(one, unsent))
      .length,
  }
  return {
    counts: {
      acknowledged: acknowledged.size,
      rows: rows.size,
      mails: mails.length,
      duplicates: mails.length - copies.size,
      lost: withoutRow + withoutMail,
    },
    broken: Object.entries(faults).flatMap(([fault, count]) =>
      count > 0 ? [`${count} ${fault}`] : [],
    ),
  }
}

function hasEnded({ state, address }: DeliveryRecord, unsent: ReadonlySet<string>): boolean {
  return state === 'sent' || ((state === 'failed' || state === 'held') && unsent.has(address))
}

function formOf({ to, raw }: ReceivedMail): string {
  return `${to.join()} ${hash('sha256', raw)}`
}

export function addCounts(all: readonly Counts[]): Counts {
  const sum: Counts = { acknowledged: 0, rows: 0, mails: 0, duplicates: 0, lost: 0 }
  const names = Object.keys(sum) as (keyof Counts)[] // it has exactly these keys
  for (const counts of all) {
    for (const name of names) sum[name] += counts[name]
  }
  return sum
}
