import { createHash } from 'node:crypto'
import type { ReceivedMail } from '#rigs/mail/smtp-inbox.ts'
import type { Counts } from './drill.ts'
import { readAddresses, readDeliveries } from './records.ts'

export interface Evidence {
  databaseFile: string
  acknowledged: ReadonlySet<string>
  mails: readonly ReceivedMail[]
  /** The number of interrupted attempts at a Message-ID, which is the number of duplicates allowed. Default: none. */
  interrupted?: (messageId: string) => number
  /** Addresses whose mail the mailbox refused permanently: their deliveries must have failed. */
  bounced?: ReadonlySet<string>
}

/** Compares the acknowledged sign-ups with the rows, and the rows with the mails. */
export function settleAccounts(evidence: Evidence): { counts: Counts; broken: string[] } {
  const { databaseFile, acknowledged, mails, interrupted = () => 0, bounced = new Set<string>() } = evidence
  const rows = readAddresses(databaseFile)
  const deliveries = readDeliveries(databaseFile)
  const mailed = new Set(mails.flatMap(({ to }) => to))
  const withoutRow = [...acknowledged].filter((address) => !rows.has(address))
  const withoutMail = [...rows].filter((address) => !mailed.has(address) && !bounced.has(address))
  const copies = Map.groupBy(mails, ({ messageId }) => messageId)
  const strangers = mails.filter(({ to }) => !to.every((address) => rows.has(address)))
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
      ...said(withoutRow.length, 'acknowledged without a row'),
      ...said(withoutMail.length, 'on the list, and no mail came'),
      ...said(strangers.length, 'mails to somebody who is not on the list'),
      ...said(unknown.length, 'Message-IDs that no delivery has'),
      ...said(tooOften.length, 'mails went more often than their attempts were interrupted'),
      ...said(changed.length, 'mails went again with other bytes or to somebody else'),
      ...said(notSent.length, 'deliveries are not recorded as sent'),
    ],
  }
}

function formOf({ to, raw }: ReceivedMail): string {
  return `${to.join()} ${createHash('sha256').update(raw).digest('hex')}`
}

/** No fault for a count of zero. */
export function said(count: number, what: string): string[] {
  return count > 0 ? [`${count} ${what}`] : []
}
