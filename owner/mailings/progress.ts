import sql, { type Sql } from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { countByFault, type FaultCount } from '#owner/mail/delivery-figures.ts'
import { countDeliveries } from '#owner/mail/list-deliveries.ts'
import { type Announcement, type Audience, readAnnouncements } from './announcements.ts'
import { readSample, type Sample } from './pace/sample.ts'
import { hourMs, mailsInHour, type Pace } from './pace/slow-start.ts'

/** Times are ms since 1970. */
export interface AnnouncementProgress extends Figures, Pace {
  id: number
  name: string
  kind: Announcement['kind']
  to: Audience
  /** `starting`: it begins later. If none of its mail exists yet, cancelling removes it. */
  state: Announcement['state'] | 'starting'
  /** A letter has one. */
  subject: string
  preview: string
  /** Only people of these. Null: of all. */
  campaigns: string[] | null
  signedUpBefore?: number | undefined
  startsAt: number
  /** The owner chose the moment. Null: it starts a minute after it was confirmed. */
  sendAt: number | null
  resumedAt: number
  endedAt: number | null
  pausedWhy: string | null
  /** The sum of the figures. */
  recipients: number
}

interface Figures {
  sent: number
  failed: number
  cancelled: number
  held: number
  waiting: number
  /** They have no mail of it yet. */
  stillToCome: number
}

/** Returns announcements, the newest first. `name`: one of them. */
export function readProgress(
  reader: Reader,
  now: number,
  name?: string,
): Promise<AnnouncementProgress[]> {
  const which =
    name === undefined
      ? sql`where kind <> 'series' order by id desc`
      : sql`where name = ${name} and kind <> 'series'`
  return progressOf(reader, which, now)
}

/** The newest announcement that goes on or has paused. */
export async function readUnderWay(
  reader: Reader,
  now: number,
): Promise<AnnouncementProgress | undefined> {
  const which = sql`
    where state in ('running', 'paused') and kind <> 'series'
    order by id desc limit 1`
  return (await progressOf(reader, which, now))[0]
}

async function progressOf(
  reader: Reader,
  which: Sql,
  now: number,
): Promise<AnnouncementProgress[]> {
  const announcements = await readAnnouncements(reader, which)
  return Promise.all(
    announcements.map(async (announcement) => {
      const figures = await figuresOf(reader, announcement)
      return describeProgress(announcement, figures, now)
    }),
  )
}

function describeProgress(
  announcement: Announcement,
  figures: Figures,
  now: number,
): AnnouncementProgress {
  const { state, startsAt } = announcement
  return {
    id: announcement.id,
    name: announcement.name,
    kind: announcement.kind,
    to: announcement.to,
    state: state === 'running' && now < startsAt ? 'starting' : state,
    subject: announcement.subject,
    preview: announcement.preview,
    campaigns: announcement.campaigns,
    signedUpBefore: announcement.signedUpBefore,
    startsAt,
    sendAt: announcement.sendAt,
    resumedAt: announcement.resumedAt,
    endedAt: announcement.endedAt,
    pausedWhy: announcement.pausedWhy,
    perHour: announcement.perHour,
    mostPerHour: announcement.mostPerHour,
    ...figures,
    recipients: Object.values(figures).reduce((sum, count) => sum + count),
  }
}

/** Counts deliveries only while they change. */
async function figuresOf(reader: Reader, announcement: Announcement): Promise<Figures> {
  const { id, sent, failed, cancelled, stillToCome } = announcement
  if (sent !== null) {
    // The three are kept together.
    return { sent, failed: failed!, cancelled: cancelled!, held: 0, waiting: 0, stillToCome }
  }
  const { queued, sending, ...counts } = await countDeliveries(reader, id)
  return { ...counts, waiting: queued + sending, stillToCome }
}

export interface HourlyProgress {
  hours: HourOfAnnouncement[]
  /** The newest mails: by their outcome it is decided if it pauses. */
  sample: Sample
  /** The reasons of failed mails, the most frequent first. */
  faults: FaultCount[]
}

interface HourOfAnnouncement {
  /** The beginning of the hour, in ms since 1970. */
  at: number
  sent: number
  /** How many the slow start allowed. */
  admitted: number
}

export async function readHourlyProgress(
  reader: Reader,
  announcement: Pick<Announcement, 'id' | 'startsAt' | 'resumedAt' | 'perHour' | 'mostPerHour'>,
  siteMailsPerHour: number,
): Promise<HourlyProgress> {
  const { id, startsAt, resumedAt } = announcement
  const hoursBefore = Math.max(0, Math.ceil((resumedAt - startsAt) / hourMs))
  const start = resumedAt - hoursBefore * hourMs
  const sentByHour = await reader.rows<{ hour: number; sent: number }>(sql`
    select hour, count(*) as sent from (
      select cast((finished_at - ${start}) / ${hourMs} as bigint) as hour from deliveries
      where announcement = ${id} and state = 'sent' and finished_at >= ${start}
    ) as hours
    group by hour order by hour`)
  const faults = await countByFault(reader, sql`d.announcement = ${id} and d.state = 'failed'`)
  const hours = sentByHour.map(({ hour, sent }) => {
    const at = Math.max(startsAt, start + hour * hourMs)
    const admitted = mailsInHour(hour - hoursBefore, { ...announcement, siteMailsPerHour })
    // The number admitted before the last pause is not kept.
    return { at, sent, admitted: hour < hoursBefore ? sent : Math.max(admitted, sent) }
  })
  return { hours, sample: await readSample(reader, announcement), faults }
}
