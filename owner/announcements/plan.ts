import sql, { type Sql } from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { type Announceable, type Audience, beforeStartMs, isOfCampaigns } from './announcements.ts'

/** Everybody on the list, by the reason why they get an announcement or not. */
export interface PeopleByReason {
  asked: number
  /** For a letter: the words that they agreed to cover versions only. */
  askedForVersions: number
  neverAsked: number
  turnedOff: number
  /** They signed up too late. */
  tooLate: number
  /** They came by another campaign than those it is for. */
  otherCampaign: number
  unsubscribed: number
  undeliverable: number
  blocked: number
  /** They have a mail of this announcement, and are counted here alone. */
  announcedTo: number
}

export interface Plan {
  to: Audience
  /** People who would get it. */
  audience: number
  people: PeopleByReason
}

/** A draft has no name yet, so nobody has a mail of it. */
interface Planned extends Omit<Announceable, 'name'> {
  name?: string | undefined
  /** Undefined: of all. */
  campaigns?: readonly string[] | undefined
}

/** Numbers of subscribers that one query counts, so that other views of the desk get their turn. */
const pieceIds = 20_000

/** Counts whom an announcement would reach now. */
export async function planAnnouncement(
  reader: Reader,
  planned: Planned,
  { to, now }: { to: Audience; now: number },
): Promise<Plan> {
  const { name = null } = planned
  const people: PeopleByReason = {
    asked: 0,
    askedForVersions: 0,
    neverAsked: 0,
    turnedOff: 0,
    tooLate: 0,
    otherCampaign: 0,
    unsubscribed: 0,
    undeliverable: 0,
    blocked: 0,
    announcedTo: 0,
  }
  const reason = reasonFor(planned, now)
  const select = (isInPiece: Sql) => sql`
    select reason, count(*) as count from (
      select ${reason} as reason
      from subscribers s
      left join announcements a on a.name = ${name}
      left join deliveries d on d.announcement = a.id and d.subscriber = s.id
      where ${isInPiece}
    ) as reasons
    group by reason`
  type Count = { reason: keyof PeopleByReason; count: number }
  const newest = await reader.row<{ id: number | null }>(sql`select max(id) as id from subscribers`)
  for (let from = 0; from < (newest?.id ?? 0); from += pieceIds) {
    const isInPiece = sql`s.id > ${from} and s.id <= ${from + pieceIds}`
    const counts = await reader.rows<Count>(select(isInPiece))
    for (const { reason: found, count } of counts) people[found] += count
  }
  const audience =
    people.asked + (to === 'everyone' ? people.neverAsked + people.askedForVersions : 0)
  return { to, audience, people }
}

/** Tells in SQL the reason of a subscriber `s`, whose mail of this announcement is `d`. */
function reasonFor({ kind, signedUpBefore, campaigns }: Planned, now: number): Sql {
  const before = signedUpBefore ?? now + beforeStartMs
  const isLetter = kind === 'letter' ? 1 : 0
  return sql`
    case
      when d.id is not null then 'announcedTo'
      when s.state <> 'active' then s.state
      when s.signed_up_at >= ${before} then 'tooLate'
      when not (${isOfCampaigns(campaigns ?? null)}) then 'otherCampaign'
      when s.announcements_refused_at is not null then 'turnedOff'
      when s.announcements_agreed_at is null then 'neverAsked'
      when ${isLetter} = 1 and s.announcements_cover = 'versions' then 'askedForVersions'
      else 'asked'
    end`
}
