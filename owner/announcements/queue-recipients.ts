import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  type Connection,
  type Database,
  inTransaction,
  newestId,
  randomText,
} from '#server/database/database.ts'
import { announcementLane, parkedUntil } from '#server/deliveries/lanes.ts'
import { isRecipient, lockAnnouncement } from './announcements.ts'

/** Subscribers looked at in one transaction: some milliseconds. */
const pageSize = 500

/**
 * Queues a parked delivery for each recipient; releaseMail makes it due. A page and its position in the list are written in one
 * transaction, so a killed run can be continued, and several processes may run at once.
 */
export async function queueRecipients(
  { query }: Database,
  id: number,
  { senderDomain, now }: { senderDomain: string; now: () => number },
  onPage: (recipients: number) => void = () => {},
): Promise<void> {
  for (;;) {
    const recipients = await inTransaction(query, (transaction) =>
      queuePage(transaction, id, senderDomain, now()),
    )
    if (recipients === undefined) return
    onPage(recipients)
    await nextTurn()
  }
}

/** Returns how many were queued, or undefined if no page is left. */
async function queuePage(connection: Connection, id: number, senderDomain: string, now: number) {
  const announcement = await lockAnnouncement(connection, id)
  if (!announcement || announcement.is_queued === 1) return undefined
  const after = announcement.queued_up_to
  const upTo = after + pageSize
  const queued = await sql`
    insert into deliveries (subscriber, message_id, template, state, due_at, queued_at, lane, announcement)
    select s.id, '<' || ${randomText(connection)} || ${`@${senderDomain}>`}, a.template, 'queued', ${parkedUntil}, ${now}, ${announcementLane}, a.id
    from subscribers s join announcements a on a.id = ${id}
    where s.id > ${after} and s.id <= ${upTo} and ${isRecipient}
    order by s.id
    on conflict (announcement, subscriber) where announcement is not null do nothing`.execute(connection)
  const recipients = Number(queued.numAffectedRows ?? 0)
  const isLast = upTo >= (await newestId(connection, 'subscribers'))
  await connection
    .updateTable('announcements')
    .set({ queued_up_to: upTo, is_queued: isLast ? 1 : 0, recipients: announcement.recipients + recipients })
    .where('id', '=', id)
    .execute()
  return recipients
}
