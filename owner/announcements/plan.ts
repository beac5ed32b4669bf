import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#server/database/database.ts'
import { pieces } from '../subscribers/list-subscribers.ts'
import { type Announceable, type Audience, beforeStartMs } from './announcements.ts'

/** Counts whom an announcement would reach now, of the subscribers with numbers above `after`. */
export async function planAnnouncement(
  database: Database,
  { name, kind, signedUpBefore }: Announceable,
  { to, now, after }: { to: Audience; now: number; after?: number },
) {
  /** Everybody, by the reason why they get this announcement or not. */
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
  const select = (isInPiece: Sql) => sql`
    select kind, count(*) as count from (
      select ${kinds} as kind from subscribers s left join announcements a on a.name = ${name}
        left join deliveries d on d.announcement = a.id and d.subscriber = s.id
      where ${isInPiece}
    ) as kinds group by kind`
  for await (const counts of pieces<{ kind: keyof typeof people; count: number }>(
    database,
    select,
    after,
  )) {
    for (const one of counts) people[one.kind] += one.count
  }
  const audience =
    people.asked + (to === 'everyone' ? people.neverAsked + people.askedForVersions : 0)
  return { name, kind, to, audience, people }
}
