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
import { type Announcement, beforeStartMs, lockAnnouncement, pause } from './announcements.ts'
import { hourMs, mailsInHour, returnedLimit, type SitePace } from './slow-start.ts'

const sampleSize = 1_000
/** One bad address among the first few pauses nothing. */
const minSample = 50
/** 0.1 % of a whole sample, and of a smaller one too: one subscriber alone pauses nothing. */
const maxComplaints = 1

/** Few enough to be held soon by a pause, and more than a relay takes between two runs. */
const maxUnsent = 500
/** Longer than a lease. Mail that is due later was put off by its recipient. */
const soonMs = 60_000
/** Mails queued, and subscribers looked at, in one transaction: some milliseconds. */
const pageMails = 100
const pageSubscribers = 2_000

type ReleaseContext = Pick<ServerContext, 'config' | 'database' | 'now' | 'wakeDeliveries'>

/**
 * Queues what this hour admits of each announcement that has started. Every instance runs it: a
 * lock in the database lets one at a time release a page.
 */
export async function releaseMail(context: ReleaseContext): Promise<void> {
  const { database, wakeDeliveries } = context
  const running = await database.rows<{ name: string }>(
    sql`select name from announcements where state = 'running'`,
  )
  for (const { name } of running) {
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
    if (announcement?.state !== 'running') return false
    const now = clock()
    // It may be widened between two pages, and then has another minute.
    if (now < announcement.startsAt) {
      await shortenMinute(transaction, announcement, now)
      return false
    }
    const why = pauseReason(await readSample(transaction, announcement))
    if (why !== undefined) {
      await pause(transaction, announcement.id, why)
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
 * A start further away than its minute was set while the clock was ahead. The minute begins again:
 * it neither ends early nor waits for that clock.
 */
async function shortenMinute(
  transaction: Transaction,
  { id, startsAt }: Announcement,
  now: number,
): Promise<void> {
  const start = now + beforeStartMs
  if (startsAt <= start + clockToleranceMs) return
  await transaction.run(sql`
    update announcements set starts_at = ${start}, resumed_at = ${start} where id = ${id}`)
}

/**
 * Returns how many mails may be queued now. Mail of an earlier hour counts in the hour in which it
 * is sent.
 */
async function readRoom(
  reader: Reader,
  announcement: Announcement & SitePace,
  now: number,
): Promise<number> {
  const { id, resumedAt } = announcement
  const hour = Math.floor((now - resumedAt) / hourMs)
  const since = resumedAt + hour * hourMs
  const counts = await reader.row<{ finished: number; unsent: number; putOff: number }>(sql`
    select count(case when due_at <= ${now + soonMs} then 1 end) as "unsent",
      count(case when due_at > ${now + soonMs} and queued_at >= ${since} then 1 end) as "putOff",
      (select count(*) from deliveries
        where announcement = ${id} and state in ('sent', 'failed') and finished_at >= ${since}) as "finished"
    from deliveries where announcement = ${id} and state in ('queued', 'sending')`)
  const { finished, unsent, putOff } = counts!
  return Math.min(mailsInHour(hour, announcement) - finished - unsent - putOff, maxUnsent - unsent)
}

/**
 * Queues mail that a pause held. Its date is that of its release; mail that a worker had in hand
 * keeps its date, and so its bytes.
 */
async function queueHeld(transaction: Transaction, id: number, most: number, now: number) {
  const queued = await transaction.run(sql`
    update deliveries set state = 'queued', due_at = ${now}, priority = ${announcementPriority},
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
  { id, releasedUpTo: after, template }: Announcement,
  { room, now, senderDomain }: { room: number; now: number; senderDomain: string },
): Promise<boolean> {
  const newest = await transaction.row<{ id: number | null }>(
    sql`select max(id) as id from subscribers`,
  )
  if (after >= (newest!.id ?? 0)) {
    await transaction.run(sql`
      update announcements set state = 'done', ended_at = ${now}
      where id = ${id} and not exists (
        select 1 from deliveries where announcement = ${id} and state in ('queued', 'sending', 'held'))`)
    return false
  }
  if (room <= 0) return false
  const end = after + pageSubscribers
  const recipients = await transaction.rows<{ id: number }>(sql`
    select s.id from subscribers s join announcements a on a.id = ${id}
    where s.id > ${after} and s.id <= ${end} and s.state = 'active' and s.signed_up_at < a.signed_up_before
      and ${wantsAnnouncement}
      and not exists (select 1 from deliveries made where made.announcement = a.id and made.subscriber = s.id)
    order by s.id limit ${room}`)
  const mail = {
    template,
    senderDomain,
    now,
    announcement: id,
    priority: announcementPriority,
  } as const
  for (const { id: subscriber } of recipients) await queueMail(transaction, { ...mail, subscriber })
  const upTo = recipients.length === room ? recipients.at(-1)!.id : end
  await transaction.run(sql`update announcements set released_up_to = ${upTo} where id = ${id}`)
  return true
}

/**
 * The last mails since the announcement started or was resumed. `returned`: failed, or came back
 * later. `complaints`: reported as spam, or "I did not ask for this".
 */
export async function readSample(
  reader: Reader,
  { id, resumedAt }: Pick<Announcement, 'id' | 'resumedAt'>,
) {
  const finished = (state: 'sent' | 'failed') => sql`select * from (
    select subscriber, state, finished_at from deliveries
    where announcement = ${id} and state = ${state} and finished_at >= ${resumedAt}
    order by finished_at desc limit ${sampleSize}) as newest`
  const sample = await reader.row<{ mails: number; returned: number; complaints: number }>(sql`
    select count(*) as mails,
      coalesce(sum(case when d.state = 'failed' or s.state = 'undeliverable' then 1 else 0 end), 0) as returned,
      coalesce(sum(case when s.state = 'blocked' then 1 else 0 end), 0) as complaints
    from (select * from (${finished('sent')} union all ${finished('failed')}) as finished
      order by finished_at desc limit ${sampleSize}) as d join subscribers s on s.id = d.subscriber`)
  return sample!
}

/** Undefined: the announcement may go on. */
function pauseReason(sample: Awaited<ReturnType<typeof readSample>>): string | undefined {
  const { mails, returned, complaints } = sample
  if (returned > returnedLimit * Math.max(mails, minSample)) {
    return `${returned} of the last ${mails} failed or came back`
  }
  if (complaints > maxComplaints) {
    return `${complaints} of the last ${mails} were reported as spam`
  }
  return undefined
}
