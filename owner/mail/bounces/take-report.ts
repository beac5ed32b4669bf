import sql from 'sql-template-tag'
import type { Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { addDailyCount } from '#server/statistics/daily-counts.ts'
import { blockInbox, leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'
import type { ReturnKind } from './returned-mail.ts'

/** A report of one mail, by a provider or in a file. */
export interface Report {
  identity: string
  kind: 'arrived' | ReturnKind
  /** In ms since 1970; a later time than now counts as now. Undefined: not known. */
  at?: number | undefined
}

/**
 * Takes a bounced address or somebody who unsubscribed elsewhere off the list, or blocks the inbox
 * of a complaint; a repeated report changes nothing. People who signed up again since stay. Counts
 * an arrival, a repeated one again: mail to the owner and test mails belong to no subscriber.
 * Returns how many left.
 */
export async function takeReport(
  transaction: Transaction,
  { identity, kind, at }: Report,
  { recordEvent, now: clock }: Pick<ServerContext, 'recordEvent' | 'now'>,
): Promise<number> {
  const now = clock()
  const row = await transaction.row<Subscriber>(
    sql`select * from subscribers where identity = ${identity}`,
  )
  if (!row) return 0
  const isOld = Math.min(at ?? now, now) < row.signed_up_at
  switch (kind) {
    case 'nothing':
      return 0
    case 'arrived':
      if (row.state === 'active') await addDailyCount(transaction, 'arrived', now)
      return 0
    case 'complaint': {
      const left = await blockInbox(transaction, row, now)
      for (const id of left) await recordEvent(transaction, 'bounced', id, now)
      return left.length
    }
    case 'returned':
    case 'unsubscribed': {
      const state = kind === 'returned' ? 'undeliverable' : 'unsubscribed'
      if (isOld || !(await leaveTheList(transaction, row.id, state, now))) return 0
      await recordEvent(transaction, kind === 'returned' ? 'bounced' : 'left', row.id, now)
      return 1
    }
    default:
      return kind satisfies never
  }
}
