import sql, { join } from 'sql-template-tag'
import type { Transaction } from '#server/database/database.ts'
import type { ServerContext } from '#server/start/context.ts'
import { addDailyCounts, dayOf } from '#server/statistics/daily-counts.ts'
import { blockInbox, leaveTheList } from '#server/subscribers/leave-the-list.ts'
import type { Subscriber } from '#server/subscribers/subscribers.ts'

export interface Bounce {
  identity: string
  /** In ms since 1970; a later time than now counts as now. Undefined: not known. */
  bouncedAt?: number | undefined
  /** It arrived, and the recipient called it spam. */
  isComplaint?: boolean
}

type MarkDeps = Pick<ServerContext, 'recordEvent' | 'secret'> & { now: number }

/**
 * Takes a bounced address off the list, or blocks the inbox of a complaint. Idempotent. People who signed up again after a
 * bounce stay. Returns how many left.
 */
export async function markBounced(
  transaction: Transaction,
  { identity, bouncedAt, isComplaint }: Bounce,
  { recordEvent, secret, now }: MarkDeps,
): Promise<number> {
  const row = await transaction.row<Subscriber>(sql`select * from subscribers where identity = ${identity}`)
  if (!row) return 0
  const left: number[] = []
  if (isComplaint) left.push(...(await blockInbox(transaction, row, { now, secret })))
  else if (Math.min(bouncedAt ?? now, now) >= row.signed_up_at)
    if (await leaveTheList(transaction, row.id, 'undeliverable', now)) left.push(row.id)
  for (const id of left) await recordEvent(transaction, 'bounced', id, now)
  return left.length
}

/** Mail to the owner and test mails belong to no subscriber. A report that a provider repeats counts again. */
export async function countArrived(
  transaction: Transaction,
  identities: readonly string[],
  now: number,
): Promise<void> {
  if (identities.length === 0) return
  const known = await transaction.row<{ count: number }>(sql`
    select count(*) as count from subscribers where state = 'active' and identity in (${join([...identities])})`)
  const count = known?.count ?? 0
  if (count > 0) await addDailyCounts(transaction, [{ day: dayOf(now), event: 'arrived', detail: '', count }])
}
