import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { clockToleranceMs } from '#server/database/clock.ts'
import type { Database, Transaction } from '#server/database/database.ts'
import {
  announcementPriority,
  queueMail,
  wantsAnnouncement,
} from '#server/deliveries/deliveries.ts'
import type { ServerContext } from '#server/start/context.ts'
import { countDeliveries } from '#owner/mail/list-deliveries.ts'
import {
  type Announcement,
  beforeStartMs,
  isOfCampaigns,
  lockAnnouncement,
  pause,
  readAnnouncements,
} from './announcements.ts'
import { type PaceSoFar, readPaceSoFar, readRoom } from './pace/room.ts'
import { pauseReason } from './pace/sample.ts'

/**
 * Mails queued, and subscribers looked at, in one transaction: some milliseconds, in which no
 * visitor is answered.
 */
export const pageMails = 20
const pageSubscribers = 1_000
/** Between two pages, for visitors. */
const betweenPagesMs = 10
/** Released before the pace is read again. */
const pagesAtOnce = 25

type ReleaseContext = Pick<ServerContext, 'config' | 'database' | 'now' | 'wakeDeliveries'>

/**
 * Queues what this hour admits of each announcement that has started, and keeps the figures of
 * those that have ended. Every instance runs it: a lock in the database lets one at a time release
 * a page.
 */
export async function releaseMail(context: ReleaseContext): Promise<void> {
  const { database } = context
  const open = await database.rows<{ name: string }>(sql`
    select name from announcements
    where kind <> 'series'
      and (state = 'running' or (state in ('done', 'cancelled') and sent is null))`)
  for (const { name } of open) {
    await releaseInPages(context, name, (soFar) => releasePage(context, name, soFar))
    await keepFigures(database, name)
  }
}

/** Releases pages until one returns false: nothing is left to do now. */
export async function releaseInPages(
  { database, now, wakeDeliveries }: Pick<ReleaseContext, 'database' | 'now' | 'wakeDeliveries'>,
  name: string,
  release: (soFar: PaceSoFar) => Promise<boolean>,
): Promise<void> {
  while (true) {
    const [announcement] = await readAnnouncements(database.ownerReads, sql`where name = ${name}`)
    if (!announcement) return
    const soFar = await readPaceSoFar(database.ownerReads, announcement, now())
    for (let page = 0; page < pagesAtOnce; page += 1) {
      if (!(await release(soFar))) return
      wakeDeliveries()
      await sleep(betweenPagesMs)
    }
  }
}

/**
 * A page and its end are written in one transaction, so a kill neither loses nor doubles mail.
 * False: nothing is left to do now.
 */
function releasePage(
  { database, config, now: clock }: ReleaseContext,
  name: string,
  soFar: PaceSoFar,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const announcement = await lockAnnouncement(transaction, name)
    if (announcement?.state !== 'running') return false
    const now = clock()
    // It may be widened between two pages, and then has another minute.
    if (now < announcement.startsAt) {
      await restartMinute(transaction, announcement, now)
      return false
    }
    // It was resumed or widened meanwhile: the next run reads its pace again.
    if (announcement.resumedAt !== soFar.resumedAt) return false
    const why = pauseReason(soFar.sample)
    if (why !== undefined) {
      await pause(transaction, announcement.id, { why, now })
      return false
    }
    const { siteMailsPerHour, senderDomain } = config
    const paced = { ...announcement, siteMailsPerHour }
    const room = Math.min(pageMails, await readRoom(transaction, paced, soFar, now))
    if (room > 0 && (await queueHeld(transaction, announcement.id, room, now))) return true
    return queuePage(transaction, announcement, { room, now, senderDomain })
  })
}

/**
 * Lets the minute before the start begin again at now if the start is further away than that and the
 * owner did not choose it. It was set while the clock was ahead: so it neither ends early nor waits
 * for that clock.
 */
async function restartMinute(
  transaction: Transaction,
  { id, startsAt, sendAt }: Announcement,
  now: number,
): Promise<void> {
  const start = now + beforeStartMs
  if (sendAt !== null || startsAt <= start + clockToleranceMs) return
  await transaction.run(sql`
    update announcements set starts_at = ${start}, resumed_at = ${start} where id = ${id}`)
}

