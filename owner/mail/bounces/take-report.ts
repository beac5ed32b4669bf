import sql from 'sql-template-tag'
import type { Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { addDailyCount } from '#server/statistics/daily-counts.ts'
import { blockInbox, leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'

/** A report of one mail, by a provider or in a file. */
export interface Report {
  identity: string
  /**
   * `returned`: for good. `temporary`: nothing is to be done. `complaint`: it arrived, and the
   * recipient called it spam.
   */
  kind: 'arrived' | 'returned' | 'temporary' | 'complaint'
  /** In ms since 1970; a later time than now counts as now. Undefined: not known. */
  at?: number | undefined
}

/**
 * Takes a bounced address off the list, or blocks the inbox of a complaint; a repeated report
 * changes nothing. People who signed up again after a bounce stay. Counts an arrival, a repeated
 * one again: mail to the owner and test mails belong to no subscriber. Returns how many left.
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
  const left: number[] = []
  if (kind === 'arrived' && row.state === 'active') await addDailyCount(transaction, 'arrived', now)
  if (kind === 'complaint') left.push(...(await blockInbox(transaction, row, now)))
  if (kind === 'returned' && Math.min(at ?? now, now) >= row.signed_up_at) {
    if (await leaveTheList(transaction, row.id, 'undeliverable', now)) left.push(row.id)
  }
  for (const id of left) await recordEvent(transaction, 'bounced', id, now)
  return left.length
}
