import sql from 'sql-template-tag'
import type { Database, Reader } from '#server/database/database.ts'
import { readSetting } from '#server/database/settings.ts'
import { dayMs } from '#server/sign-up/limits.ts'
import { type Announceable, type Audience, beforeStartMs } from './announcements.ts'
import { countInRanges } from './count-in-ranges.ts'
import { hoursFor, type Pace } from './slow-start.ts'

export type AnnouncementPlan = Awaited<ReturnType<typeof planAnnouncement>>

/** Counts whom an announcement would reach now, and estimates how long it would take. */
export async function planAnnouncement(
  database: Database,
  { name, kind, signedUpBefore }: Announceable,
  { to, now, pace }: { to: Audience; now: number; pace: Pace },
) {
  /** Everybody in the database, by the reason why they get this announcement or not. */
  const people = {
    asked: 0,
    /** For a letter: the words that they agreed to cover versions only. */
    askedForVersions: 0,
    neverAsked: 0,
    turnedOff: 0,
    /** They signed up too late. */
    tooLate: 0,
    unsubscribed: 0,
    undeliverable: 0,
    blocked: 0,
    /** They have a mail of this announcement, and are counted here alone. */
    announcedTo: 0,
  }
  const before = signedUpBefore ?? now + beforeStartMs
  const kinds = sql`case when d.id is not null then 'announcedTo' when s.state <> 'active' then s.state
    when s.signed_up_at >= ${before} then 'tooLate' when s.announcements_refused_at is not null then 'turnedOff'
    when s.announcements_agreed_at is null then 'neverAsked'
    when ${kind === 'letter' ? 1 : 0} = 1 and s.announcements_cover <> 'news' then 'askedForVersions' else 'asked' end`
  const counts = await countInRanges(
    database,
    ({ after, upTo }) => sql`
      select kind, count(*) as count from (
        select ${kinds} as kind from subscribers s left join announcements a on a.name = ${name}
          left join deliveries d on d.announcement = a.id and d.subscriber = s.id
        where s.id > ${after} and s.id <= ${upTo}
      ) as kinds group by kind`,
  )
  for (const [one, count] of counts) people[one as keyof typeof people] = count // the kinds above
  const audience = people.asked + (to === 'everyone' ? people.neverAsked + people.askedForVersions : 0)
  return { name, kind, to, audience, people, hours: hoursFor(audience, pace) }
}

/** Holds when a backup was restored without what was sent since, in ms since 1970. owner/backup writes it. */
export const lossyRestoreSetting = 'lossy-restore'

/** After that long a restore no longer stops letters, which have no day of release. */
const doubtMs = 30 * dayMs

/**
 * Returns when a backup was restored without what was sent since: the audience may have got this announcement before. Undefined:
 * there was no such restore since the release, or the database knows of the announcement to this audience.
 */
export async function findLossyRestore(
  reader: Reader,
  { name, signedUpBefore }: Announceable,
  to: Audience,
  now: number,
): Promise<number | undefined> {
  const restoredAt = Number((await readSetting(reader, lossyRestoreSetting)) ?? -Infinity)
  const possibleFrom = signedUpBefore === undefined ? now - doubtMs : signedUpBefore - dayMs
  const known = await reader.row(sql`
    select 1 from announcements
    where name = ${name} and state <> 'cancelled' and (audience = ${to} or audience = 'everyone')`)
  return restoredAt < possibleFrom || known ? undefined : restoredAt
}
