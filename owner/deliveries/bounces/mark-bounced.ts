import type { Connection, Database } from '#server/database/database.ts'
import { leaveTheList } from '#server/subscribers/leave-the-list.ts'
import { findActive } from '#server/subscribers/subscribers.ts'

export interface Bounce {
  identity: string
  /** In ms since 1970; a later time than now counts as now. Undefined: not known. */
  bouncedAt?: number | undefined
  /** It arrived, and the recipient called it spam. */
  isComplaint?: boolean
}

/**
 * Takes bounced addresses off the list and cancels their waiting mail. Idempotent. People who signed up again after the
 * bounce stay.
 */
export async function markBounced(database: Database, bounces: readonly Bounce[], now: number) {
  const bouncedAt = new Map(bounces.map(({ identity, bouncedAt: at = now }) => [identity, Math.min(at, now)]))
  const complaints = new Set(bounces.filter((one) => one.isComplaint).map(({ identity }) => identity))
  const counts = { marked: 0, cancelled: 0 }
  for (const { id, identity, signed_up_at } of await findActive(database.query, [...bouncedAt.keys()])) {
    if (bouncedAt.get(identity)! < signed_up_at) continue
    const { left, cancelled } = await leaveTheList(database, id, 'undeliverable', now)
    if (left) counts.marked += 1
    if (left && complaints.has(identity)) await countComplaint(database.query, id)
    counts.cancelled += cancelled
  }
  return counts
}

/** Counts it against the announcement that was their last mail, if it was one. */
async function countComplaint(connection: Connection, subscriber: number): Promise<void> {
  const last = connection
    .selectFrom('deliveries')
    .select('announcement')
    .where('subscriber', '=', subscriber)
    .where('state', '=', 'sent')
    .orderBy('finished_at', 'desc')
    .limit(1)
  await connection
    .updateTable('announcements')
    .set((eb) => ({ complaints: eb('complaints', '+', 1) }))
    .where('id', '=', last)
    .execute()
}
