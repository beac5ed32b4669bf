import type { Database } from '#server/database/database.ts'
import { CommandError } from '../command-line/command-context.ts'
import { type AnnouncementOrder, lockAnnouncement, storeAnnouncement } from './announcements.ts'
import { planAnnouncement } from './plan.ts'
import { isPace } from './pace/slow-start.ts'

/**
 * Stores an announcement with the moment when it starts; release.ts sends it. A second one of the
 * same name continues the first, or widens it from those who asked for it to everyone. False: the
 * first stays as it is.
 */
export async function startAnnouncement(
  database: Database,
  order: AnnouncementOrder,
  now: number,
): Promise<boolean> {
  const { name, kind, to, perHour, mostPerHour } = order
  for (const pace of [perHour, mostPerHour]) {
    if (typeof pace === 'number' && !isPace(pace)) {
      throw new CommandError(`${pace} mails an hour is no pace: give a whole number from 1 on.`)
    }
  }
  const { audience } = await planAnnouncement(database.ownerReads, order, { to, now })
  return database.transaction(async (transaction) => {
    const before = await lockAnnouncement(transaction, name)
    if (before && before.kind !== kind) {
      throw new CommandError(`There is another announcement named ${name}.`)
    }
    if (before?.state === 'cancelled') throw new CommandError(`${name} was cancelled for good.`)
    if (before && (before.to === to || to === 'consented')) return false
    await storeAnnouncement(transaction, order, { stillToCome: audience, now })
    return true
  })
}