/**
 * Queues mail that a pause held. Its date is that of its release; mail that a worker had in hand
 * keeps its date, and so its bytes.
 */
export async function queueHeld(
  transaction: Transaction,
  id: number,
  limit: number,
  now: number,
): Promise<boolean> {
  const queued = await transaction.run(sql`
    update deliveries
    set state = 'queued', due_at = ${now}, waits_since = ${now}, priority = ${announcementPriority},
      queued_at = case when failures = 0 and worker is null then ${now} else queued_at end
    where id in (
      select id from deliveries where announcement = ${id} and state = 'held'
      order by id limit ${limit}
    )`)
  return queued > 0
}

/**
 * Queues a mail for each recipient on the next page of subscribers. Ends the announcement once all
 * is sent. False: no page is left.
 */
async function queuePage(
  transaction: Transaction,
  { id, releasedUpTo, template, campaigns }: Announcement,
  { room, now, senderDomain }: { room: number; now: number; senderDomain: string },
): Promise<boolean> {
  const newest = await transaction.row<{ id: number | null }>(
    sql`select max(id) as id from subscribers`,
  )
  if (releasedUpTo >= (newest!.id ?? 0)) {
    await endIfSent(transaction, id, now)
    return false
  }
  if (room <= 0) return false
  const end = releasedUpTo + pageSubscribers
  const recipients = await transaction.rows<{ id: number }>(sql`
    select s.id from subscribers s join announcements a on a.id = ${id}
    where s.id > ${releasedUpTo} and s.id <= ${end}
      and s.state = 'active' and s.signed_up_at < a.signed_up_before and ${wantsAnnouncement}
      and ${isOfCampaigns(campaigns)}
      and not exists (
        select 1 from deliveries made where made.announcement = a.id and made.subscriber = s.id)
    order by s.id limit ${room}`)
  for (const { id: subscriber } of recipients) {
    await queueMail(transaction, {
      subscriber,
      template,
      senderDomain,
      now,
      announcement: id,
      priority: announcementPriority,
    })
  }
  const upTo = recipients.length === room ? recipients.at(-1)!.id : end
  const count = recipients.length
  // Those still to come were counted at the start: some have left since, and others came.
  await transaction.run(sql`
    update announcements set released_up_to = ${upTo},
      still_to_come = case when still_to_come > ${count} then still_to_come - ${count} else 0 end
    where id = ${id}`)
  return true
}

async function endIfSent(transaction: Transaction, id: number, now: number): Promise<void> {
  await transaction.run(sql`update announcements set still_to_come = 0 where id = ${id}`)
  if (await hasMailUnderWay(transaction, id)) return
  await transaction.run(
    sql`update announcements set state = 'done', ended_at = ${now} where id = ${id}`,
  )
}

/**
 * Keeps the figures of an announcement that has ended, once none of its mail is under way: from
 * then on they change only while mail of it is retried. They are counted beside visitors.
 */
async function keepFigures(database: Database, name: string): Promise<void> {
  const [announcement] = await readAnnouncements(database.ownerReads, sql`where name = ${name}`)
  if (announcement?.state !== 'done' && announcement?.state !== 'cancelled') return
  const { id } = announcement
  const { queued, sending, held, ...ended } = await countDeliveries(database.ownerReads, id)
  if (queued + sending + held > 0) return // the next run counts again
  const { sent, failed, cancelled } = ended
  await database.transaction(async (transaction) => {
    if (await hasMailUnderWay(transaction, id)) return // of a retry since
    await transaction.run(sql`
      update announcements set sent = ${sent}, failed = ${failed}, cancelled = ${cancelled}
      where id = ${id} and state in ('done', 'cancelled')`)
  })
}

async function hasMailUnderWay(transaction: Transaction, id: number): Promise<boolean> {
  const one = await transaction.row(sql`
    select 1 from deliveries
    where announcement = ${id} and state in ('queued', 'sending', 'held') limit 1`)
  return one !== undefined
}
