import sql from 'sql-template-tag'
import type { StarterEmailTemplate } from '#mail/compose-starter-email.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { countByFault } from '../deliveries/delivery-figures.ts'
import { countDeliveries } from '../deliveries/list-deliveries.ts'
import { type Announcement, readAnnouncements } from './announcements.ts'
import { planAnnouncement } from './plan.ts'
import { readSample } from './release.ts'
import { hourMs, mailsInHour } from './slow-start.ts'

export type AnnouncementProgress = Awaited<ReturnType<typeof readProgress>>[number]

/** Returns announcements, the newest first. `name`: one of them. Times are ms since 1970. */
export async function readProgress(database: Database, now: number, name?: string) {
  const which = name === undefined ? sql`order by id desc` : sql`where name = ${name}`
  const all = await readAnnouncements(database, which)
  return Promise.all(all.map((announcement) => progressOf(database, announcement, now)))
}

async function progressOf(database: Database, announcement: Announcement, now: number) {
  const { template, releasedUpTo: after, ...shown } = announcement
  const { id, kind, to, startsAt, state } = shown
  const mail = await database.row<{ content: string }>(
    sql`select content from mail_templates where hash = ${template}`,
  )
  const { subject }: StarterEmailTemplate = JSON.parse(mail!.content) // as keepTemplate wrote it
  const isOver = state === 'done' || state === 'cancelled'
  const rest = isOver
    ? undefined
    : await planAnnouncement(database, announcement, { to, now, after })
  const stillToCome = rest?.audience ?? 0
  // After those still to come: a page that is released meanwhile is counted twice rather than not
  // at all.
  const { queued, sending, ...counts } = await countDeliveries(database, id)
  const figures = { ...counts, waiting: queued + sending, stillToCome }
  return {
    ...shown,
    /** Of a letter. */
    subject: kind === 'letter' ? subject : '',
    state: state === 'running' && now < startsAt ? ('starting' as const) : state,
    /** The sum of the next six. `stillToCome`: not queued yet. */
    recipients: Object.values(figures).reduce((sum, count) => sum + count),
    ...figures,
  }
}

/**
 * How an announcement went so far. `faults`: the reasons of failed mails, the most frequent first.
 */
export async function readCourse(
  reader: Reader,
  announcement: Pick<Announcement, 'id' | 'startsAt' | 'resumedAt' | 'perHour' | 'mostPerHour'>,
  siteMailsPerHour: number,
) {
  const { id, startsAt, resumedAt } = announcement
  const hoursBefore = Math.max(0, Math.ceil((resumedAt - startsAt) / hourMs))
  const start = resumedAt - hoursBefore * hourMs
  const sentByHour = await reader.rows<{ hour: number; sent: number }>(sql`
    select hour, count(*) as sent from (
      select cast((finished_at - ${start}) / ${hourMs} as bigint) as hour from deliveries
      where announcement = ${id} and state = 'sent' and finished_at >= ${start}
    ) as hours group by hour order by hour`)
  const faults = await countByFault(reader, sql`d.announcement = ${id} and d.state = 'failed'`)
  const hours = sentByHour.map(({ hour, sent }) => {
    const at = Math.max(startsAt, start + hour * hourMs)
    const admitted = mailsInHour(hour - hoursBefore, { ...announcement, siteMailsPerHour })
    // What was admitted before the last pause is not kept.
    return { at, sent, admitted: hour < hoursBefore ? sent : Math.max(admitted, sent) }
  })
  return { hours, sample: await readSample(reader, announcement), faults }
}
