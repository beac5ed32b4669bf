import { setImmediate as nextTurn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { clockToleranceMs } from '#server/database/clock.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import {
  announcementPriority,
  queueMail,
  wantsAnnouncement,
} from '#server/deliveries/deliveries.ts'
import type { ServerContext } from '#server/start/context.ts'
import { countDeliveries } from '../deliveries/list-deliveries.ts'
import {
  type Announcement,
  beforeStartMs,
  isOfCampaigns,
  lockAnnouncement,
  pause,
} from './announcements.ts'
import { pauseReason, readSample } from './pace/sample.ts'
import { hourMs, mailsInHour, type SitePace } from './pace/slow-start.ts'

/** Few enough to be held soon by a pause, and more than a relay takes between two runs. */
const maxUnsent = 500
/** Longer than a lease. Mail that is due later was put off by its recipient. */
const soonMs = 60_000
/** Mails queued, and subscribers looked at, in one transaction: some milliseconds. */
export const pageMails = 100
const pageSubscribers = 2_000

type ReleaseContext = Pick<ServerContext, 'config' | 'database' | 'now' | 'wakeDeliveries'>

/**
 * Queues what this hour admits of each announcement that has started, and keeps the figures of
 * those that have ended. Every instance runs it: a lock in the database lets one at a time release
 * a page.
 */
export async function releaseMail(context: ReleaseContext): Promise<void> {
  const { database, wakeDeliveries } = context
  const open = await database.rows<{ name: string }>(sql`
    select name from announcements
    where kind <> 'series'
      and (state = 'running' or (state in ('done', 'cancelled') and sent is null))`)
  for (const { name } of open) {
    while (await releasePage(context, name)) {
      wakeDeliveries()
      await nextTurn()
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
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const announcement = await lockAnnouncement(transaction, name)
    if (!announcement || announcement.state === 'paused') return false
    if (announcement.state !== 'running') {
      await keepFigures(transaction, announcement.id)
      return false
    }
    const now = clock()
    // It may be widened between two pages, and then has another minute.
    if (now < announcement.startsAt) {
      await shortenMinute(transaction, announcement, now)
      return false
    }
    const why = pauseReason(await readSample(transaction, announcement))
    if (why !== undefined) {
      await pause(transaction, announcement.id, { why, now })
      return false
    }
    const { siteMailsPerHour, senderDomain } = config
    const room = Math.min(
      pageMails,
      await readRoom(transaction, { ...announcement, siteMailsPerHour }, now),
    )
    if (room > 0 && (await queueHeld(transaction, announcement.id, room, now))) return true
    return queuePage(transaction, announcement, { room, now, senderDomain })
  })
}

/**
 * A start further away than its minute was chosen by the owner, or set while the clock was ahead:
 * then the minute begins again, which neither ends early nor waits for that clock.
 */
async function shortenMinute(
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
 * Returns how many mails may be queued now. Mail of an earlier hour counts in the hour in which it
 * is sent.
 */
export async function readRoom(
  reader: Reader,
  announcement: Announcement & SitePace,
  now: number,
): Promise<number> {
  const { id, resumedAt } = announcement
  const hour = Math.floor((now - resumedAt) / hourMs)
  const since = resumedAt + hour * hourMs
  const counts = await reader.row<{ finished: number; unsent: number; putOff: number }>(sql`
    select
      count(case when due_at <= ${now + soonMs} then 1 end) as "unsent",
      count(case when due_at > ${now + soonMs} and queued_at >= ${since} then 1 end) as "putOff",
      (select count(*) from deliveries
        where announcement = ${id} and state in ('sent', 'failed') and finished_at >= ${since}
      ) as "finished"
    from deliveries where announcement = ${id} and state in ('queued', 'sending')`)
  const { finished, unsent, putOff } = counts!
  return Math.min(mailsInHour(hour, announcement) - finished - unsent - putOff, maxUnsent - unsent)
}

/**
 * Queues mail that a pause held. Its date is that of its release; mail that a worker had in hand
 * keeps its date, and so its bytes.
 */
export async function queueHeld(transaction: Transaction, id: number, most: number, now: number) {
  const queued = await transaction.run(sql`
    update deliveries
    set state = 'queued', due_at = ${now}, waits_since = ${now}, priority = ${announcementPriority},
      queued_at = case when failures = 0 and worker is null then ${now} else queued_at end
    where id in (select id from deliveries where announcement = ${id} and state = 'held' order by id limit ${most})`)
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
  await keepFigures(transaction, id)
}

/** An announcement that has ended changes only while mail of it is retried, or was in hand. */
async function keepFigures(transaction: Transaction, id: number): Promise<void> {
  if (await hasMailUnderWay(transaction, id)) return
  const { sent, failed, cancelled } = await countDeliveries(transaction, id)
  await transaction.run(sql`
    update announcements set sent = ${sent}, failed = ${failed}, cancelled = ${cancelled}
    where id = ${id}`)
}

async function hasMailUnderWay(transaction: Transaction, id: number): Promise<boolean> {
  const one = await transaction.row(sql`
    select 1 from deliveries
    where announcement = ${id} and state in ('queued', 'sending', 'held') limit 1`)
  return one !== undefined
}
